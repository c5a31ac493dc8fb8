import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { foldedWords, usualReplies } from '@recado/contract/campaigns/words'
import { answered } from '@recado/contract/menu/answer'
import type { Language } from '@recado/contract/users'
import { sql } from 'kysely'
import { days, later } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { wantNews } from './news.ts'
import { endStop, noteStop } from './stops.ts'

/** What customers may say to campaigns, as it is compared, and what they are told. */
export type CampaignWords = {
  stop: Set<string>
  start: Set<string>
  yes: Set<string>
  no: Set<string>
  stopReply: string
  startReply: string
}
export const campaignWords = (settings: CampaignSettings, language: Language): CampaignWords => ({
  stop: foldedWords(settings.stopWords),
  start: foldedWords(settings.startWords),
  yes: foldedWords(settings.yesWords),
  no: foldedWords(settings.noWords),
  stopReply: settings.stopReply || usualReplies[language].stopReply,
  startReply: settings.startReply || usualReplies[language].startReply,
})

/** Whether a text could steer what campaigns send: then it is not plain. */
export function maySteer(words: CampaignWords | null, text: string): boolean {
  if (!words) return false
  const said = answered(text)
  return words.stop.has(said) || words.start.has(said)
}

/** So long after a campaign's message what they write is taken for an answer to it. */
const answerDays = 7

/** Somebody to whom a campaign wrote and who has not answered yet. `c` is the contact, the line is the fourth value. */
export const awaitedText = `exists (
  select from "campaignShippings" s where s."companyId" = $1 and s."contactId" = c.id and s."whatsappId" = $4
    and s."queuedAt" > now() - interval '${answerDays} days' and s."answeredAt" is null and s.state in ('asked', 'queued', 'sent'))`

type Last = { id: number; campaignId: number; state: string; answeredAt: string | null; queueId: number | null }
type Chat = { contactId: number; whatsappId: number }

/** What a campaign last said to them on this line; held, in the order of their numbers. */
async function lastToEach(scope: Scope, all: Chat[]): Promise<(Last | null)[]> {
  const { companyId } = scope
  const { rows } = await sql<Last & Chat>`
    select s.id, s."campaignId", s.state, s."answeredAt", s."contactId", s."whatsappId", c."queueId"
    from "campaignShippings" s join campaigns c on c."companyId" = s."companyId" and c.id = s."campaignId"
    where s."companyId" = ${companyId} and s.id = any(array(
      select l.id from unnest(${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[]) x ("contactId", "whatsappId")
      cross join lateral (
        select s.id from "campaignShippings" s
        where s."companyId" = ${companyId} and s."contactId" = x."contactId" and s."whatsappId" = x."whatsappId"
          and s."queuedAt" > ${later(scope.now(), -days(answerDays))} and s.state in ('asked', 'queued', 'sent')
        order by s."queuedAt" desc, s.id desc limit 1
      ) l)) and s.state in ('asked', 'queued', 'sent')
    order by s.id for no key update of s`.execute(scope.db)
  const keyOf = ({ contactId, whatsappId }: Chat) => `${contactId} ${whatsappId}`
  const found = new Map(rows.map(({ contactId, whatsappId, ...last }) => [keyOf({ contactId, whatsappId }), last]))
  return all.map((one) => found.get(keyOf(one)) ?? null)
}

/**
 * `steers`: it is a word to the house and needs nobody. `reply`: what is answered, once. `queueId`: where a ticket goes
 * that it opens.
 */
export type HeardCampaign = {
  why: 'stop' | 'start' | 'yes' | 'no' | 'answer'
  steers: boolean
  campaignId: number | null
  queueId: number | null
  reply: string | null
}

type From = { contactId: number; whatsappId: number; text: string | null }

/** What a customer's words mean to campaigns; null: nothing. */
export async function hearCampaign(
  scope: Scope,
  words: CampaignWords | null,
  { contactId, whatsappId, text }: From,
): Promise<HeardCampaign | null> {
  if (!words) return null
  const said = text === null ? '' : answered(text)
  const last = await scope.ask(lastToEach, { contactId, whatsappId })
  const campaignId = last?.campaignId ?? null
  const steers = { steers: true, campaignId, queueId: null }
  const isAsked = last?.state === 'asked'
  if (words.stop.has(said) || (isAsked && words.no.has(said))) {
    const isNew = await noteStop(scope, contactId, { word: said, whatsappId, campaignId })
    if (last)
      await mark(
        scope,
        last,
        sql`"stoppedAt" = ${scope.now()}`,
        isAsked ? sql`, state = 'skipped', reason = 'stopped'` : sql``,
      )
    return { why: words.stop.has(said) ? 'stop' : 'no', ...steers, reply: isNew ? words.stopReply : null }
  }
  if (words.start.has(said) && (await endStop(scope, contactId)))
    return { why: 'start', ...steers, reply: words.startReply }
  if (!last || !campaignId) return null
  if (isAsked && words.yes.has(said)) {
    await mark(scope, last, sql`state = 'confirmed', "confirmedAt" = ${scope.now()}`)
    return { why: 'yes', ...steers, reply: null }
  }
  if (last.answeredAt !== null) return null
  await scope.ask(markAnswered, last)
  return { why: 'answer', steers: false, campaignId, queueId: last.queueId, reply: null }
}

/** They have answered. */
async function markAnswered(scope: Scope, all: Last[]): Promise<undefined[]> {
  await sql`
    update "campaignShippings" set "answeredAt" = coalesce("answeredAt", ${scope.now()})
    where "companyId" = ${scope.companyId} and id = any(${all.map(({ id }) => id)}::bigint[])`.execute(scope.db)
  for (const campaignId of new Set(all.map((last) => last.campaignId))) await wantNews(scope, campaignId)
  return all.map(() => undefined)
}

/** The same, and what else is true of them now. */
async function mark(scope: Scope, { id, campaignId }: Last, ...values: ReturnType<typeof sql>[]): Promise<void> {
  await sql`
    update "campaignShippings" set "answeredAt" = coalesce("answeredAt", ${scope.now()}), ${sql.join(values, sql` `)}
    where "companyId" = ${scope.companyId} and id = ${id}`.execute(scope.db)
  await wantNews(scope, campaignId)
}
