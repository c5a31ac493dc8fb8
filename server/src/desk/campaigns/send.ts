import { isSendingTime, maxPauseJitter, nextSendingTime, pauseSecondsAfter } from '@recado/contract/campaigns/pace'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { fillCampaignText } from '@recado/contract/campaigns/texts'
import type { Calendar } from '@recado/contract/hours/opening'
import { dateOfWallTime } from '@recado/contract/schedules/occurrences'
import { type Selectable, sql } from 'kysely'
import { graceDaysExpression } from '../../accounts/grace-days.ts'
import { isCompanyPaid } from '../../accounts/payment-status.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { activeLockUntil } from '../../directory/connections/pacing.ts'
import { findOrCreateContacts } from '../../directory/contacts/import-contacts.ts'
import { addDays, addMs, days, minutes, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { copyFile } from '../../kernel/files/media.ts'
import { findMessagingRoom } from '../../lines/cloud/health.ts'
import { buildTemplateParameters } from '../../lines/cloud/template-text.ts'
import { messageKindOf } from '../messages/kinds.ts'
import { countBulkQueued } from '../messages/outgoing.ts'
import { retryMessage } from '../messages/retry.ts'
import { sendManyWithoutTicket } from '../messages/send-without-ticket.ts'
import type { OutgoingContent } from '../messages/store.ts'
import { hasOpenTicketSql, hasOptedOutSql, wasContactedSinceSql } from './audience.ts'
import { loadDailyCapOfLine, loadSendingCalendar } from './plan.ts'
import { requestRecount } from './recount.ts'
import { loadCampaignSettings } from './settings.ts'
import { type CampaignRow, changeCampaign } from './view.ts'

type LineTurn = Selectable<DB['campaignLines']>
type Shipping = Selectable<DB['campaignShippings']>

/** Batch size without pauses: enough to keep the line busy until the next run, few enough for a cancel to take effect. */
const batchSize = 50
/** Delay until the next run while the line has unsent campaign messages; longer for campaigns with pauses. */
const busyPollMs = 200
const pacedBusyPollMs = 2000
/** Delay before checking again whether a blocked company may send. */
const blockedCompanyPollMs = minutes(10)
/** Delay before checking again whether WhatsApp has lifted its lock of a line. */
const lockedLinePollMs = minutes(1)

/** Locks the pace row of a line, so only one process sends. Null: the line is not due, or no campaign runs on it. */
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

/** Sends the next batch of this line or sets the next time, in one transaction for shippings, messages and pace. */
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
    (await findMessagingRoom(scope, line.whatsappId))?.left ?? Number.POSITIVE_INFINITY,
  )
  const sent = await sendUpTo(scope, line, campaign, settings, room)
  await requestRecount(scope, campaign.id)
  const inRow = line.inRow + sent
  const pause = sent ? pauseSecondsAfter(settings, inRow) : 0
  const isLong = sent > 0 && settings.longerIntervalAfter > 0 && inRow >= settings.longerIntervalAfter
  const ms = pause * 1000 * (1 + Math.random() * maxPauseJitter)
  await updateCampaignLine(scope, line, {
    // The pause counts from now, not from the due time, so that downtime is not followed by a burst.
    nextAt: addMs(scope.now(), Math.max(ms, busyPollMs)),
    inRow: isLong ? 0 : inRow,
    day,
    sentToday: before + sent,
    turn: campaign.id,
  })
}

/** The maximum number of messages for this line today. */
async function dailyLimitOfLine(
  scope: Scope,
  { whatsappId }: LineTurn,
  { dailyLimit }: CampaignSettings,
): Promise<number> {
  const cap = await loadDailyCapOfLine(scope, await findLine(scope, whatsappId))
  return Math.min(dailyLimit || Number.POSITIVE_INFINITY, cap ?? Number.POSITIVE_INFINITY)
}

/** When the next message may be sent; null: now. */
async function nextAllowedAt(
  scope: Scope,
  line: LineTurn,
  settings: CampaignSettings,
  calendar: Calendar,
): Promise<Date | null> {
  const now = scope.now()
  if (!(await canCompanySendCampaigns(scope, calendar.zone))) return addMs(now, blockedCompanyPollMs)
  if (!isSendingTime(calendar, now)) return nextSendingTime(calendar, now) ?? addMs(now, days(1))
  const lockedUntil = activeLockUntil(await findLine(scope, line.whatsappId), now)
  // WhatsApp may lift its lock earlier.
  if (lockedUntil) return new Date(Math.min(Date.parse(lockedUntil), addMs(now, lockedLinePollMs).getTime()))
  const today = toCalendarDay(now, calendar.zone)
  if (line.day === today && line.sentToday >= (await dailyLimitOfLine(scope, line, settings))) {
    const tomorrow = dateOfWallTime(`${addDays(today, 1)}T00:00`, calendar.zone)
    return nextSendingTime(calendar, tomorrow) ?? addMs(now, days(1))
  }
  const vendorRoom = await findMessagingRoom(scope, line.whatsappId)
  if (vendorRoom?.nextAt) return nextSendingTime(calendar, vendorRoom.nextAt) ?? addMs(now, days(1))
  // Campaign messages still wait in the outbox: the line has enough to send.
  const waiting = await countBulkQueued(scope, line.whatsappId)
  const isPaced = settings.messageInterval > 0
  return waiting >= (isPaced ? 1 : batchSize) ? addMs(now, isPaced ? pacedBusyPollMs : busyPollMs) : null
}

/** When campaigns may send again by the company's campaign hours and holidays; null: now. */
export async function nextCampaignHours(scope: Scope): Promise<Date | null> {
  const now = scope.now()
  const calendar = await loadSendingCalendar(scope, await loadCampaignSettings(scope))
  return isSendingTime(calendar, now) ? null : (nextSendingTime(calendar, now) ?? addMs(now, days(1)))
}

/** Whether the company has paid and its plan includes campaigns. */
export async function canCompanySendCampaigns(scope: Scope, zone: string): Promise<boolean> {
  const company = await scope.db
    .selectFrom('companies')
    .innerJoin('plans', 'plans.id', 'companies.planId')
    .select(['dueDate', 'status', 'useCampaigns', graceDaysExpression.as('graceDays')])
    .where('companies.id', '=', scope.companyId)
    .executeTakeFirst()
  return Boolean(company?.status && company.useCampaigns && isCompanyPaid({ ...company, zone }, scope.now()))
}

/** Campaigns of a line take turns. The next campaign is locked against cancel and change until the transaction ends. */
async function nextCampaignOfLine(scope: Scope, { whatsappId, turn }: LineTurn): Promise<CampaignRow | null> {
  const { rows } = await sql<CampaignRow>`
    select c.* from campaigns c
    where c."companyId" = ${scope.companyId} and c."whatsappId" = ${whatsappId} and c.status = 'EM_ANDAMENTO' and c.held is null
      and exists (select from "campaignShippings" s
        where s."companyId" = c."companyId" and s."campaignId" = c.id and s.state in ('pending', 'confirmed'))
    order by c.id > ${turn} desc, c.id limit 1 for share of c`.execute(scope.db)
  return rows[0] ?? null
}

/** Stops the campaign after too many failures in a row, because WhatsApp could block the number. */
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

/** Takes people until enough got the message or none is left; people who may no longer get it are skipped with a reason. */
async function sendUpTo(
  scope: Scope,
  line: LineTurn,
  campaign: CampaignRow,
  settings: CampaignSettings,
  limit: number,
): Promise<number> {
  let sent = 0
  while (sent < limit) {
    const people = await claimShippings(scope, campaign, settings, limit - sent)
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

/** Locks the next people of a campaign, confirmed people first, and rechecks conditions that may have changed. */
async function claimShippings(
  scope: Scope,
  { id }: CampaignRow,
  { daysBetween, skipOpen }: CampaignSettings,
  limit: number,
): Promise<ClaimedShipping[]> {
  const since = addMs(scope.now(), -days(daysBetween))
  const recent =
    daysBetween > 0 ? sql`when s."askedAt" is null and ${wasContactedSinceSql('s', since, id)} then 'recent'` : sql``
  const talking = skipOpen ? sql`when s.state = 'pending' and ${hasOpenTicketSql('s')} then 'in-conversation'` : sql``
  const { rows } = await sql<ClaimedShipping>`
    select s.*, case when ${hasOptedOutSql('s')} then 'stopped' ${talking} ${recent} end as why
    from "campaignShippings" s
    where s."companyId" = ${scope.companyId} and s."campaignId" = ${id} and s.state in ('pending', 'confirmed')
    order by s.state, s.id limit ${limit} for no key update of s`.execute(scope.db)
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

/** The files of the campaign's file list, in order. */
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

/**
 * The next messages for one person: the confirmation question or the content. Null: a failed message is sent again
 * under its known id.
 */
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

/** Stores all messages in one statement and updates all rows in another, whatever their number. */
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
  const outgoing: { person: ClaimedShipping; contactId: number; content: OutgoingContent }[] = []
  for (const person of people) {
    const contactId = contacts.get(person.key) ?? null
    const row = { person, contactId, question: null, message: null, reason: null }
    if (contactId === null) settled.push({ ...row, state: 'skipped', reason: 'invalid' })
    else
      try {
        const content = await composeForPerson(scope, whatsappId, campaign, settings, person, files)
        if (!content) settled.push({ ...row, state: 'queued' })
        // The campaign's files were deleted meanwhile.
        else if (!content.length) settled.push({ ...row, state: 'failed', reason: 'ERR_CAMPAIGN_NO_MESSAGE' })
        else outgoing.push(...content.map((one) => ({ person, contactId, content: one })))
      } catch (error) {
        // A recipient who cannot be written to does not block the others.
        if (!(error instanceof AppError)) throw error
        settled.push({ ...row, state: 'failed', reason: error.code })
      }
  }
  const ids = await sendManyWithoutTicket(scope, whatsappId, outgoing)
  // If one person gets several messages, the last one counts.
  const last = new Map(outgoing.map((one, n) => [one.person, { ...one, id: ids[n] ?? null }]))
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

/** The files of the list with their names, then the attachment with the text as caption, or the text alone. */
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

/** Closes confirmation questions that were not answered in time. */
export async function expireConfirmations(scope: Scope, campaignId: number): Promise<void> {
  await sql`
    update "campaignShippings" set state = 'skipped', reason = 'unanswered'
    where "companyId" = ${scope.companyId} and "campaignId" = ${campaignId} and state = 'asked'
      and "askedAt" <= ${addMs(scope.now(), -confirmationTimeoutMs)}`.execute(scope.db)
  await requestRecount(scope, campaignId)
}
/** How long to wait for the answer to a confirmation question. */
export const confirmationTimeoutMs = days(2)

/** Locks the campaign if its scheduled time has come. */
export async function lockDueCampaign(scope: Scope, id: number): Promise<CampaignRow | null> {
  const row = await scope.db
    .selectFrom('campaigns')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('status', '=', 'PROGRAMADA')
    .where('scheduledAt', '<=', scope.now().toISOString())
    .where(({ or, eb }) => or([eb('uploadUntil', 'is', null), eb('uploadUntil', '<=', scope.now().toISOString())]))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}
