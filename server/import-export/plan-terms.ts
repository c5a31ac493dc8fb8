import { currencies } from '@recado/contract/money/currency'
import { z } from 'zod'
import { ImportExportError } from './company/import-export-error.ts'
import { toPrintable } from './plain-text.ts'

/**
 * The plan of an imported company and its due date. The operator decides both: otherwise an archive or a dump could
 * grant itself every feature without end.
 */
export type PlanTerms = {
  /** The plan's name or id; null: the cheapest plan. */
  plan: string | null
  /** The day until which the company has paid; null: `defaultDays` from today. */
  dueDate: string | null
  defaultDays: number
  /** `--keep-plans`: plan and due date as in the source. A plan that does not exist on this platform is created. */
  keepsPlans: boolean
}
/** By default a company gets the cheapest plan and as many days as the trial period after sign-up. */
export const defaultTerms: PlanTerms = { plan: null, dueDate: null, defaultDays: 30, keepsPlans: false }

const limitShape = z.coerce.number().int().min(0).max(100_000).catch(0)
const flagShape = z.boolean().catch(true)
/** A plan as described by an untrusted source. */
const ForeignPlan = z.object({
  name: z.string().trim().min(1).max(50),
  ...{ users: limitShape, connections: limitShape, queues: limitShape },
  value: z.coerce.number().min(0).max(9_999_999).catch(0),
  currency: z.enum(currencies).catch('BRL'),
  prices: z
    .array(z.object({ currency: z.enum(currencies), value: z.number().min(0.01).max(99_999_999) }))
    .max(currencies.length - 1)
    .catch([]),
  ...{
    useCampaigns: flagShape,
    useKanban: flagShape,
    useOpenAi: flagShape,
    useIntegrations: flagShape,
    useSchedules: flagShape,
  },
  ...{ useInternalChat: flagShape, useExternalApi: flagShape },
})
export type ForeignPlan = z.infer<typeof ForeignPlan>
export const parseForeignPlan = (foreignPlan: unknown): ForeignPlan | null =>
  ForeignPlan.safeParse(foreignPlan).data ?? null

export type PlanRef = { id: number; name: string }
/** A query interface to the platform's tables: a connection, or an adapter. */
export type QueryClient = { query<T extends object>(text: string, values?: unknown[]): Promise<{ rows: T[] }> }

/** The plan that the operator named, or the cheapest plan. */
export async function findPlan(client: QueryClient, { plan }: PlanTerms): Promise<PlanRef> {
  const { rows } = plan
    ? await client.query<PlanRef>('select id, name from plans where lower(name) = lower($1) or id::text = $1', [plan])
    : await client.query<PlanRef>('select id, name from plans order by value, id limit 1')
  const [found] = rows
  if (!found) throw new ImportExportError(plan ? `There is no plan ${toPrintable(plan)}.` : 'There is no plan.')
  return found
}

/** With `--keep-plans` the company's plan in the source, matched by name or created; otherwise the operator's choice. */
export async function choosePlan(client: QueryClient, terms: PlanTerms, foreignPlan: unknown): Promise<PlanRef> {
  const plan = terms.keepsPlans && !terms.plan ? parseForeignPlan(foreignPlan) : null
  if (!plan) return findPlan(client, terms)
  const { rows } = await client.query<PlanRef>('select id, name from plans where lower(name) = lower($1)', [plan.name])
  if (rows[0]) return rows[0]
  const names = Object.keys(plan)
  const inserted = await client.query<PlanRef>(
    `insert into plans (${names.map((name) => `"${name}"`)}) values (${names.map((_, n) => `$${n + 1}`)}) returning id, name`,
    Object.values(plan).map((value) => (Array.isArray(value) ? JSON.stringify(value) : value)),
  )
  return inserted.rows[0] as PlanRef
}
