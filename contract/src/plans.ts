import { z } from 'zod'
import { count, crud, flag, get, listQuery, pageReply, planFlags, requiredName } from './endpoint.ts'

const planFlagShape = <T extends z.ZodType>(of: T) =>
  Object.fromEntries(planFlags.map((f) => [f, of])) as Record<(typeof planFlags)[number], T>

export const Plan = z.object({
  id: z.number(),
  name: z.string(),
  users: z.number(),
  connections: z.number(),
  queues: z.number(),
  value: z.number(),
  /** Storage limit for files per company, in megabytes; null: no limit. */
  storageMb: z.number().nullable(),
  ...planFlagShape(z.boolean()),
})
export type Plan = z.infer<typeof Plan>

/** A dot before every three digits is a thousands separator: no price has three decimals. */
const isGrouped = /^[1-9]\d{0,2}(\.\d{3})+$/
/** Money in the formats that forms send back: 99.9, "99,9", "1.234,5", "1.234". */
export const moneyAmount = z.preprocess((v) => {
  if (typeof v !== 'string') return v
  const plain = v.trim().replace(/^R\$\s*/, '')
  const thousands = plain.includes(',') || isGrouped.test(plain)
  return Number(thousands ? plain.replaceAll('.', '').replace(',', '.') : plain || Number.NaN)
}, z.number().min(0).max(99_999_999))

export const PlanWrite = z.object({
  name: requiredName(2, 50),
  users: count.default(0),
  connections: count.default(0),
  queues: count.default(0),
  value: moneyAmount.default(0),
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
