import { z } from 'zod'
import { billingShape, billingWriteShape } from '../billing.ts'
import { get, idParams, isoDateTime, nullableRef, optionalText, post, put } from '../endpoint.ts'
import { Plan } from '../plans.ts'
import { Invoice, paymentProviders } from './invoices.ts'

/** How a company stands with the platform. Everybody of it may read this, so that an agent can say what is missing. */
export const Subscription = z.object({
  plan: Plan.nullable(),
  /** Months that one payment lasts. */
  months: z.number(),
  dueDate: isoDateTime.nullable(),
  /** Where paying now would move it. */
  nextDueDate: isoDateTime.nullable(),
  trialExpiration: isoDateTime.nullable(),
  /** It has not paid yet: the due date is the trial's. */
  isTrial: z.boolean(),
  expired: z.boolean(),
  /** Whom of the company to ask for the payment: names, a few. */
  admins: z.array(z.string()),
  /** Days after the due date in which everything still works. */
  graceDays: z.number(),
  open: z.array(Invoice),
  /** How it can be paid; null: whoever runs the platform has not said yet. */
  provider: z.enum(paymentProviders).nullable(),
  billing: z.object(billingShape),
})
export type Subscription = z.infer<typeof Subscription>

/** Something that can be paid, by the names that clients of this family read. */
export const Charge = z.object({
  id: z.number(),
  invoiceId: z.number(),
  provider: z.enum(paymentProviders),
  txid: z.string(),
  status: z.enum(['open', 'paid', 'over']),
  /** Null: it can be paid at any time. */
  expiresAt: isoDateTime.nullable(),
  /** The text of the QR, which is also what is copied and pasted. */
  qrcode: z.object({ qrcode: z.string() }),
  valor: z.object({ original: z.number() }),
})
export type Charge = z.infer<typeof Charge>

/**
 * What a checkout sends. The price, the plan and the number of users and lines that come along are the client's opinion
 * and are dropped here, and so is the card: what is not named does not get in.
 */
export const Checkout = z.object({
  firstName: optionalText(60),
  lastName: optionalText(60),
  address2: optionalText(200),
  city: optionalText(100),
  state: optionalText(100),
  zipcode: optionalText(20),
  country: optionalText(60),
  /** Without one: what the company has to pay next. */
  invoiceId: nullableRef('invoice'),
})

/** The fields of the bill, by their own names. */
export const BillingWrite = z.object(billingWriteShape)

/** What another plan would mean, before anybody says yes to it. */
export const PlanChange = z.object({
  plan: Plan,
  /** What has to go first, and how many of it there are. */
  tooMany: z.array(z.object({ kind: z.enum(['users', 'connections', 'queues']), have: z.number(), most: z.number() })),
  /** Days of the current period that are left. */
  days: z.number(),
  /** To pay now for those days; 0: nothing. */
  value: z.number(),
  /** Days that the due date moves, because what was paid buys more of a cheaper plan. */
  extraDays: z.number(),
  /** What each period costs from then on. */
  nextValue: z.number(),
  dueDate: isoDateTime.nullable(),
})
export type PlanChange = z.infer<typeof PlanChange>

export const subscriptionApi = {
  show: get('/subscription', {
    about: 'Plan, due date and what is open',
    access: 'session',
    whenExpired: true,
    reply: Subscription,
  }),
  pay: post('/subscription', {
    about: 'A Pix code for an invoice. The amount is the invoice’s, whatever the client sends',
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
    about: 'I have paid: ask the provider now, or tell whoever runs the platform to look',
    access: 'financeiro-page:pay',
    whenExpired: true,
    params: idParams('charge'),
    reply: Charge,
  }),
  billing: put('/subscription/billing', {
    about: 'What the bills are made out to',
    access: 'financeiro-page:pay',
    whenExpired: true,
    body: BillingWrite,
    example: { billingName: 'Valle Bruma Viajes S.R.L.', addressCity: 'San Bruno' },
    reply: Subscription,
  }),
  planChange: get('/subscription/plans/:id', {
    about: 'What a change to this plan would mean',
    access: 'financeiro-page:pay',
    whenExpired: true,
    params: idParams('plan'),
    reply: PlanChange,
  }),
  changePlan: post('/subscription/plans/:id', {
    about: 'Change to this plan: at once where nothing is to be paid, else when the invoice that is answered is paid',
    access: 'financeiro-page:pay',
    whenExpired: true,
    params: idParams('plan'),
    reply: z.object({ invoice: Invoice.nullable() }),
  }),
}
