import { momentAt, nextAfter } from '@recado/contract/schedules/repetition'
import type { Ticket } from '@recado/contract/tickets'
import { traits } from '@recado/contract/traits'
import { type Moment, render } from '@recado/contract/words/variables'
import { sql } from 'kysely'
import { isPaid } from '../../accounts/paid.ts'
import { graceDays } from '../../accounts/platform/grace.ts'
import { own as lines } from '../../directory/connections/connections.ts'
import { hours, later } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { copyFile } from '../../kernel/files/media.ts'
import { type Outgoing, storeSaid } from '../messages/store.ts'
import { momentOf } from '../moment.ts'
import { tellHeld } from '../notices.ts'
import { placesForOurs } from '../tickets/open.ts'
import { maySee, type Seen, viewersOf } from '../tickets/visibility.ts'
import { windowText } from '../window.ts'
import { type ScheduleRow, wroteSince } from './view.ts'
import { addSchedules, changeSchedules, schedulesOf } from './write.ts'

/** Their time has come and nothing has been sent: held until the transaction ends, so that no other process sends them too. */
export const dueSchedules = (scope: Scope, ids: number[]): Promise<ScheduleRow[]> =>
  schedulesOf(scope)
    .where('id', 'in', ids)
    .where('status', 'in', ['PENDENTE', 'AGENDADA'])
    .where('messageId', 'is', null)
    .where('heldAt', 'is', null)
    .where('sendAt', '<=', scope.now().toISOString())
    .orderBy('sendAt')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

type Fate =
  | ('goes' | 'held' | 'waits-on' | 'line-down' | 'line-gone' | 'too-late' | 'window-closed' | 'not-paid')
  | 'no-access'
/** All that decides, read once for all of them. */
type Ground = Awaited<ReturnType<typeof groundOf>>

/** Sends them, or says why not. Their rows, their messages and the next times of their series are one transaction. */
export async function sendSchedules(scope: Scope, rows: ScheduleRow[]): Promise<void> {
  const ground = await groundOf(scope, rows)
  const fates = rows.map((row) => ({ row, fate: fateOf(ground, row) })).filter(({ fate }) => fate !== 'waits-on')
  await follow(
    scope,
    fates.map(({ row }) => row),
  )
  const kept = fates.filter(({ fate }) => fate !== 'goes')
  await changeSchedules(
    scope,
    kept.map(({ row, fate }) => ({ before: row, values: courseOf(ground, row, fate) })),
  )
  await tellHeld(
    scope,
    await whereTheyWrote(
      scope,
      fates.filter(({ fate }) => fate === 'held').map(({ row }) => row),
    ),
  )
  await speak(
    scope,
    ground.moment,
    fates.filter(({ fate }) => fate === 'goes').map(({ row }) => row),
  )
}

async function groundOf(scope: Scope, rows: ScheduleRow[]) {
  const { setting, ...moment } = await momentOf(scope)
  const lineIds = [...new Set(rows.flatMap(({ whatsappId }) => whatsappId ?? []))]
  const found = lineIds.length ? await lines(scope).where('id', 'in', lineIds).execute() : []
  return {
    moment,
    lateMs: hours(Number(setting('scheduleLateHours'))),
    isAllowed: await isAllowed(scope, moment),
    lines: new Map(found.map((line) => [line.id, line])),
    heard: await heardOf(scope, rows),
    hidden: await hiddenFromAuthor(scope, rows),
  }
}

/** A company that has not paid sends nothing. */
async function isAllowed(scope: Scope, { zone, now }: Moment): Promise<boolean> {
  const { status, ...due } = await scope.db
    .selectFrom('companies')
    .select(['dueDate', 'status', graceDays.as('graceDays')])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return status && isPaid({ ...due, zone }, now)
}

type Heard = { id: number; wrote: boolean; isOver: boolean }
/** Whether they wrote since it was saved, and whether the hours in which they may be written to freely are over. */
async function heardOf(scope: Scope, rows: ScheduleRow[]): Promise<Map<number, Heard>> {
  const { rows: heard } = await sql<Heard>`
    select s.id, ${wroteSince} is not null as wrote, ${sql.raw(windowText('s'))} <= ${scope.now()} as "isOver"
    from schedules s where s."companyId" = ${scope.companyId} and s.id = any(${rows.map(({ id }) => id)}::int[])`.execute(
    scope.db,
  )
  return new Map(heard.map((one) => [one.id, one]))
}

type Living = Seen & { scheduleId: number; authorId: number }
/**
 * Those whose chat has a living ticket in which their author has no business any more: they neither see it nor work in
 * its queue. Whether a colleague of the same queue attends it does not matter, or no reminder would ever leave.
 */
async function hiddenFromAuthor(scope: Scope, rows: ScheduleRow[]): Promise<Set<number>> {
  const { rows: living } = await sql<Living>`
    select s.id as "scheduleId", s."userId" as "authorId", t."companyId", t."userId", t."queueId", t.status
    from schedules s join tickets t on t."companyId" = s."companyId" and t."contactId" = s."contactId"
      and t."whatsappId" = s."whatsappId" and t.status in ('open', 'pending')
    where s."companyId" = ${scope.companyId} and s.id = any(${rows.map(({ id }) => id)}::int[])
      and s."userId" is not null`.execute(scope.db)
  const authors = await viewersOf(scope, [...new Set(living.map(({ authorId }) => authorId))])
  const isHidden = ({ authorId, ...ticket }: Living) => {
    const author = authors.get(authorId)
    return author && !maySee(author, ticket) && (ticket.queueId === null || !author.queueIds.includes(ticket.queueId))
  }
  return new Set(living.filter(isHidden).map(({ scheduleId }) => scheduleId))
}

const tooLateAt = ({ lateMs }: Ground, row: ScheduleRow): Date => later(new Date(row.sendAt), lateMs)

function fateOf(ground: Ground, row: ScheduleRow): Fate {
  const line = ground.lines.get(row.whatsappId ?? 0)
  if (!line) return 'line-gone'
  if (tooLateAt(ground, row) < ground.moment.now) return 'too-late'
  if (!ground.isAllowed) return 'not-paid'
  if (ground.hidden.has(row.id)) return 'no-access'
  if (line.status !== 'CONNECTED') return row.waitsUntil ? 'waits-on' : 'line-down'
  const heard = ground.heard.get(row.id)
  if (row.onReply === 'hold' && heard?.wrote) return 'held'
  return traits[line.provider].window && heard?.isOver && !row.sendAs?.template ? 'window-closed' : 'goes'
}

/** Of one that does not go now. A customer wrote meanwhile: whoever scheduled it decides. */
function courseOf(ground: Ground, row: ScheduleRow, fate: Fate) {
  if (fate === 'held')
    return { status: 'PENDENTE' as const, error: null, heldAt: ground.moment.now.toISOString(), waitsUntil: null }
  if (fate === 'line-down')
    return { status: 'AGENDADA' as const, error: fate, waitsUntil: tooLateAt(ground, row).toISOString() }
  return { status: 'ERRO' as const, error: fate, waitsUntil: null }
}

/** Who is to be told of it, and the ticket in which the customer wrote. */
async function whereTheyWrote(scope: Scope, rows: ScheduleRow[]): Promise<{ userId: number; ticketId: number }[]> {
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

/** Said in the customers' tickets, in the name of who scheduled it; where none lives, in a closed one of its own. */
async function speak(scope: Scope, moment: Moment, rows: ScheduleRow[]): Promise<void> {
  if (!rows.length) return
  // Before any ticket is held: a store may be far away.
  const files = new Map<ScheduleRow, string>()
  for (const row of rows)
    if (row.mediaPath && row.file && !row.sendAs) files.set(row, await copyFile(scope, row.mediaPath))
  const tickets = await placesForOurs(
    scope,
    rows.map(({ contactId, whatsappId, userId }) => ({ contactId, whatsappId: whatsappId as number, userId })),
  )
  const names = await namesOf(scope, rows)
  const said: { ticket: Ticket; one: Outgoing }[] = []
  for (const [n, row] of rows.entries()) {
    const ticket = tickets[n] as Ticket
    const content = contentOf(moment, row, ticket, names.get(row.userId ?? 0) ?? null, files.get(row))
    said.push({ ticket, one: { ...content, bot: 'schedule', userId: row.userId, later: true } })
  }
  const messages = await storeSaid(scope, said)
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

async function namesOf(scope: Scope, rows: ScheduleRow[]): Promise<Map<number, string>> {
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

function contentOf(
  moment: Moment,
  row: ScheduleRow,
  ticket: Ticket,
  user: string | null,
  mediaPath: string | undefined,
): Outgoing {
  if (row.sendAs) return { body: row.body, sendAs: row.sendAs }
  const words = { ...ticket.contact, user, queue: ticket.queue?.name ?? null, ticket: ticket.number }
  const body = render(row.body, words, moment).trim()
  if (!mediaPath || !row.file) return { body }
  const mediaName = row.mediaName ?? ''
  return { body, file: { mediaPath, mediaName, mediaType: '', ...row.file } }
}

/**
 * The next time of a series gets its row when this one's time has come, whatever becomes of this one: at the same
 * hour on the wall.
 */
export async function follow(scope: Scope, all: ScheduleRow[]): Promise<void> {
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
  const { zone } = await momentOf(scope)
  const { holidays } = await scope.db
    .selectFrom('companies')
    .select('holidays')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const next: Parameters<typeof addSchedules>[1] = []
  for (const row of rows) {
    const { repeat } = row
    if (!repeat || (repeat.times !== null && row.nth >= repeat.times)) continue
    const slot = nextAfter(repeat, row.first, row.slot, holidays)
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
      sendAt: momentAt(slot, zone),
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

type Gone = { row: ScheduleRow; state: string | null; error: string | null }

/** Their messages have left, or were refused: they are not under way any more. */
export async function goneSchedules(scope: Scope, ids: number[]): Promise<Gone[]> {
  const rows = await schedulesOf(scope)
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

export async function settleSchedules(scope: Scope, gone: Gone[]): Promise<void> {
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
