import { Readable } from 'node:stream'
import type { Receipt } from '@recado/contract/money/invoices'
import { formatAmount } from '@recado/contract/text/money'
import { receiptWords } from '@recado/contract/text/receipt'
import type { Language } from '@recado/contract/users'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { makeWorkerQueue } from '../../kernel/files/in-worker.ts'
import type { StreamedFile } from '../../kernel/http/routes.ts'
import { loadCompanyTimeZone, loadSettings, readSettingValue } from '../settings.ts'
import { presentInvoice, toPlatformScope } from './invoices.ts'

/** The texts of the PDF. */
export type ReceiptContent = {
  title: string
  from: string
  payer: string[]
  rows: [string, string][]
  total: [string, string]
}

/** Loads a paid invoice of the caller's own company or, for the super user, of any company. */
export async function loadReceipt(scope: Scope, id: number): Promise<Receipt & { companyId: number }> {
  const invoice = await scope.db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .$if(!scope.wide, (q) => q.where('companyId', '=', scope.companyId))
    .executeTakeFirst()
  if (!invoice) throw new AppError('ERR_NO_INVOICE_FOUND')
  if (invoice.status !== 'paid') throw new AppError('ERR_INVOICE_SETTLED')
  const companyScope = scope.forCompany(invoice.companyId)
  const company = await companyScope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', invoice.companyId)
    .executeTakeFirstOrThrow()
  const platformScope = toPlatformScope(scope)
  const platform = await platformScope.db
    .selectFrom('companies')
    .select('name')
    .where('platform', '=', true)
    .executeTakeFirst()
  const payment = await platformScope.db
    .selectFrom('payments')
    .select('reference')
    .where('invoiceId', '=', id)
    .where('state', '=', 'used')
    .executeTakeFirst()
  const { addressStreet, addressDistrict, addressZipCode, addressCity, addressState, addressCountry } = company
  return {
    companyId: invoice.companyId,
    invoice: presentInvoice(invoice, await loadCompanyTimeZone(companyScope)),
    issuedAt: invoice.createdAt,
    company: {
      name: company.name,
      billingName: company.billingName,
      billingDocument: company.billingDocument,
      address: [addressStreet, addressDistrict, addressZipCode, addressCity, addressState, addressCountry]
        .filter(Boolean)
        .join(', '),
    },
    platform: platform?.name ?? '',
    reference: payment?.reference ?? '',
  }
}

const drawInWorker = makeWorkerQueue<ReceiptContent, Uint8Array>(new URL('./receipt-worker.ts', import.meta.url))
/** Limits for drawing: a page takes half a second of CPU, and the machine may be busy. */
const drawLimits = { timeoutMs: 60_000, heapMb: 128, maxQueued: 8 }

/** The date format of every screen in every language: dd/MM/yyyy HH:mm, in the company's time zone. */
const formatDayTime = (moment: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short', timeZone: zone })
    .format(new Date(moment))
    .replace(',', '')

/** The receipt as PDF, in the caller's language. */
export async function renderReceiptPdf(scope: Scope, id: number): Promise<StreamedFile> {
  const { companyId, issuedAt, invoice, company, platform, reference } = await loadReceipt(scope, id)
  const companySettings = (await loadSettings(scope.forCompany(companyId), [companyId])).get(companyId)
  const language = scope.actor.language ?? (readSettingValue(companySettings, 'language') as Language)
  const words = receiptWords[language]
  const zone = readSettingValue(companySettings, 'timezone')
  const rows: [string, string][] = [
    [words.company, company.billingName && company.billingName !== company.name ? company.name : ''],
    [words.for, words.detail(invoice.kind, invoice.detail)],
    [words.issued, formatDayTime(issuedAt, zone).slice(0, 10)],
    [words.due, invoice.dueDay.split('-').reverse().join('/')],
    [words.paid, invoice.paidAt ? formatDayTime(invoice.paidAt, zone) : ''],
    [words.by, invoice.paidBy === 'hand' ? words.hand : 'Pix'],
    [words.note, invoice.note],
    [words.reference, reference],
  ]
  const content: ReceiptContent = {
    title: words.of(invoice.id),
    from: words.from(platform),
    payer: [
      company.billingName || company.name,
      company.billingDocument && `${words.document}: ${company.billingDocument}`,
      company.address,
    ].filter(Boolean),
    rows: rows.filter(([, what]) => what),
    // With its code: a receipt is read far from the screen that says which pesos these are.
    total: [words.total, formatAmount(invoice.value, invoice.currency, language, true)],
  }
  const bytes = await drawInWorker(content, drawLimits, companyId)
  return {
    name: `${words.file(invoice.id)}.pdf`,
    type: 'application/pdf',
    content: Readable.from([Buffer.from(bytes)], { objectMode: false }),
  }
}
