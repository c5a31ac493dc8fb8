import type { FlowKind } from '@recado/contract/flows/flow-line'
import type { FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import type { Holiday, Hours } from '@recado/contract/hours/hours'
import type { Calendar } from '@recado/contract/hours/opening'
import type { Menu, MenuQueue } from '@recado/contract/menu/menu'
import type { SettingKey } from '@recado/contract/settings'
import type { Language } from '@recado/contract/users'
import { sql } from 'kysely'
import { loadSettings, readSettingValue } from '../accounts/settings.ts'
import { type BotTexts, buildBotTexts } from '../desk/bot-texts.ts'
import { buildCampaignKeywords, type CampaignKeywords } from '../desk/campaigns/replies.ts'
import { loadCampaignSettings } from '../desk/campaigns/settings.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** The prompt or integration that answers until an agent does. If both are set, the prompt answers. */
type AutoResponderIds = { promptId: number | null; integrationId: number | null }
export type QueueRules = MenuQueue & AutoResponderIds & { outOfHoursMessage: string; schedules: Hours[] }
export type LineRules = AutoResponderIds & {
  id: number
  greetingMessage: string
  outOfHoursMessage: string
  transferQueueId: number | null
  timeUseBotQueues: number
  maxUseBotQueues: number
  /** The queues in menu order. */
  queueIds: number[]
}
/** A flow that may start, in the version that runs. */
export type ActiveFlow = { id: number; kind: FlowKind; name: string; versionId: number; triggers: FlowTriggerKind[] }
/** Everything the automatic answers of a company depend on. */
export type Rulebook = {
  version: number
  setting: (key: SettingKey) => string
  language: Language
  zone: string
  week: Hours[]
  holidays: Holiday[]
  queues: Map<number, QueueRules>
  lines: Map<number, LineRules>
  /** In the order in which they start. */
  flows: ActiveFlow[]
  botTexts: BotTexts
  /**
   * The company's keywords for campaigns. They exist even without a campaign, because an opt-out counts from the first
   * day.
   */
  campaigns: CampaignKeywords
}

/** Cached rulebooks by company, per database. */
const rulebookCache = new WeakMap<object, Map<number, Rulebook>>()

async function loadRulesVersion(scope: Scope, all: undefined[]): Promise<number[]> {
  const { rulesVersion } = await scope.db
    .selectFrom('companies')
    .select('rulesVersion')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return all.map(() => rulesVersion)
}

/**
 * The current rules of a company. The database counts their changes, so a cached copy with the same version is valid in
 * every process. A caller who has already read the version passes it, and no query is made.
 */
export async function loadRulebook(scope: Scope, version?: number): Promise<Rulebook> {
  const { database } = scope.deps
  const known = rulebookCache.get(database) ?? new Map<number, Rulebook>()
  rulebookCache.set(database, known)
  const now = version ?? (await scope.load(loadRulesVersion, undefined))
  const copy = known.get(scope.companyId)
  if (copy?.version === now) return copy
  const fresh = await readRulebook(scope, now)
  known.set(scope.companyId, fresh)
  return fresh
}

async function readRulebook(scope: Scope, version: number): Promise<Rulebook> {
  const { companyId } = scope
  const settings = (await loadSettings(scope, [companyId])).get(companyId) ?? []
  const setting = (key: SettingKey) => readSettingValue(settings, key)
  const language = setting('language') as Language
  const { schedules, holidays } = await scope.db
    .selectFrom('companies')
    .select(['schedules', 'holidays'])
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  const queues = await readQueues(scope)
  const lines = await readLines(scope)
  return {
    version,
    setting,
    language,
    zone: setting('timezone'),
    week: schedules,
    holidays,
    queues: new Map(queues.map((q) => [q.id, q])),
    lines: new Map(lines.map((l) => [l.id, l])),
    flows: await readActiveFlows(scope),
    botTexts: buildBotTexts(setting, language),
    campaigns: buildCampaignKeywords(await loadCampaignSettings(scope), language, await hasCampaigns(scope)),
  }
}

const hasCampaigns = async ({ db, companyId }: Scope): Promise<boolean> =>
  Boolean(await db.selectFrom('campaigns').select('id').where('companyId', '=', companyId).limit(1).executeTakeFirst())

async function readQueues(scope: Scope): Promise<QueueRules[]> {
  const { rows } = await sql<QueueRules>`
    select q.id, q.name, q."greetingMessage", q."outOfHoursMessage", q.schedules, q."promptId", q."integrationId", coalesce((
      select json_agg(json_build_object('id', o.id, 'parentId', o."parentId", 'option', o.option, 'title', o.title, 'message', o.message,
        'leads', o.leads, 'forwardQueueId', o."forwardQueueId") order by o.option, o.id)
      from "queueOptions" o where o."companyId" = q."companyId" and o."queueId" = q.id
    ), '[]') as options
    from queues q where q."companyId" = ${scope.companyId}`.execute(scope.db)
  return rows
}

async function readLines(scope: Scope): Promise<LineRules[]> {
  const { rows } = await sql<LineRules>`
    select w.id, w."greetingMessage", w."outOfHoursMessage", w."transferQueueId", w."timeUseBotQueues", w."maxUseBotQueues",
      w."promptId", w."integrationId", coalesce((
      select json_agg(q.id order by q."orderQueue" nulls last, q.id) from "whatsappQueues" l
      join queues q on q."companyId" = l."companyId" and q.id = l."queueId"
      where l."companyId" = w."companyId" and l."whatsappId" = w.id
    ), '[]') as "queueIds"
    from whatsapps w where w."companyId" = ${scope.companyId}`.execute(scope.db)
  return rows
}

async function readActiveFlows(scope: Scope): Promise<ActiveFlow[]> {
  const { rows } = await sql<ActiveFlow>`
    select f.id, f.kind, f.name, f."versionId", array_agg(t.kind order by t.kind) as triggers
    from flows f join "flowTriggers" t on t."companyId" = f."companyId" and t."flowId" = f.id
    where f."companyId" = ${scope.companyId} and f.active and f."versionId" is not null
    group by f.id, f.kind, f.name, f."versionId", f.position order by f.position, f.id`.execute(scope.db)
  return rows
}

/** The menu of a line. If a queue has an AI or integration, the queue's own menu is not used. */
export function buildMenu(rulebook: Rulebook, line: LineRules): Menu {
  const queues = line.queueIds
    .flatMap((id) => rulebook.queues.get(id) ?? [])
    .map((queue) => (autoResponderOf(queue) ? { ...queue, options: [] } : queue))
  return { greeting: line.greetingMessage, queues }
}

/** The AI or integration that answers in this queue or line. */
export const autoResponderOf = ({ promptId, integrationId }: AutoResponderIds): AutoResponder | null =>
  promptId !== null ? { promptId } : integrationId !== null ? { integrationId } : null
export type AutoResponder = { promptId: number } | { integrationId: number }

/**
 * The queue of a ticket whose customer chose none: the line's default queue, else the first of its menu. Without a queue
 * most of the team would never see the ticket.
 */
export const defaultQueueOf = (line: LineRules): number | null => line.transferQueueId ?? line.queueIds[0] ?? null

/** The opening hours that apply to a ticket, with their key; null if there are none. */
export function findCalendar(rulebook: Rulebook, queueId: number | null): (Calendar & { name: string }) | null {
  const { zone, holidays, week } = rulebook
  const type = rulebook.setting('scheduleType')
  if (type === 'company') return { name: 'company', zone, holidays, week }
  const queue = type === 'queue' && queueId !== null ? rulebook.queues.get(queueId) : undefined
  return queue ? { name: `queue ${queue.id}`, zone, holidays, week: queue.schedules } : null
}
