import { lineTraits } from '@recado/contract/line-traits'
import { dateOfWallTime, nextOccurrence } from '@recado/contract/schedules/occurrences'
import { type RenderMoment, renderVariables } from '@recado/contract/text/variables'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { graceDaysExpression } from '../../accounts/grace-days.ts'
import { isCompanyPaid } from '../../accounts/payment-status.ts'
import { selectOwnLines as lines } from '../../directory/connections/find-line.ts'
import { addMs, hours } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { copyFile } from '../../kernel/files/media.ts'
import { loadCompanyContext } from '../company-context.ts'
import { type OutgoingContent, storeOutgoingInTickets } from '../messages/store.ts'
import { replyWindowEndSql } from '../reply-window.ts'
import { notifyScheduleHeld } from '../tickets/base/notices.ts'
import { canSeeTicket, loadViewers, type TicketVisibility } from '../tickets/base/visibility.ts'
import { prepareOwnMessageTickets } from '../tickets/open.ts'
import { type ScheduleRow, wroteSinceSql } from './view.ts'
import { addSchedules, changeSchedules, selectSchedules } from './write.ts'

/** Due schedules that were not sent, locked until the transaction ends, so that no other process sends them. */
export const lockDueSchedules = (scope: Scope, ids: number[]): Promise<ScheduleRow[]> =>
  selectSchedules(scope)
    .where('id', 'in', ids)
    .where('status', 'in', ['PENDENTE', 'AGENDADA'])
    .where('messageId', 'is', null)
    .where('heldAt', 'is', null)
    .where('sendAt', '<=', scope.now().toISOString())
    .where(({ or, eb }) => or([eb('uploadUntil', 'is', null), eb('uploadUntil', '<=', scope.now().toISOString())]))
    .orderBy('sendAt')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

type SendDecision =
  | ('goes' | 'held' | 'waits-on' | 'line-down' | 'line-gone' | 'too-late' | 'window-closed' | 'not-paid')
  | 'no-access'
/** Everything that the send decisions depend on, read once for all schedules. */
type SendContext = Awaited<ReturnType<typeof loadSendContext>>

/** Sends the schedules, or stores the reason. Rows, messages and next occurrences are written in one transaction. */
export async function sendSchedules(scope: Scope, rows: ScheduleRow[]): Promise<void> {
  const context = await loadSendContext(scope, rows)
  const fates = rows.map((row) => ({ row, fate: decideSend(context, row) })).filter(({ fate }) => fate !== 'waits-on')
  await createNextOccurrences(
    scope,
    fates.map(({ row }) => row),
  )
  const kept = fates.filter(({ fate }) => fate !== 'goes')
  await changeSchedules(
    scope,
    kept.map(({ row, fate }) => ({ before: row, values: stateAfterDecision(context, row, fate) })),
  )
  await notifyScheduleHeld(
    scope,
    await findTicketsWithReplies(
      scope,
      fates.filter(({ fate }) => fate === 'held').map(({ row }) => row),
    ),
  )
  await sendInTickets(
    scope,
    context.moment,
    fates.filter(({ fate }) => fate === 'goes').map(({ row }) => row),
  )
}

async function loadSendContext(scope: Scope, rows: ScheduleRow[]) {
  const { setting, ...moment } = await loadCompanyContext(scope)
  const lineIds = [...new Set(rows.flatMap(({ whatsappId }) => whatsappId ?? []))]
  const found = lineIds.length ? await lines(scope).where('id', 'in', lineIds).execute() : []
  return {
    moment,
    lateMs: hours(Number(setting('scheduleLateHours'))),
    isAllowed: await canCompanySend(scope, moment),
    lines: new Map(found.map((line) => [line.id, line])),
    heard: await loadCustomerActivity(scope, rows),
    hidden: await findHiddenFromAuthor(scope, rows),
  }
}

/** A company that has not paid sends nothing. */
async function canCompanySend(scope: Scope, { zone, now }: RenderMoment): Promise<boolean> {
  const { status, ...due } = await scope.db
    .selectFrom('companies')
    .select(['dueDate', 'status', graceDaysExpression.as('graceDays')])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return status && isCompanyPaid({ ...due, zone }, now)
}

type CustomerActivity = { id: number; wrote: boolean; isOver: boolean }
/** Whether the customer wrote since the schedule was saved, and whether the free messaging window is over. */
async function loadCustomerActivity(scope: Scope, rows: ScheduleRow[]): Promise<Map<number, CustomerActivity>> {
  const { rows: activity } = await sql<CustomerActivity>`
    select s.id, ${wroteSinceSql} is not null as wrote, ${sql.raw(replyWindowEndSql('s'))} <= ${scope.now()} as "isOver"
    from schedules s where s."companyId" = ${scope.companyId} and s.id = any(${rows.map(({ id }) => id)}::int[])`.execute(
    scope.db,
  )
  return new Map(activity.map((one) => [one.id, one]))
}

type ActiveTicketOfSchedule = TicketVisibility & { scheduleId: number; authorId: number }
/**
 * Schedules whose chat has an open ticket that their author neither sees nor shares a queue with. A ticket
 * attended by a colleague of the same queue does not count, or no reminder would ever be sent.
 */
async function findHiddenFromAuthor(scope: Scope, rows: ScheduleRow[]): Promise<Set<number>> {
  const { rows: living } = await sql<ActiveTicketOfSchedule>`
    select s.id as "scheduleId", s."userId" as "authorId", t."companyId", t."userId", t."queueId", t.status
    from schedules s join tickets t on t."companyId" = s."companyId" and t."contactId" = s."contactId"
      and t."whatsappId" = s."whatsappId" and t.status in ('open', 'pending')
    where s."companyId" = ${scope.companyId} and s.id = any(${rows.map(({ id }) => id)}::int[])
      and s."userId" is not null`.execute(scope.db)
  const authors = await loadViewers(scope, [...new Set(living.map(({ authorId }) => authorId))])
  const isHidden = ({ authorId, ...ticket }: ActiveTicketOfSchedule) => {
    const author = authors.get(authorId)
    return (
      author && !canSeeTicket(author, ticket) && (ticket.queueId === null || !author.queueIds.includes(ticket.queueId))
    )
  }
  return new Set(living.filter(isHidden).map(({ scheduleId }) => scheduleId))
}

const tooLateAt = ({ lateMs }: SendContext, row: ScheduleRow): Date => addMs(new Date(row.sendAt), lateMs)

function decideSend(context: SendContext, row: ScheduleRow): SendDecision {
  const line = context.lines.get(row.whatsappId ?? 0)
  if (!line) return 'line-gone'
  if (tooLateAt(context, row) < context.moment.now) return 'too-late'
  if (!context.isAllowed) return 'not-paid'
  if (context.hidden.has(row.id)) return 'no-access'
  if (line.status !== 'CONNECTED') return row.waitsUntil ? 'waits-on' : 'line-down'
  const activity = context.heard.get(row.id)
  if (row.onReply === 'hold' && activity?.wrote) return 'held'
  return lineTraits[line.provider].window && activity?.isOver && !row.sendAs?.template ? 'window-closed' : 'goes'
}

/** The new state of a schedule that is not sent now. If the customer wrote meanwhile, the author decides. */
function stateAfterDecision(context: SendContext, row: ScheduleRow, fate: SendDecision) {
  if (fate === 'held')
    return { status: 'PENDENTE' as const, error: null, heldAt: context.moment.now.toISOString(), waitsUntil: null }
  if (fate === 'line-down')
    return { status: 'AGENDADA' as const, error: fate, waitsUntil: tooLateAt(context, row).toISOString() }
  return { status: 'ERRO' as const, error: fate, waitsUntil: null }
}

/** The users to notify, and the ticket in which the customer wrote. */
async function findTicketsWithReplies(
  scope: Scope,
  rows: ScheduleRow[],
): Promise<{ userId: number; ticketId: number }[]> {
  if (!rows.length) return []
  const { rows: found } = await sql<{ userId: number; ticketId: number }>`
    select distinct s."userId", l."ticketId" from schedules s cross join lateral (
      select l."ticketId" from messages l
      where l."companyId" = s."companyId" and l."contactId" = s."contactId" and l."whatsappId" = s."whatsappId"
        and not l."fromMe" order by l."createdAt" desc, l.id desc limit 1
    ) l
    where s."companyId" = ${scope.companyId} and s.id = any(${rows.map(({ id }) => id)}::int[])
      and s."userId" is not null and l."ticketId" is not null`.execute(scope.db)
  return found
}

/** Sends in the customers' tickets in the name of the author; if no ticket is open, in a new closed ticket. */
async function sendInTickets(scope: Scope, moment: RenderMoment, rows: ScheduleRow[]): Promise<void> {
  if (!rows.length) return
  // Files are copied before any ticket is locked, because file storage may be remote.
  const files = new Map<ScheduleRow, string>()
  for (const row of rows)
    if (row.mediaPath && row.file && !row.sendAs) files.set(row, await copyFile(scope, row.mediaPath))
  const tickets = await prepareOwnMessageTickets(
    scope,
    rows.map(({ contactId, whatsappId, userId }) => ({ contactId, whatsappId: whatsappId as number, userId })),
  )
  const names = await loadUserNames(scope, rows)
  const said: { ticket: Ticket; content: OutgoingContent }[] = []
  for (const [n, row] of rows.entries()) {
    const ticket = tickets[n] as Ticket
    const content = composeScheduled(moment, row, ticket, names.get(row.userId ?? 0) ?? null, files.get(row))
    said.push({ ticket, content: { ...content, bot: 'schedule', userId: row.userId, later: true } })
  }
  const messages = await storeOutgoingInTickets(scope, said)
  await changeSchedules(
    scope,
    rows.map((before, n) => ({
      before,
      values: {
        ...{ status: 'AGENDADA', error: null, waitsUntil: null },
        ...{ messageId: Number(messages[n]?.id), ticketId: (tickets[n] as Ticket).id },
      },
    })),
  )
}

async function loadUserNames(scope: Scope, rows: ScheduleRow[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.flatMap(({ userId }) => userId ?? []))]
  if (!ids.length) return new Map()
  const people = await scope.db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  return new Map(people.map(({ id, name }) => [id, name]))
}

function composeScheduled(
  moment: RenderMoment,
  row: ScheduleRow,
  ticket: Ticket,
  user: string | null,
  mediaPath: string | undefined,
): OutgoingContent {
  if (row.sendAs) return { body: row.body, sendAs: row.sendAs }
  const words = { ...ticket.contact, user, queue: ticket.queue?.name ?? null, ticket: ticket.number }
  const body = renderVariables(row.body, words, moment).trim()
  if (!mediaPath || !row.file) return { body }
  const mediaName = row.mediaName ?? ''
  return { body, file: { mediaPath, mediaName, mediaType: '', ...row.file } }
}

/**
 * Creates the next occurrence of a series when this one is due, at the same wall-clock time, whatever happens to this one.
 */
export async function createNextOccurrences(scope: Scope, all: ScheduleRow[]): Promise<void> {
  const rows = all.filter(({ repeat, followed }) => repeat && !followed)
  if (!rows.length) return
  await scope.db
    .updateTable('schedules')
    .set({ followed: true })
    .where('companyId', '=', scope.companyId)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const { zone } = await loadCompanyContext(scope)
  const { holidays } = await scope.db
    .selectFrom('companies')
    .select('holidays')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const next: Parameters<typeof addSchedules>[1] = []
  for (const row of rows) {
    const { repeat } = row
    if (!repeat || (repeat.times !== null && row.nth >= repeat.times)) continue
    const slot = nextOccurrence(repeat, row.first, row.slot, holidays)
    if (slot === null) continue
    next.push({
      contactId: row.contactId,
      whatsappId: row.whatsappId,
      userId: row.userId,
      body: row.body,
      mediaPath: row.mediaPath && (await copyFile(scope, row.mediaPath)),
      mediaName: row.mediaName,
      file: row.file && JSON.stringify(row.file),
      sendAs: row.sendAs && JSON.stringify(row.sendAs),
      onReply: row.onReply,
      sendAt: dateOfWallTime(slot, zone),
      repeat: JSON.stringify(repeat),
      first: row.first,
      slot,
      nth: row.nth + 1,
      savedAt: scope.now(),
      createdAt: scope.now(),
    })
  }
  await addSchedules(scope, next)
}

type FinishedSchedule = { row: ScheduleRow; state: string | null; error: string | null }

/** Schedules whose messages were sent or refused, so that they are no longer in progress. */
export async function findFinishedSchedules(scope: Scope, ids: number[]): Promise<FinishedSchedule[]> {
  const rows = await selectSchedules(scope)
    .where('id', 'in', ids)
    .where('status', 'in', ['AGENDADA', 'ERRO'])
    .where('messageId', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const messages = rows.length
    ? await scope.db
        .selectFrom('messages')
        .select(['id', 'state', 'error'])
        .where('companyId', '=', scope.companyId)
        .where(
          'id',
          'in',
          rows.map(({ messageId }) => messageId as number),
        )
        .execute()
    : []
  const byId = new Map(messages.map((message) => [Number(message.id), message]))
  return rows.flatMap((row) => {
    const message = byId.get(Number(row.messageId))
    const state = message?.state ?? null
    const isNews = state === 'sent' || (row.status === 'AGENDADA' && (state === 'failed' || state === null))
    return isNews ? [{ row, state, error: message?.error ?? null }] : []
  })
}

export async function storeScheduleResults(scope: Scope, gone: FinishedSchedule[]): Promise<void> {
  await changeSchedules(
    scope,
    gone.map(({ row, state, error }) => ({
      before: row,
      values:
        state === 'sent'
          ? { status: 'ENVIADA', sentAt: scope.now(), error: null }
          : { status: 'ERRO', error: error ?? 'deleted' },
    })),
  )
}
