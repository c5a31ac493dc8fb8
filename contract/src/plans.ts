import { z } from 'zod'
import { count, crud, flag, get, listQuery, pageReply, planFlags, requiredName } from './endpoint.ts'
import { type Currency, currencies } from './money/currency.ts'

const planFlagShape = <T extends z.ZodType>(of: T) =>
  Object.fromEntries(planFlags.map((f) => [f, of])) as Record<(typeof planFlags)[number], T>

export const Plan = z.object({
  id: z.number(),
  name: z.string(),
  users: z.number(),
  connections: z.number(),
  queues: z.number(),
  /** The price of a month in `currency`. */
  value: z.number(),
  currency: z.enum(currencies),
  /** The price of a month in other currencies. */
  prices: z.array(z.object({ currency: z.enum(currencies), value: z.number() })),
  /** Storage limit for files per company, in megabytes; null: no limit. */
  storageMb: z.number().nullable(),
  ...planFlagShape(z.boolean()),
})
export type Plan = z.infer<typeof Plan>

type PlanPrices = Pick<Plan, 'value' | 'currency' | 'prices'>
/** What a month of the plan costs in a currency; null: the plan is not sold in it. A free plan is free in all of them. */
export function findPlanPrice({ value, currency, prices }: PlanPrices, wanted: Currency): number | null {
  if (currency === wanted || (value === 0 && prices.length === 0)) return value
  return prices.find((one) => one.currency === wanted)?.value ?? null
}

export type Price = { value: number; currency: Currency }
/** The price in the company's currency or, where the plan is not sold in it, in the plan's own. */
export const priceForCompany = (plan: PlanPrices, wanted: Currency): Price => {
  const value = findPlanPrice(plan, wanted)
  return value === null ? { value: plan.value, currency: plan.currency } : { value, currency: wanted }
}

/** A dot before every three digits is a thousands separator: no price has three decimals. */
const isGrouped = /^[1-9]\d{0,2}(\.\d{3})+$/
/** Money in the formats that forms send back: 99.9, "99,9", "1.234,5", "1.234". */
export const moneyAmount = z.preprocess((v) => {
  if (typeof v !== 'string') return v
  const plain = v.trim().replace(/^R\$\s*/, '')
  const thousands = plain.includes(',') || isGrouped.test(plain)
  return Number(thousands ? plain.replaceAll('.', '').replace(',', '.') : plain || Number.NaN)
}, z.number().min(0).max(99_999_999))

/** The currency of a form; older clients do not send it, and "" is the same as absent. */
export const optionalCurrency = z.preprocess((v) => v || undefined, z.enum(currencies).optional())

export const PlanWrite = z.object({
  name: requiredName(2, 50),
  users: count.default(0),
  connections: count.default(0),
  queues: count.default(0),
  value: moneyAmount.default(0),
  /** Older clients do not send these two fields: absent means unchanged. */
  currency: optionalCurrency,
  prices: z
    .array(z.object({ currency: z.enum(currencies), value: moneyAmount.refine((value) => value >= 0.01) }))
    .max(currencies.length - 1)
    .optional(),
  /** Older clients do not send this field: absent means unchanged. */
  storageMb: z
    .preprocess((v) => (v === '' ? null : v), z.coerce.number().int().min(0).max(1_000_000_000).nullable())
    .optional(),
  ...planFlagShape(flag.default(true)),
})

export const plansApi = {
  ...crud({
    path: '/plans',
    entity: 'plan',
    plural: 'plans',
    row: Plan,
    search: ['name'],
    topic: { name: () => 'platform-plan' },
    write: PlanWrite,
    example: { name: 'Team', users: 10, connections: 2, queues: 5, value: '99,90' },
    read: 'session',
    edit: 'super',
  }),
  list: get('/plans', { about: 'A page of plans', access: 'super', query: listQuery, reply: pageReply('plans', Plan) }),
  all: get('/plans/all', { about: 'Every plan, for the signup form', access: 'public', reply: z.array(Plan) }),
  offered: get('/plans/list', { about: 'Every plan', access: 'public', reply: z.array(Plan) }),
}
