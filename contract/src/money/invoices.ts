import { z } from 'zod'
import { get, idParams, isoDateTime, listQuery, pageReply } from '../endpoint.ts'

/** Inside the house money is whole cents; on the wire it is a number of the currency, as clients of this family read it. */
export const toCents = (value: number): number => Math.round(value * 100)
export const fromCents = (cents: number): number => cents / 100

export const paymentProviders = ['pix', 'efi', 'asaas'] as const
export type PaymentProviderName = (typeof paymentProviders)[number]
/** Whether somebody tells us of a payment. Where nobody does, the super user looks at the account. */
export const hasPaymentWebhook: Record<PaymentProviderName, boolean> = { pix: false, efi: true, asaas: true }

/** `replaced`: another one stands in its place, after a change of plan or due date. Expired is what a screen makes of the date. */
export const invoiceStatuses = ['open', 'paid', 'cancelled', 'replaced'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export const Invoice = z.object({
  id: z.number(),
  /** The plan's name when it was written, or what the super user wrote. */
  detail: z.string(),
  value: z.number(),
  /** The end of that day in the company's zone. */
  dueDate: isoDateTime,
  /** That day in the company's own calendar, wherever who reads it sits: yyyy-MM-dd. */
  dueDay: z.string(),
  status: z.enum(invoiceStatuses),
  /** `plan`: the next period. `change`: the rest of this one on another plan. `hand`: written by the super user. */
  kind: z.enum(['plan', 'change', 'hand']),
  paidAt: isoDateTime.nullable(),
  paidBy: z.enum([...paymentProviders, 'hand']).nullable(),
  note: z.string(),
  replacedById: z.number().nullable(),
  /** Its people say that they have paid it; the super user looks. */
  claimedAt: isoDateTime.nullable(),
})
export type Invoice = z.infer<typeof Invoice>

/** What an invoice is on a given day. */
export const invoiceStatusOn = (
  { status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>,
  now: Date,
): 'paid' | 'cancelled' | 'expired' | 'open' => {
  if (status === 'paid') return 'paid'
  if (status !== 'open') return 'cancelled'
  return new Date(dueDate) < now ? 'expired' : 'open'
}

/** An invoice on paper: who is paid, by whom, for what. */
export const Receipt = z.object({
  invoice: Invoice,
  issuedAt: isoDateTime,
  company: z.object({ name: z.string(), billingName: z.string(), billingDocument: z.string(), address: z.string() }),
  /** Who was paid. */
  platform: z.string(),
  /** What the provider calls the payment. */
  reference: z.string(),
})
export type Receipt = z.infer<typeof Receipt>

export const invoicesApi = {
  all: get('/invoices/all', {
    about: 'What the company has to pay and paid, as older clients read it: without those that were cancelled',
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
    about: 'What a receipt of a paid invoice says',
    access: 'financeiro-page:pay',
    whenExpired: true,
    across: true,
    params: idParams('invoice'),
    reply: Receipt,
  }),
  receiptFile: get('/invoices/:id/receipt.pdf', {
    about: 'The same on paper',
    access: 'financeiro-page:pay',
    whenExpired: true,
    across: true,
    params: idParams('invoice'),
    reply: z.string(),
    stream: ['application/pdf'],
  }),
}
