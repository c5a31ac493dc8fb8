import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { defaultKeywordReplies, foldKeywords } from '@recado/contract/campaigns/texts'
import { normalizeAnswer } from '@recado/contract/menu/normalize-answer'
import type { Language } from '@recado/contract/users'
import { sql } from 'kysely'
import { countPaceSetback } from '../../directory/connections/pace-days.ts'
import { addMs, days } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { addOptOut, removeOptOut } from './opt-outs.ts'
import { requestRecount } from './recount.ts'

/** The keywords customers may answer to campaigns, normalised for comparison, and the replies to them. */
export type CampaignKeywords = {
  stop: Set<string>
  start: Set<string>
  yes: Set<string>
  no: Set<string>
  stopReply: string
  startReply: string
  /** Whether the company ever had a campaign. If not, there is nothing to answer, and no query is needed. */
  hasCampaigns: boolean
}
export const buildCampaignKeywords = (
  settings: CampaignSettings,
  language: Language,
  hasCampaigns: boolean,
): CampaignKeywords => ({
  hasCampaigns,
  stop: foldKeywords(settings.stopWords),
  start: foldKeywords(settings.startWords),
  yes: foldKeywords(settings.yesWords),
  no: foldKeywords(settings.noWords),
  stopReply: settings.stopReply || defaultKeywordReplies[language].stopReply,
  startReply: settings.startReply || defaultKeywordReplies[language].startReply,
})

/** Whether a text could change what campaigns send; such a message cannot take the fast path. */
export function isCampaignKeyword(keywords: CampaignKeywords, text: string): boolean {
  const answer = normalizeAnswer(text)
  return keywords.stop.has(answer) || keywords.start.has(answer)
}

/** For this many days after a campaign's message, a customer's message counts as an answer to it. */
const campaignAnswerDays = 7

/** Whether contact `c` got a campaign message and has not answered yet. The line is the fourth parameter. */
export const awaitsCampaignReplySql = `exists (
  select from "campaignShippings" s where s."companyId" = $1 and s."contactId" = c.id and s."whatsappId" = $4
    and s."queuedAt" > now() - interval '${campaignAnswerDays} days' and s."answeredAt" is null and s.state in ('asked', 'queued', 'sent'))`

type LastShipping = { id: number; campaignId: number; state: string; answeredAt: string | null; queueId: number | null }
type ChatKey = { contactId: number; whatsappId: number }

/** The last campaign message to each contact on this line; rows are locked in id order. */
async function loadLastShippings(scope: Scope, all: ChatKey[]): Promise<(LastShipping | null)[]> {
  const { companyId } = scope
  const { rows } = await sql<LastShipping & ChatKey>`
    select s.id, s."campaignId", s.state, s."answeredAt", s."contactId", s."whatsappId", c."queueId"
    from "campaignShippings" s join campaigns c on c."companyId" = s."companyId" and c.id = s."campaignId"
    where s."companyId" = ${companyId} and s.id = any(array(
      select l.id from unnest(${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[]) x ("contactId", "whatsappId")
      cross join lateral (
        select s.id from "campaignShippings" s
        where s."companyId" = ${companyId} and s."contactId" = x."contactId" and s."whatsappId" = x."whatsappId"
          and s."queuedAt" > ${addMs(scope.now(), -days(campaignAnswerDays))} and s.state in ('asked', 'queued', 'sent')
        order by s."queuedAt" desc, s.id desc limit 1
      ) l)) and s.state in ('asked', 'queued', 'sent')
    order by s.id for no key update of s`.execute(scope.db)
  const keyOf = ({ contactId, whatsappId }: ChatKey) => `${contactId} ${whatsappId}`
  const found = new Map(rows.map(({ contactId, whatsappId, ...last }) => [keyOf({ contactId, whatsappId }), last]))
  return all.map((one) => found.get(keyOf(one)) ?? null)
}

/**
 * `isCommand`: the text is a command and needs no agent. `reply`: the answer, sent once. `queueId`: the queue of a ticket
 * that the text opens.
 */
export type CampaignReply = {
  why: 'stop' | 'start' | 'yes' | 'no' | 'answer'
  isCommand: boolean
  campaignId: number | null
  queueId: number | null
  reply: string | null
}

type IncomingText = { contactId: number; whatsappId: number; text: string | null }

/** How campaigns interpret a customer's text; null: the text does not concern them. */
export async function interpretCampaignReply(
  scope: Scope,
  keywords: CampaignKeywords,
  { contactId, whatsappId, text }: IncomingText,
): Promise<CampaignReply | null> {
  const answer = text === null ? '' : normalizeAnswer(text)
  const last = keywords.hasCampaigns ? await scope.load(loadLastShippings, { contactId, whatsappId }) : null
  const campaignId = last?.campaignId ?? null
  const command = { isCommand: true, campaignId, queueId: null }
  const isAsked = last?.state === 'asked'
  if (keywords.stop.has(answer) || (isAsked && keywords.no.has(answer))) {
    const isNew = await addOptOut(scope, contactId, { word: answer, whatsappId, campaignId })
    if (isNew) await countPaceSetback(scope, whatsappId, 'stopped')
    if (last)
      await markShipping(
        scope,
        last,
        sql`"stoppedAt" = ${scope.now()}`,
        isAsked ? sql`, state = 'skipped', reason = 'stopped'` : sql``,
      )
    return { why: keywords.stop.has(answer) ? 'stop' : 'no', ...command, reply: isNew ? keywords.stopReply : null }
  }
  if (keywords.start.has(answer) && (await removeOptOut(scope, contactId)))
    return { why: 'start', ...command, reply: keywords.startReply }
  if (!last || !campaignId) return null
  if (isAsked && keywords.yes.has(answer)) {
    await markShipping(scope, last, sql`state = 'confirmed', "confirmedAt" = ${scope.now()}`)
    return { why: 'yes', ...command, reply: null }
  }
  if (last.answeredAt !== null) return null
  await scope.load(markAnswered, last)
  return { why: 'answer', isCommand: false, campaignId, queueId: last.queueId, reply: null }
}

/** Marks the shippings as answered. */
async function markAnswered(scope: Scope, all: LastShipping[]): Promise<undefined[]> {
  await sql`
    update "campaignShippings" set "answeredAt" = coalesce("answeredAt", ${scope.now()})
    where "companyId" = ${scope.companyId} and id = any(${all.map(({ id }) => id)}::bigint[])`.execute(scope.db)
  for (const campaignId of new Set(all.map((last) => last.campaignId))) await requestRecount(scope, campaignId)
  return all.map(() => undefined)
}

/** Marks a shipping as answered and sets further columns. */
async function markShipping(
  scope: Scope,
  { id, campaignId }: LastShipping,
  ...values: ReturnType<typeof sql>[]
): Promise<void> {
  await sql`
    update "campaignShippings" set "answeredAt" = coalesce("answeredAt", ${scope.now()}), ${sql.join(values, sql` `)}
    where "companyId" = ${scope.companyId} and id = ${id}`.execute(scope.db)
  await requestRecount(scope, campaignId)
}
