import { isSendingTime, maxPauseJitter, nextSendingTime, pauseSecondsAfter } from '@recado/contract/campaigns/pace'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { fillCampaignText } from '@recado/contract/campaigns/texts'
import type { Calendar } from '@recado/contract/hours/opening'
import { dateOfWallTime } from '@recado/contract/schedules/occurrences'
import { type Selectable, sql } from 'kysely'
import { isCompanyPaid } from '../../accounts/payment-status.ts'
import { graceDaysExpression } from '../../accounts/platform/grace-days.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { findOrCreateContacts } from '../../directory/contacts/import-contacts.ts'
import { addDays, addMs, days, minutes, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { copyFile } from '../../kernel/files/media.ts'
import { buildTemplateParameters } from '../../lines/cloud/template-text.ts'
import { messageKindOf } from '../messages/kinds.ts'
import { countBulkQueued } from '../messages/outgoing.ts'
import { retryMessage } from '../messages/retry.ts'
import { sendManyWithoutTicket } from '../messages/send-without-ticket.ts'
import type { OutgoingContent } from '../messages/store.ts'
import { gotCampaignSinceSql, hasOpenTicketSql, hasOptedOutSql } from './audience.ts'
import { dailyCapOfLine, loadSendingCalendar } from './plan.ts'
import { requestRecount } from './recount.ts'
import { loadCampaignSettings } from './settings.ts'
import { type CampaignRow, changeCampaign } from './view.ts'

type LineTurn = Selectable<DB['campaignLines']>
type Shipping = Selectable<DB['campaignShippings']>

/** With no pause between two, so many at once: the line has something to do until the next look, and a cancel finds few. */
const batchSize = 50
/** So soon we look again while the line still has some of ours: where there are pauses, nobody hurries. */
const busyPollMs = 200
const pacedBusyPollMs = 2000
/** A company that may not send now is asked about again after this. */
const blockedCompanyPollMs = minutes(10)

/** The pace of a line, held: of two processes one sends. Null: it is not its time, or nothing runs there. */
export async function lockDueCampaignLine(scope: Scope, whatsappId: number): Promise<LineTurn | null> {
  const row = await scope.db
    .selectFrom('campaignLines')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('nextAt', '<=', scope.now().toISOString())
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

const updateCampaignLine = (
  scope: Scope,
  { whatsappId }: LineTurn,
  values: Partial<Omit<LineTurn, 'nextAt'>> & { nextAt: Date },
) =>
  scope.db
    .updateTable('campaignLines')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()

/** The next of this line leave, or it is said when they may. Their rows, their messages and the pace are one transaction. */
export async function sendNextBatch(scope: Scope, line: LineTurn): Promise<void> {
  const settings = await loadCampaignSettings(scope)
  const calendar = await loadSendingCalendar(scope, settings)
  const wait = await nextAllowedAt(scope, line, settings, calendar)
  if (wait) return void (await updateCampaignLine(scope, line, { nextAt: wait }))
  const campaign = await nextCampaignOfLine(scope, line)
  if (!campaign) return void (await updateCampaignLine(scope, line, { nextAt: addMs(scope.now(), busyPollMs) }))
  if (await holdAfterFailures(scope, campaign, settings)) return
  const day = toCalendarDay(scope.now(), calendar.zone)
  const before = line.day === day ? line.sentToday : 0
  const room = Math.min(
    settings.messageInterval > 0 ? 1 : batchSize,
    (await dailyLimitOfLine(scope, line, settings)) - before,
  )
  const sent = await sendUpTo(scope, line, campaign, settings, room)
  await requestRecount(scope, campaign.id)
  const inRow = line.inRow + sent
  const pause = sent ? pauseSecondsAfter(settings, inRow) : 0
  const isLong = sent > 0 && settings.longerIntervalAfter > 0 && inRow >= settings.longerIntervalAfter
  const ms = pause * 1000 * (1 + Math.random() * maxPauseJitter)
  await updateCampaignLine(scope, line, {
    // From now on, not from when it was due: after a pause there is no burst.
    nextAt: addMs(scope.now(), Math.max(ms, busyPollMs)),
    inRow: isLong ? 0 : inRow,
    day,
    sentToday: before + sent,
    turn: campaign.id,
  })
}

/** The most that may leave on this line today. */
async function dailyLimitOfLine(
  scope: Scope,
  { whatsappId }: LineTurn,
  { dailyLimit }: CampaignSettings,
): Promise<number> {
  const cap = dailyCapOfLine(await findLine(scope, whatsappId), scope.now())
  return Math.min(dailyLimit || Number.POSITIVE_INFINITY, cap ?? Number.POSITIVE_INFINITY)
}

/** When the next may leave, where that is not now. */
async function nextAllowedAt(
  scope: Scope,
  line: LineTurn,
  settings: CampaignSettings,
  calendar: Calendar,
): Promise<Date | null> {
  const now = scope.now()
  if (!(await canCompanySendCampaigns(scope, calendar.zone))) return addMs(now, blockedCompanyPollMs)
  if (!isSendingTime(calendar, now)) return nextSendingTime(calendar, now) ?? addMs(now, days(1))
  const today = toCalendarDay(now, calendar.zone)
  if (line.day === today && line.sentToday >= (await dailyLimitOfLine(scope, line, settings))) {
    const tomorrow = dateOfWallTime(`${addDays(today, 1)}T00:00`, calendar.zone)
    return nextSendingTime(calendar, tomorrow) ?? addMs(now, days(1))
  }
  // What was given to the line and has not left: it has enough to do.
  const waiting = await countBulkQueued(scope, line.whatsappId)
  const isPaced = settings.messageInterval > 0
  return waiting >= (isPaced ? 1 : batchSize) ? addMs(now, isPaced ? pacedBusyPollMs : busyPollMs) : null
}

/** The company has paid, and its plan has campaigns. */
export async function canCompanySendCampaigns(scope: Scope, zone: string): Promise<boolean> {
  const company = await scope.db
    .selectFrom('companies')
    .innerJoin('plans', 'plans.id', 'companies.planId')
    .select(['dueDate', 'status', 'useCampaigns', graceDaysExpression.as('graceDays')])
    .where('companies.id', '=', scope.companyId)
    .executeTakeFirst()
  return Boolean(company?.status && company.useCampaigns && isCompanyPaid({ ...company, zone }, scope.now()))
}

/** The campaigns of a line take turns. The one whose turn it is cannot be cancelled or changed until this is over. */
async function nextCampaignOfLine(scope: Scope, { whatsappId, turn }: LineTurn): Promise<CampaignRow | null> {
  const { rows } = await sql<CampaignRow>`
    select c.* from campaigns c
    where c."companyId" = ${scope.companyId} and c."whatsappId" = ${whatsappId} and c.status = 'EM_ANDAMENTO' and c.held is null
      and exists (select from "campaignShippings" s
        where s."companyId" = c."companyId" and s."campaignId" = c.id and s.state in ('pending', 'confirmed'))
    order by c.id > ${turn} desc, c.id limit 1 for share of c`.execute(scope.db)
  return rows[0] ?? null
}

/** Too many failed in a row: it waits for somebody, instead of burning the number. */
async function holdAfterFailures(
  scope: Scope,
  campaign: CampaignRow,
  { stopAfter }: CampaignSettings,
): Promise<boolean> {
  if (!stopAfter) return false
  const last = await scope.db
    .selectFrom('campaignShippings')
    .select(['state', 'reason'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', campaign.whatsappId)
    .where('settledAt', '>', campaign.freshSince)
    .where('campaignId', '=', campaign.id)
    .orderBy('settledAt', 'desc')
    .limit(stopAfter)
    .execute()
  if (last.length < stopAfter || last.some(({ state }) => state !== 'failed')) return false
  await changeCampaign(scope, campaign.id, { held: last[0]?.reason ?? 'failing' })
  return true
}

/** Takes people until so many have got it, or none is left: who may not get it any more is passed over, with the reason. */
async function sendUpTo(
  scope: Scope,
  line: LineTurn,
  campaign: CampaignRow,
  settings: CampaignSettings,
  most: number,
): Promise<number> {
  let sent = 0
  while (sent < most) {
    const people = await claimShippings(scope, campaign, settings, most - sent)
    if (!people.length) return sent
    const goes = people.filter(({ why }) => why === null)
    await skipShippings(
      scope,
      people.filter(({ why }) => why !== null),
    )
    if (goes.length) await sendToPeople(scope, line, campaign, settings, goes)
    sent += goes.length
  }
  return sent
}

type ClaimedShipping = Shipping & { why: string | null }

/** The next of a campaign, held; who said yes goes first. What has changed since it was prepared is asked again. */
async function claimShippings(
  scope: Scope,
  { id }: CampaignRow,
  { daysBetween, skipOpen }: CampaignSettings,
  most: number,
): Promise<ClaimedShipping[]> {
  const since = addMs(scope.now(), -days(daysBetween))
  const recent =
    daysBetween > 0 ? sql`when s."askedAt" is null and ${gotCampaignSinceSql('s', since, id)} then 'recent'` : sql``
  const talking = skipOpen ? sql`when s.state = 'pending' and ${hasOpenTicketSql('s')} then 'in-conversation'` : sql``
  const { rows } = await sql<ClaimedShipping>`
    select s.*, case when ${hasOptedOutSql('s')} then 'stopped' ${talking} ${recent} end as why
    from "campaignShippings" s
    where s."companyId" = ${scope.companyId} and s."campaignId" = ${id} and s.state in ('pending', 'confirmed')
    order by s.state, s.id limit ${most} for no key update of s`.execute(scope.db)
  return rows
}

async function skipShippings(scope: Scope, people: ClaimedShipping[]): Promise<void> {
  if (!people.length) return
  await sql`
    update "campaignShippings" s set state = 'skipped', reason = p.why
    from unnest(${people.map((p) => p.id)}::bigint[], ${people.map((p) => p.why)}::text[]) p (id, why)
    where s."companyId" = ${scope.companyId} and s.id = p.id`.execute(scope.db)
}

type ListFile = { name: string; mediaPath: string; mediaName: string; mediaType: string }

/** The files of its list, in their order. */
export async function loadCampaignFiles(scope: Scope, { fileListId }: CampaignRow): Promise<ListFile[]> {
  if (fileListId === null) return []
  const rows = await scope.db
    .selectFrom('fileOptions')
    .select(['name', 'mediaPath', 'mediaName', 'mediaType'])
    .where('companyId', '=', scope.companyId)
    .where('fileId', '=', fileListId)
    .where('mediaPath', 'is not', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    mediaPath: row.mediaPath ?? '',
    mediaName: row.mediaName ?? '',
    mediaType: row.mediaType ?? '',
  }))
}

/** What one of them gets now: one that failed goes as it is, since the vendor knows its id (null); else the question, or all of it. */
async function composeForPerson(
  scope: Scope,
  whatsappId: number,
  campaign: CampaignRow,
  settings: CampaignSettings,
  person: Shipping,
  files: ListFile[],
): Promise<OutgoingContent[] | null> {
  if (person.messageId !== null && (await retryMessage(scope, person.messageId, whatsappId))) return null
  const ours = { bot: 'campaign', later: true, campaignId: campaign.id }
  if (needsConfirmation(campaign, person)) return [{ ...ours, body: person.confirmationBody }]
  return (await composeCampaignMessages(scope, campaign, settings, person, files)).map((one) => ({ ...one, ...ours }))
}
const needsConfirmation = (campaign: CampaignRow, person: Shipping) =>
  campaign.confirmation && person.confirmedAt === null

/** Their messages are stored in one statement, and what that means for their rows in another, however many they are. */
async function sendToPeople(
  scope: Scope,
  { whatsappId }: LineTurn,
  campaign: CampaignRow,
  settings: CampaignSettings,
  people: ClaimedShipping[],
): Promise<void> {
  const files = await loadCampaignFiles(scope, campaign)
  const contacts = await findOrCreateContacts(scope, people)
  const settled: ShippingOutcome[] = []
  const said: { person: ClaimedShipping; contactId: number; one: OutgoingContent }[] = []
  for (const person of people) {
    const contactId = contacts.get(person.key) ?? null
    const row = { person, contactId, question: null, message: null, reason: null }
    if (contactId === null) settled.push({ ...row, state: 'skipped', reason: 'invalid' })
    else
      try {
        const content = await composeForPerson(scope, whatsappId, campaign, settings, person, files)
        if (!content) settled.push({ ...row, state: 'queued' })
        // Its files went away meanwhile.
        else if (!content.length) settled.push({ ...row, state: 'failed', reason: 'ERR_CAMPAIGN_NO_MESSAGE' })
        else said.push(...content.map((one) => ({ person, contactId, one })))
      } catch (error) {
        // One who cannot be written to keeps nobody else from their turn.
        if (!(error instanceof AppError)) throw error
        settled.push({ ...row, state: 'failed', reason: error.code })
      }
  }
  const ids = await sendManyWithoutTicket(scope, whatsappId, said)
  // Of several to one person the last counts.
  const last = new Map(said.map((one, n) => [one.person, { ...one, id: ids[n] ?? null }]))
  for (const { person, contactId, id } of last.values()) {
    const row = { person, contactId, question: null, message: null, reason: null }
    if (id === null) settled.push({ ...row, contactId: null, state: 'failed', reason: 'ERR_NO_CONTACT_FOUND' })
    else if (needsConfirmation(campaign, person)) settled.push({ ...row, state: 'asked', question: id })
    else settled.push({ ...row, state: 'queued', message: id })
  }
  await storeOutcomes(scope, whatsappId, settled)
}

type ShippingOutcome = {
  person: Shipping
  contactId: number | null
  state: 'queued' | 'asked' | 'failed' | 'skipped'
  reason: string | null
  message: number | null
  question: number | null
}

async function storeOutcomes(scope: Scope, whatsappId: number, all: ShippingOutcome[]): Promise<void> {
  const now = scope.now()
  await sql`
    update "campaignShippings" s set state = p.state, reason = p.reason,
      "contactId" = coalesce(p.contact, s."contactId"),
      "whatsappId" = case when p.leaves then ${whatsappId}::int else s."whatsappId" end,
      "queuedAt" = case when p.leaves then ${now}::timestamptz else s."queuedAt" end,
      "askedAt" = case when p.state = 'asked' then ${now}::timestamptz else s."askedAt" end,
      "settledAt" = case when p.state = 'failed' then ${now}::timestamptz else s."settledAt" end,
      "messageId" = coalesce(p.message, s."messageId"), "confirmationId" = coalesce(p.question, s."confirmationId")
    from (
      select *, state in ('queued', 'asked') as leaves from unnest(
        ${all.map(({ person }) => person.id)}::bigint[], ${all.map((one) => one.state)}::text[],
        ${all.map((one) => one.reason)}::text[], ${all.map((one) => one.contactId)}::int[],
        ${all.map((one) => one.message)}::bigint[], ${all.map((one) => one.question)}::bigint[]
      ) u (id, state, reason, contact, message, question)
    ) p
    where s."companyId" = ${scope.companyId} and s.id = p.id`.execute(scope.db)
}

/** The files of the list with their names, then the attachment with the text under it, or the text alone. */
export async function composeCampaignMessages(
  scope: Scope,
  campaign: CampaignRow,
  { variables }: CampaignSettings,
  person: Pick<Shipping, 'name' | 'number' | 'email' | 'body'>,
  files: ListFile[],
): Promise<OutgoingContent[]> {
  const { template, mediaPath, file } = campaign
  if (template) {
    const words = { nome: person.name, numero: person.number, email: person.email }
    const given = Object.entries(template.variables).map(([key, text]) => [
      key,
      fillCampaignText(text, variables, words),
    ])
    const { name, language } = template
    const components = buildTemplateParameters(template.kept, Object.fromEntries(given))
    return [{ body: person.body, sendAs: { template: { name, language, components } } }]
  }
  const all: OutgoingContent[] = []
  for (const { name, ...stored } of files) {
    const kind = messageKindOf({ name: stored.mediaName, type: stored.mediaType })
    const copy = { ...stored, mediaPath: await copyFile(scope, stored.mediaPath) }
    all.push({ body: name, file: { ...copy, kind, size: 0, pages: null } })
  }
  if (mediaPath && file) {
    const copy = { mediaPath: await copyFile(scope, mediaPath), mediaName: campaign.mediaName ?? '', mediaType: '' }
    all.push({ body: person.body, file: { ...copy, ...file } })
  } else if (person.body) all.push({ body: person.body })
  return all
}

/** Nobody answered in all this time: the question is over. */
export async function expireConfirmations(scope: Scope, campaignId: number): Promise<void> {
  await sql`
    update "campaignShippings" set state = 'skipped', reason = 'unanswered'
    where "companyId" = ${scope.companyId} and "campaignId" = ${campaignId} and state = 'asked'
      and "askedAt" <= ${addMs(scope.now(), -confirmationTimeoutMs)}`.execute(scope.db)
  await requestRecount(scope, campaignId)
}
/** So long a yes is waited for. */
export const confirmationTimeoutMs = days(2)

/** Its time has come, and it is held. */
export async function lockDueCampaign(scope: Scope, id: number): Promise<CampaignRow | null> {
  const row = await scope.db
    .selectFrom('campaigns')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('status', '=', 'PROGRAMADA')
    .where('scheduledAt', '<=', scope.now().toISOString())
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}
