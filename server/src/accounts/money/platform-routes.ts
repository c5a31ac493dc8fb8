import { createHmac, timingSafeEqual } from 'node:crypto'
import { topics } from '@recado/contract/live'
import { isPayableAmount, pixCurrency } from '@recado/contract/money/currency'
import { fromCents, toCents } from '@recado/contract/money/invoices'
import { moneyApi, type Payment, type PlatformInvoice } from '@recado/contract/money/platform'
import { toCsv } from '@recado/contract/text/csv'
import { fold } from '@recado/contract/text/fold'
import { sql } from 'kysely'
import { minutes, toCalendarDay } from '../../kernel/clock.ts'
import { likePattern, recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { callerAddress, makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { route } from '../../kernel/http/routes.ts'
import { followPaymentHints } from './charges.ts'
import { type InvoiceRow, invoiceWrittenEvent, lockCompany, presentInvoice } from './invoices.ts'
import { loadMoneyHistory, writeMoneyEvents } from './money-history.ts'
import {
  loadMoneySettings,
  makeProvider,
  paymentWebhookUrl,
  presentMoneySettings,
  writeMoneySettings,
} from './money-settings.ts'
import { platformTimeZone, summarizeMoney } from './money-summary.ts'
import { payInvoice } from './pay-invoice.ts'
import { ProviderError } from './provider-call.ts'

type InvoiceQuery = { searchParam: string; status?: string | undefined; companyId: number | null }
type Row = InvoiceRow & { companyName: string; zone: string | null }

function invoicesQuery(scope: Scope, { searchParam, status, companyId }: InvoiceQuery) {
  const today = toCalendarDay(scope.now(), platformTimeZone)
  const number = /^#?(\d{1,9})$/.exec(searchParam)?.[1]
  const pattern = likePattern(fold(searchParam))
  return scope.db
    .selectFrom('invoices as i')
    .innerJoin('companies as c', 'c.id', 'i.companyId')
    .leftJoin('settings as z', (join) => join.onRef('z.companyId', '=', 'c.id').on('z.key', '=', 'timezone'))
    .$if(companyId !== null, (q) => q.where('i.companyId', '=', companyId as number))
    .$if(status === 'expired', (q) => q.where('i.status', '=', 'open').where('i.dueDate', '<', today))
    .$if(Boolean(status && status !== 'expired'), (q) => q.where('i.status', '=', status as InvoiceRow['status']))
    .$if(Boolean(number), (q) => q.where('i.id', '=', Number(number)))
    .$if(Boolean(searchParam && !number), (q) =>
      q.where(sql<boolean>`(fold(i.detail) like ${pattern} or fold(c.name) like ${pattern})`),
    )
}
const selectInvoices = (query: ReturnType<typeof invoicesQuery>) =>
  query
    .selectAll('i')
    .select(['c.name as companyName', 'z.value as zone'])
    .orderBy('i.dueDate', 'desc')
    .orderBy('i.id', 'desc')
const present = (row: Row): PlatformInvoice => ({
  ...presentInvoice(row, row.zone),
  company: { id: row.companyId, name: row.companyName },
  createdAt: row.createdAt,
})

async function findInvoice(scope: Scope, id: number): Promise<Row> {
  const row = await selectInvoices(
    invoicesQuery(scope, { searchParam: String(id), companyId: null }),
  ).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_INVOICE_FOUND')
  return row
}

/** Makes the browsers of the company's users reload its invoices. */
const publishToOwner = (scope: Scope, companyId: number) =>
  scope.forCompany(companyId).live(topics.ownCompany, { action: 'update', company: { id: companyId } })

const csvRow = (row: Row): string[] => [
  String(row.id),
  row.companyName,
  row.detail,
  fromCents(row.cents).toFixed(2).replace('.', ','),
  row.dueDate,
  row.status,
  row.paidAt?.slice(0, 10) ?? '',
  row.paidBy ?? '',
  row.note,
  row.currency,
]
const csvHead = ['id', 'empresa', 'detalle', 'valor', 'vence', 'estado', 'pagada', 'medio', 'nota', 'moneda']
/** More rows than anybody reads, and few enough for the server. */
const maxCsvRows = 50_000

function paymentsQuery(scope: Scope, isSettled: boolean) {
  return scope.db
    .selectFrom('payments as p')
    .leftJoin('invoices as i', 'i.id', 'p.invoiceId')
    .leftJoin('companies as c', 'c.id', 'i.companyId')
    .where('p.state', isSettled ? '!=' : '=', 'waiting')
}

/** The open invoice of that amount in reais: of the paying company, or of any company if exactly one matches. */
async function guessInvoice(scope: Scope, cents: number, companyId: number | null): Promise<Payment['guess']> {
  const found = await scope.db
    .selectFrom('invoices as i')
    .innerJoin('companies as c', 'c.id', 'i.companyId')
    .select(['i.id as invoiceId', 'c.name as company'])
    .where('i.status', '=', 'open')
    .where('i.cents', '=', cents)
    .where('i.currency', '=', pixCurrency)
    .$if(companyId !== null, (q) => q.where('i.companyId', '=', companyId as number))
    .orderBy('i.dueDate')
    .limit(2)
    .execute()
  return found.length === 1 || (found.length && companyId !== null) ? (found[0] ?? null) : null
}

async function paymentsPage(scope: Scope, pageNumber: number, isSettled: boolean) {
  const { count } = await paymentsQuery(scope, isSettled)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const offset = (pageNumber - 1) * recordsPerPage
  const rows = await paymentsQuery(scope, isSettled)
    .selectAll('p')
    .select(['c.id as companyId', 'c.name as companyName'])
    .orderBy('p.id', 'desc')
    .limit(recordsPerPage)
    .offset(offset)
    .execute()
  const payments: Payment[] = []
  for (const { companyId, companyName, ...row } of rows)
    payments.push({
      ...row,
      value: fromCents(row.cents),
      company: companyId && companyName ? { id: companyId, name: companyName } : null,
      guess: isSettled ? null : await guessInvoice(scope, row.cents, companyId),
    })
  return { payments, count, hasMore: offset + rows.length < count }
}

async function lockPayment(scope: Scope, id: number) {
  const payment = await scope.db.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!payment) throw new AppError('ERR_NO_PAYMENT_FOUND')
  if (payment.state !== 'waiting') throw new AppError('ERR_PAYMENT_SETTLED')
  return payment
}

/** The company of the charge that was paid, or of the invoice to which the payment was assigned. */
const findPayingCompany = (
  scope: Scope,
  { chargeId, invoiceId }: { chargeId: number | null; invoiceId: number | null },
) =>
  chargeId === null
    ? scope.db
        .selectFrom('invoices')
        .select(['companyId', 'id as invoiceId'])
        .where('id', '=', invoiceId ?? 0)
        .executeTakeFirst()
    : scope.db.selectFrom('charges').select(['companyId', 'invoiceId']).where('id', '=', chargeId).executeTakeFirst()

const isSameSecret = (a: string, b: string): boolean => {
  const [one, other] = [a, b].map((text) => createHmac('sha256', 'same length').update(text).digest()) as [
    Buffer,
    Buffer,
  ]
  return timingSafeEqual(one, other)
}

export function platformMoneyRoutes(clock: Scope['deps']['clock']) {
  /** Blocks callers that guess the webhook URL, for some minutes. */
  const failedWebhooks = makeAttemptLimiter(clock, { maxAttempts: 30, windowMs: minutes(10) })
  async function receiveWebhook(
    scope: Scope,
    { provider, key }: { provider: 'efi' | 'asaas'; key: string },
    body: unknown,
    request: { ip: string; headers: Record<string, unknown> },
  ) {
    const caller = callerAddress(request)
    failedWebhooks.check(caller)
    const settings = await loadMoneySettings(scope)
    const webhookProvider = makeProvider(settings, provider)
    const sentKey = webhookProvider?.tokenHeader ? String(request.headers[webhookProvider.tokenHeader] ?? '') : key
    const hookKey = settings.secrets.hookKey
    if (!hookKey || !isSameSecret(key, hookKey) || !isSameSecret(sentKey, hookKey)) {
      failedWebhooks.count(caller)
      throw new AppError('ERR_WEBHOOK_SIGNATURE')
    }
    if (webhookProvider) await followPaymentHints(scope, provider, readHints(webhookProvider, body))
    return { message: 'ok' }
  }
  return [
    route(moneyApi.summary, (scope) => summarizeMoney(scope)),
    route(moneyApi.invoices, async (scope, { query }) => {
      const { count } = await invoicesQuery(scope, query)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const offset = (query.pageNumber - 1) * recordsPerPage
      const rows = await selectInvoices(invoicesQuery(scope, query)).limit(recordsPerPage).offset(offset).execute()
      return { invoices: rows.map(present), count, hasMore: offset + rows.length < count }
    }),
    route(moneyApi.file, async (scope, { query }) => {
      const rows = await selectInvoices(invoicesQuery(scope, query)).limit(maxCsvRows).execute()
      return toCsv([csvHead, ...rows.map(csvRow)])
    }),
    route(moneyApi.create, async (scope, { body }) => {
      const company = await lockCompany(scope, body.companyId)
      if (company.platform) throw new AppError('ERR_COMPANY_IS_PLATFORM')
      const { companyId, detail, dueDate, months, currency = company.currency } = body
      if (!isPayableAmount(body.value, currency)) throw new AppError('ERR_VALIDATION', { value: 'Invalid' })
      const invoice = await scope.db
        .insertInto('invoices')
        .values({
          companyId,
          detail,
          cents: toCents(body.value),
          currency,
          dueDate,
          months,
          planId: null,
          createdAt: scope.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await writeMoneyEvents(scope, companyId, [invoiceWrittenEvent(invoice, scope.actor.name)])
      publishToOwner(scope, companyId)
      return present(await findInvoice(scope, invoice.id))
    }),
    route(moneyApi.paid, async (scope, { params, body }) => {
      const row = await findInvoice(scope, params.id)
      const paid = await payInvoice(scope, row, { paidBy: 'hand', paidAt: scope.now(), note: body.note })
      if (!paid) throw new AppError('ERR_INVOICE_SETTLED')
      return present(await findInvoice(scope, params.id))
    }),
    route(moneyApi.cancel, async (scope, { params, body }) => {
      const row = await findInvoice(scope, params.id)
      await lockCompany(scope, row.companyId)
      const done = await scope.db
        .updateTable('invoices')
        .set({ status: 'cancelled', note: body.note })
        .where('id', '=', params.id)
        .where('status', '=', 'open')
        .returning('id')
        .executeTakeFirst()
      if (!done) throw new AppError('ERR_INVOICE_SETTLED')
      await writeMoneyEvents(scope, row.companyId, [
        {
          kind: 'cancelled',
          invoiceId: row.id,
          cents: row.cents,
          currency: row.currency,
          note: body.note,
          by: scope.actor.name,
        },
      ])
      publishToOwner(scope, row.companyId)
      return present(await findInvoice(scope, params.id))
    }),
    route(moneyApi.history, (scope, { params, query }) => loadMoneyHistory(scope, params.id, query.pageNumber)),
    route(moneyApi.payments, (scope, { query }) => paymentsPage(scope, query.pageNumber, query.settled)),
    route(moneyApi.assign, async (scope, { params, body }) => {
      const payment = await lockPayment(scope, params.id)
      const invoice = await findInvoice(scope, body.invoiceId)
      if (invoice.currency !== pixCurrency) throw new AppError('ERR_PAYMENT_CURRENCY')
      if (payment.cents < invoice.cents) throw new AppError('ERR_PAYMENT_SHORT')
      const paid = await payInvoice(scope, invoice, { paidBy: payment.provider, paidAt: new Date(payment.paidAt) })
      if (!paid) throw new AppError('ERR_INVOICE_SETTLED')
      const { cents, provider: way, reference: note } = payment
      await writeMoneyEvents(scope, invoice.companyId, [
        { kind: 'settled', invoiceId: invoice.id, cents, currency: pixCurrency, way, note, by: scope.actor.name },
      ])
      await scope.db
        .updateTable('payments')
        .set({ state: 'used', why: 'fits', invoiceId: invoice.id })
        .where('id', '=', payment.id)
        .execute()
      return { message: 'assigned' }
    }),
    route(moneyApi.settle, async (scope, { params, body }) => {
      const payment = await lockPayment(scope, params.id)
      await scope.db
        .updateTable('payments')
        .set({ state: 'settled', note: body.note })
        .where('id', '=', payment.id)
        .execute()
      const { cents, provider: way, reference } = payment
      const payingCompany = await findPayingCompany(scope, payment)
      if (payingCompany)
        await writeMoneyEvents(scope, payingCompany.companyId, [
          {
            ...{ kind: 'settled', invoiceId: payingCompany.invoiceId, cents, currency: pixCurrency, way },
            by: scope.actor.name,
            note: [reference, body.note].filter(Boolean).join(' · '),
          },
        ])
      return { message: 'settled' }
    }),
    route(moneyApi.settings, (scope) => presentMoneySettings(scope)),
    route(moneyApi.update, async (scope, { body }) => {
      await writeMoneySettings(scope, body)
      return presentMoneySettings(scope)
    }),
    route(
      moneyApi.test,
      async (scope) => {
        const settings = await loadMoneySettings(scope)
        const provider = makeProvider(settings)
        if (!provider) return { ok: false, problem: 'ERR_PAYMENT_NOT_SET' }
        try {
          await provider.testCredentials(scope, paymentWebhookUrl(scope, settings), settings.secrets.hookKey)
          return { ok: true, problem: '' }
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          return { ok: false, problem: error.reason }
        }
      },
      { transaction: false },
    ),
    route(moneyApi.hook, (scope, { params, body }, { request }) => receiveWebhook(scope, params, body, request)),
    route(moneyApi.pixHook, (scope, { params, body }, { request }) => receiveWebhook(scope, params, body, request)),
  ]
}

function readHints(provider: { parseWebhook(body: unknown): { txid: string; reference: string }[] }, body: unknown) {
  try {
    return provider.parseWebhook(body)
  } catch {
    // The body is not in the provider's format, so there is no charge to check.
    return []
  }
}
