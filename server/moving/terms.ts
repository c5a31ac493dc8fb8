import { z } from 'zod'
import { NotMoved } from './company/not-moved.ts'
import { printable } from './plain-text.ts'

/**
 * On which plan a company comes and until when it has paid. The operator says so; an archive or a dump would give itself
 * everything for ever.
 */
export type Terms = {
  /** The plan's name or number; null: the cheapest. */
  plan: string | null
  /** The day until which it has paid; null: `usualDays` from today. */
  dueDate: string | null
  usualDays: number
  /** `--keep-plans`: as it was over there. A plan that nobody has here is made. */
  keepsPlans: boolean
}
/** As long as who signs up may try. */
export const usualTerms: Terms = { plan: null, dueDate: null, usualDays: 30, keepsPlans: false }

const limit = z.coerce.number().int().min(0).max(100_000).catch(0)
const flag = z.boolean().catch(true)
/** A plan as a stranger tells of it. */
const ToldPlan = z.object({
  name: z.string().trim().min(1).max(50),
  ...{ users: limit, connections: limit, queues: limit },
  value: z.coerce.number().min(0).max(9_999_999).catch(0),
  ...{ useCampaigns: flag, useKanban: flag, useOpenAi: flag, useIntegrations: flag, useSchedules: flag },
  ...{ useInternalChat: flag, useExternalApi: flag },
})
export type ToldPlan = z.infer<typeof ToldPlan>
export const readPlan = (told: unknown): ToldPlan | null => ToldPlan.safeParse(told).data ?? null

export type Plan = { id: number; name: string }
/** Whoever asks the platform's tables: a connection, or what stands for one. */
export type Asked = { query<T extends object>(text: string, values?: unknown[]): Promise<{ rows: T[] }> }

/** The plan that the operator named, or the cheapest one. */
export async function namedPlan(client: Asked, { plan }: Terms): Promise<Plan> {
  const { rows } = plan
    ? await client.query<Plan>('select id, name from plans where lower(name) = lower($1) or id::text = $1', [plan])
    : await client.query<Plan>('select id, name from plans order by value, id limit 1')
  const [found] = rows
  if (!found) throw new NotMoved(plan ? `There is no plan ${printable(plan)}.` : 'There is no plan.')
  return found
}

/** With `--keep-plans` the one it had, known by its name or made; else what the operator says. */
export async function choosePlan(client: Asked, terms: Terms, told: unknown): Promise<Plan> {
  const plan = terms.keepsPlans && !terms.plan ? readPlan(told) : null
  if (!plan) return namedPlan(client, terms)
  const { rows } = await client.query<Plan>('select id, name from plans where lower(name) = lower($1)', [plan.name])
  if (rows[0]) return rows[0]
  const names = Object.keys(plan)
  const made = await client.query<Plan>(
    `insert into plans (${names.map((name) => `"${name}"`)}) values (${names.map((_, n) => `$${n + 1}`)}) returning id, name`,
    Object.values(plan),
  )
  return made.rows[0] as Plan
}
