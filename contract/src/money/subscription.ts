import { z } from 'zod'
import { billingShape, billingWriteShape } from '../billing.ts'
import { get, idParams, isoDateTime, nullableRef, optionalText, post, put } from '../endpoint.ts'
import { Plan } from '../plans.ts'
import { currencies } from './currency.ts'
import { Invoice, paymentProviders } from './invoices.ts'

/** The company's subscription. All its users may read it, so that an agent can tell an admin what is missing. */
export const Subscription = z.object({
  plan: Plan.nullable(),
  /** What the company pays for a month of its plan; null without a plan. */
  price: z.object({ value: z.number(), currency: z.enum(currencies) }).nullable(),
  /** The company's currency. */
  currency: z.enum(currencies),
  /** Months covered by one payment. */
  months: z.number(),
  dueDate: isoDateTime.nullable(),
  /** The due date after paying now. */
  nextDueDate: isoDateTime.nullable(),
  trialExpiration: isoDateTime.nullable(),
  /** No payment yet: the due date is the end of the trial. */
  isTrial: z.boolean(),
  expired: z.boolean(),
  /** Names of a few admins of the company who can pay. */
  admins: z.array(z.string()),
  /** Days after the due date in which everything still works. */
  graceDays: z.number(),
  open: z.array(Invoice),
  /** Payment provider; null when the platform has not configured one. It applies to invoices in reais only. */
  provider: z.enum(paymentProviders).nullable(),
  /** The operator's text on how to pay where Pix does not apply, such as a bank account; empty: none. */
  paymentInstructions: z.string(),
  billing: z.object(billingShape),
})
export type Subscription = z.infer<typeof Subscription>

/** A payable charge, with the field names that existing clients read. */
export const Charge = z.object({
  id: z.number(),
  invoiceId: z.number(),
  provider: z.enum(paymentProviders),
  txid: z.string(),
  status: z.enum(['open', 'paid', 'over']),
  /** Null: the charge does not expire. */
  expiresAt: isoDateTime.nullable(),
  /** The text of the QR code, which can also be copied and pasted. */
  qrcode: z.object({ qrcode: z.string() }),
  valor: z.object({ original: z.number() }),
})
export type Charge = z.infer<typeof Charge>

/**
 * A checkout request. The price, plan, user count and line count that clients send are not trusted and are
 * dropped here, and so is the card: fields that are not listed are removed.
 */
export const Checkout = z.object({
  firstName: optionalText(60),
  lastName: optionalText(60),
  address2: optionalText(200),
  city: optionalText(100),
  state: optionalText(100),
  zipcode: optionalText(20),
  country: optionalText(60),
  /** Absent: the company's next payment. */
  invoiceId: nullableRef('invoice'),
})

/** Billing fields under their own names. */
export const BillingWrite = z.object(billingWriteShape)

/** Preview of a plan change, before it is confirmed. */
export const PlanChange = z.object({
  plan: Plan,
  /** The currency of all amounts below. */
  currency: z.enum(currencies),
  /** Records that exceed the new plan's limits, with their counts. */
  tooMany: z.array(z.object({ kind: z.enum(['users', 'connections', 'queues']), have: z.number(), most: z.number() })),
  /** Days left in the current period. */
  days: z.number(),
  /** Amount due now for those days; 0: nothing. */
  value: z.number(),
  /** Days added to the due date when the paid amount covers more days of a cheaper plan. */
  extraDays: z.number(),
  /** Price of each later period. */
  nextValue: z.number(),
  dueDate: isoDateTime.nullable(),
})
export type PlanChange = z.infer<typeof PlanChange>

export const subscriptionApi = {
  show: get('/subscription', {
    about: 'Plan, due date and open invoices',
    access: 'session',
    whenExpired: true,
    reply: Subscription,
  }),
  pay: post('/subscription', {
    about:
      'Create a Pix code for an invoice in reais. The amount is always that of the invoice, whatever the client sends',
    access: 'financeiro-page:pay',
    whenExpired: true,
    body: Checkout,
    example: {
      firstName: 'Lucía',
      lastName: 'Montes',
      address2: 'Camino del Mirador 480',
      city: 'San Bruno',
      state: 'SP',
      zipcode: '01310-100',
      country: 'BR',
      invoiceId: 1,
    },
    reply: Charge,
  }),
  charge: get('/subscription/charges/:id', {
    about: 'Whether a code has been paid',
    access: 'financeiro-page:pay',
    whenExpired: true,
    params: idParams('charge'),
    reply: Charge,
  }),
  check: post('/subscription/charges/:id/check', {
    about: 'Report a payment: asks the provider now, or notifies the platform operator to check',
    access: 'financeiro-page:pay',
    whenExpired: true,
    params: idParams('charge'),
    reply: Charge,
  }),
  claim: post('/subscription/claim', {
    about: 'Report that an invoice was paid without Pix, such as by bank transfer: the platform operator checks it',
    access: 'financeiro-page:pay',
    whenExpired: true,
    /** Absent: the company's next payment. */
    body: z.object({ invoiceId: nullableRef('invoice') }),
    example: { invoiceId: 1 },
    reply: Invoice,
  }),
  billing: put('/subscription/billing', {
    about: 'The billing details of the company',
    access: 'financeiro-page:pay',
    whenExpired: true,
    body: BillingWrite,
    example: { billingName: 'Valle Bruma Viajes S.R.L.', addressCity: 'San Bruno' },
    reply: Subscription,
  }),
  planChange: get('/subscription/plans/:id', {
    about: 'Preview a change to this plan',
    access: 'financeiro-page:pay',
    whenExpired: true,
    params: idParams('plan'),
    reply: PlanChange,
  }),
  changePlan: post('/subscription/plans/:id', {
    about: 'Change to this plan: at once if nothing is due, otherwise when the returned invoice is paid',
    access: 'financeiro-page:pay',
    whenExpired: true,
    params: idParams('plan'),
    reply: z.object({ invoice: Invoice.nullable() }),
  }),
}
