import { z } from 'zod'
import { get, idParams, isoDateTime, listQuery, pageReply } from '../endpoint.ts'
import { currencies } from './currency.ts'

/** The server stores money as whole cents; the API uses a decimal number, as existing clients expect. */
export const toCents = (value: number): number => Math.round(value * 100)
export const fromCents = (cents: number): number => cents / 100

export const paymentProviders = ['pix', 'efi', 'asaas'] as const
export type PaymentProviderName = (typeof paymentProviders)[number]
/** Whether the provider notifies us of payments. Otherwise the super user checks the account. */
export const hasPaymentWebhook: Record<PaymentProviderName, boolean> = { pix: false, efi: true, asaas: true }

/** `replaced`: a new invoice replaced it after a change of plan or due date. Screens derive "expired" from the date. */
export const invoiceStatuses = ['open', 'paid', 'cancelled', 'replaced'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export const Invoice = z.object({
  id: z.number(),
  /** The plan's name at the time of issue, or the super user's own text. */
  detail: z.string(),
  value: z.number(),
  /** The currency at the time of issue. */
  currency: z.enum(currencies),
  /** The end of the due day in the company's time zone. */
  dueDate: isoDateTime,
  /** The due day in the company's calendar, regardless of the reader's time zone: yyyy-MM-dd. */
  dueDay: z.string(),
  status: z.enum(invoiceStatuses),
  /** `plan`: the next period. `change`: the rest of the current period on another plan. `hand`: created by the super user. */
  kind: z.enum(['plan', 'change', 'hand']),
  paidAt: isoDateTime.nullable(),
  paidBy: z.enum([...paymentProviders, 'hand']).nullable(),
  note: z.string(),
  replacedById: z.number().nullable(),
  /** The company reported the invoice as paid; the super user verifies it. */
  claimedAt: isoDateTime.nullable(),
})
export type Invoice = z.infer<typeof Invoice>

/** The state of an invoice on a given day. */
export const invoiceStatusOn = (
  { status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>,
  now: Date,
): 'paid' | 'cancelled' | 'expired' | 'open' => {
  if (status === 'paid') return 'paid'
  if (status !== 'open') return 'cancelled'
  return new Date(dueDate) < now ? 'expired' : 'open'
}

/** A printable invoice: payee, payer and item. */
export const Receipt = z.object({
  invoice: Invoice,
  issuedAt: isoDateTime,
  company: z.object({ name: z.string(), billingName: z.string(), billingDocument: z.string(), address: z.string() }),
  /** The payee. */
  platform: z.string(),
  /** The provider's reference for the payment. */
  reference: z.string(),
})
export type Receipt = z.infer<typeof Receipt>

export const invoicesApi = {
  all: get('/invoices/all', {
    about: 'Open and paid invoices of the company, for older clients: without cancelled ones',
    access: 'financeiro-page:pay',
    whenExpired: true,
    query: listQuery.partial(),
    reply: z.array(Invoice),
  }),
  list: get('/invoices', {
    about: 'A page of the company’s invoices, newest due date first',
    access: 'financeiro-page:pay',
    whenExpired: true,
    query: listQuery,
    reply: pageReply('invoices', Invoice),
  }),
  receipt: get('/invoices/:id/receipt', {
    about: 'The data of the receipt of a paid invoice',
    access: 'financeiro-page:pay',
    whenExpired: true,
    across: true,
    params: idParams('invoice'),
    reply: Receipt,
  }),
  receiptFile: get('/invoices/:id/receipt.pdf', {
    about: 'The same as a printable document',
    access: 'financeiro-page:pay',
    whenExpired: true,
    across: true,
    params: idParams('invoice'),
    reply: z.string(),
    stream: ['application/pdf'],
  }),
}
