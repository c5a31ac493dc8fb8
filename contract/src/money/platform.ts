import { z } from 'zod'
import { recurrenceNames } from '../companies.ts'
import {
  anyJson,
  bodyLimitBytes,
  flag,
  get,
  idParams,
  isoDateTime,
  listQuery,
  messageReply,
  nullableRef,
  optionalText,
  pageReply,
  post,
  put,
  ref,
  requiredText,
} from '../endpoint.ts'
import { moneyAmount, optionalCurrency } from '../plans.ts'
import { currencies } from './currency.ts'
import { Invoice, invoiceStatuses, paymentProviders } from './invoices.ts'
import { maxPixCityLength, maxPixNameLength, normalizePixKey, toBankText } from './pix.ts'

/** The super user's billing data: all invoices, income, and the payment settings of the platform. */
export const PlatformInvoice = Invoice.extend({
  company: z.object({ id: z.number(), name: z.string() }),
  createdAt: isoDateTime,
})
export type PlatformInvoice = z.infer<typeof PlatformInvoice>

export const InvoiceWrite = z.object({
  companyId: ref('company'),
  detail: requiredText(2, 120),
  value: moneyAmount.refine((value) => value >= 0.01),
  /** Absent: the company's currency. */
  currency: optionalCurrency,
  dueDate: z.iso.date(),
  /** How many months the due date moves when the invoice is paid. */
  months: z.coerce.number().int().min(0).max(24).default(0),
})

const NoteWrite = z.object({ note: optionalText(300) })

export const invoiceFilterStatuses = [...invoiceStatuses, 'expired'] as const
const invoiceFilters = z.object({
  status: z.preprocess((v) => v || undefined, z.enum(invoiceFilterStatuses).optional()),
  companyId: nullableRef('company'),
})

export const OverdueInvoice = z.object({
  invoiceId: z.number(),
  company: z.object({ id: z.number(), name: z.string() }),
  value: z.number(),
  currency: z.enum(currencies),
  /** Days since the due date. */
  days: z.number(),
  locked: z.boolean(),
  claimed: z.boolean(),
})
const MonthlyPayments = z.array(
  z.object({ month: z.string(), plans: z.array(z.object({ name: z.string(), value: z.number() })) }),
)
/** The sums of one currency: amounts in different currencies are never added. */
export const CurrencySums = z.object({
  currency: z.enum(currencies),
  monthly: z.number(),
  collected: z.number(),
  billed: z.number(),
  soon: z.number(),
  overdue: z.number(),
  months: MonthlyPayments,
})
export type CurrencySums = z.infer<typeof CurrencySums>
/** Amounts outside `currencies` are those in reais. */
export const MoneySummary = z.object({
  /** Monthly revenue from paying companies. */
  monthly: z.number(),
  /** Amount paid since the start of the month, and amount due in that month. */
  collected: z.number(),
  billed: z.number(),
  soon: z.object({ value: z.number(), invoices: z.number() }),
  overdue: z.object({ value: z.number(), companies: z.number(), locked: z.number() }),
  trials: z.object({ companies: z.number(), endingThisWeek: z.number() }),
  /** Payments by plan in each of twelve months, the current month last. */
  months: MonthlyPayments,
  /** Every currency that is in use. */
  currencies: z.array(CurrencySums).min(1),
  late: z.array(OverdueInvoice),
  waiting: z.number(),
})
export type MoneySummary = z.infer<typeof MoneySummary>

export const unmatchedPaymentReasons = ['unknown', 'short', 'settled', 'fits'] as const
export const Payment = z.object({
  id: z.number(),
  provider: z.enum(paymentProviders),
  reference: z.string(),
  txid: z.string(),
  value: z.number(),
  payer: z.string(),
  paidAt: isoDateTime,
  state: z.enum(['waiting', 'used', 'settled']),
  /** `short`: less than the invoice. `settled`: the invoice was already paid or cancelled. `unknown`: not one of our charges. */
  why: z.enum(unmatchedPaymentReasons),
  note: z.string(),
  invoiceId: z.number().nullable(),
  company: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** An open invoice that the payment may be meant for. */
  guess: z.object({ invoiceId: z.number(), company: z.string() }).nullable(),
})
export type Payment = z.infer<typeof Payment>

export const moneyEventKinds = [
  'written',
  'replaced',
  'cancelled',
  'paid',
  'charged',
  'claimed',
  'received',
  'settled',
  'reminded',
  'due',
  'plan',
  'recurrence',
  'currency',
] as const
/** A billing event of a company. */
export const MoneyEvent = z.object({
  id: z.number(),
  at: isoDateTime,
  kind: z.enum(moneyEventKinds),
  invoiceId: z.number().nullable(),
  value: z.number().nullable(),
  currency: z.enum(currencies),
  /** The payment method. */
  way: z.enum([...paymentProviders, 'hand']).nullable(),
  /** The value before and after: days (yyyy-MM-dd), plan names, recurrences, currencies. For an invoice `after` is its due day. */
  before: z.string(),
  after: z.string(),
  /** A typed note, the subject of the invoice, or the provider's reference for the payment. */
  note: z.string(),
  /** Author of the change; empty: automatic. */
  by: z.string(),
})
export type MoneyEvent = z.infer<typeof MoneyEvent>

export const MoneyHistory = z.object({
  company: z.object({
    id: z.number(),
    name: z.string(),
    plan: z.string(),
    recurrence: z.enum(recurrenceNames).nullable(),
    dueDate: isoDateTime.nullable(),
    dueDay: z.string().nullable(),
    createdAt: isoDateTime,
  }),
  /** Total paid so far, and the amount owed, in reais. */
  paid: z.number(),
  open: z.number(),
  /** The same for each currency of the company and its invoices. */
  totals: z.array(z.object({ currency: z.enum(currencies), paid: z.number(), open: z.number() })).min(1),
  events: z.array(MoneyEvent),
  hasMore: z.boolean(),
})
export type MoneyHistory = z.infer<typeof MoneyHistory>

/** Values shown in the settings form. Secrets are write-only: only their presence is reported. */
export const MoneySettings = z.object({
  provider: z.enum(paymentProviders),
  graceDays: z.number(),
  pixKey: z.string(),
  pixName: z.string(),
  pixCity: z.string(),
  /** How companies pay where Pix does not apply. */
  paymentInstructions: z.string(),
  efiKey: z.string(),
  efiSandbox: z.boolean(),
  asaasSandbox: z.boolean(),
  hasEfi: z.boolean(),
  hasAsaas: z.boolean(),
  /** URL at which the provider notifies us of payments; null when there is none yet. */
  hook: z.string().nullable(),
})
export type MoneySettings = z.infer<typeof MoneySettings>

/** Absent or "" keeps the stored value. */
const secret = (max: number) => z.preprocess((v) => v || undefined, z.string().trim().max(max).optional())
/** Stored as banks know it: a telephone gets its +55. */
const pixKey = optionalText(77).refine((key) => !key || normalizePixKey(key) !== null)
/** Refuses a name of which a BR code would keep no character: every bank rejects a code with an empty field. */
const bankText = (max: number, kept: number) =>
  optionalText(max).refine((text) => !text || toBankText(text, kept) !== '')
export const MoneySettingsWrite = z.object({
  provider: z.enum(paymentProviders),
  graceDays: z.coerce.number().int().min(0).max(60).default(0),
  pixKey,
  pixName: bankText(80, maxPixNameLength),
  pixCity: bankText(60, maxPixCityLength),
  /** Absent: unchanged. */
  paymentInstructions: z.string().trim().max(2000).optional(),
  efiKey: pixKey,
  efiSandbox: flag.default(false),
  efiClient: secret(200),
  efiSecret: secret(200),
  /** The client certificate, a P12 file in base64. */
  efiCertificate: secret(40_000),
  asaasSandbox: flag.default(false),
  asaasToken: secret(400),
})

export const moneyApi = {
  summary: get('/money', { about: 'Revenue of the platform', access: 'super', reply: MoneySummary }),
  invoices: get('/money/invoices', {
    about: 'A page of all companies’ invoices',
    access: 'super',
    query: listQuery.extend(invoiceFilters.shape),
    reply: pageReply('invoices', PlatformInvoice),
  }),
  file: get('/money/invoices/file', {
    about: 'The same as a file',
    access: 'super',
    query: listQuery.pick({ searchParam: true }).extend(invoiceFilters.shape),
    reply: z.string(),
    file: 'facturas.csv',
  }),
  create: post('/money/invoices', {
    about: 'Create an invoice manually',
    access: 'super',
    body: InvoiceWrite,
    example: { companyId: 1, detail: 'Línea adicional', value: '49,00', dueDate: '2027-01-31', months: 0 },
    reply: PlatformInvoice,
  }),
  paid: post('/money/invoices/:id/paid', {
    about: 'Mark an invoice as paid by other means; the note says how',
    access: 'super',
    params: idParams('invoice'),
    body: NoteWrite,
    example: { note: 'Transferencia' },
    reply: PlatformInvoice,
  }),
  cancel: post('/money/invoices/:id/cancel', {
    about: 'Cancel an invoice',
    access: 'super',
    params: idParams('invoice'),
    body: NoteWrite,
    example: { note: 'Cortesía' },
    reply: PlatformInvoice,
  }),
  history: get('/money/companies/:id/history', {
    about: 'The billing history of a company, newest first, with the author of each entry',
    access: 'super',
    params: idParams('company'),
    query: z.object({ pageNumber: z.coerce.number().int().min(1).max(10_000).default(1) }),
    reply: MoneyHistory,
  }),
  payments: get('/money/payments', {
    about: 'Payments that match no invoice; with `settled` also those already handled',
    access: 'super',
    query: listQuery.extend({ settled: flag.default(false) }),
    reply: pageReply('payments', Payment),
  }),
  assign: post('/money/payments/:id/assign', {
    about: 'Assign a payment to an invoice',
    access: 'super',
    params: idParams('payment'),
    body: z.object({ invoiceId: ref('invoice') }),
    example: { invoiceId: 1 },
    reply: messageReply,
  }),
  settle: post('/money/payments/:id/settle', {
    about: 'Mark a payment as handled otherwise: refunded or kept',
    access: 'super',
    params: idParams('payment'),
    body: NoteWrite,
    example: { note: 'Devuelto' },
    reply: messageReply,
  }),
  settings: get('/money/settings', {
    about: 'The payment settings of the platform',
    access: 'super',
    reply: MoneySettings,
  }),
  update: put('/money/settings', {
    bytes: bodyLimitBytes.longForm,
    about: 'Change the payment settings of the platform',
    access: 'super',
    body: MoneySettingsWrite,
    example: { provider: 'pix', graceDays: 3, pixKey: 'pagos@recado.example', pixName: 'Recado', pixCity: 'SAO PAULO' },
    reply: MoneySettings,
  }),
  test: post('/money/settings/test', {
    about: 'Test the access to the chosen provider; also registers its webhook',
    access: 'super',
    reply: z.object({ ok: z.boolean(), problem: z.string() }),
  }),
  hook: post('/subscription/webhook/:provider/:key', {
    bytes: bodyLimitBytes.form,
    about: 'Webhook of a payment provider: only a hint to check the payment',
    access: 'public',
    params: z.object({ provider: z.enum(['efi', 'asaas']), key: z.string().max(100) }),
    body: anyJson,
    example: { pix: [{ txid: '7d9f0c3e5b8a4c6d9e1f2a3b4c5d6e7f', endToEndId: 'E00000000202611161200000000000001' }] },
    reply: messageReply,
  }),
  /** Efí appends this path segment to the webhook URL that we register. */
  pixHook: post('/subscription/webhook/:provider/:key/pix', {
    bytes: bodyLimitBytes.form,
    about: 'The same, at the path that Efí calls',
    access: 'public',
    params: z.object({ provider: z.enum(['efi', 'asaas']), key: z.string().max(100) }),
    body: anyJson,
    example: { pix: [{ txid: '7d9f0c3e5b8a4c6d9e1f2a3b4c5d6e7f', endToEndId: 'E00000000202611161200000000000001' }] },
    reply: messageReply,
  }),
}
