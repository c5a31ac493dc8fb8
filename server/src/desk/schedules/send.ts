import { momentAt, nextAfter } from '@recado/contract/schedules/repetition'
import { traits } from '@recado/contract/traits'
import { render } from '@recado/contract/words/variables'
import { sql } from 'kysely'
import { isPaid } from '../../accounts/paid.ts'
import { findLine } from '../../directory/connections/connections.ts'
import { hours, later } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { copyFile } from '../../kernel/files/media.ts'
import { type Outgoing, storeOutgoing } from '../messages/store.ts'
import { momentOf } from '../moment.ts'
import { placeForOurs } from '../tickets/open.ts'
import { windowText } from '../window.ts'
import { type ScheduleRow, wroteSince } from './view.ts'
import { addSchedule, changeSchedule } from './write.ts'

/** Its time has come and nothing has been sent: held until the transaction ends, so that no other process sends it too. */
export async function dueSchedule(scope: Scope, id: number): Promise<ScheduleRow | null> {
  const row = await scope.db
    .selectFrom('schedules')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('status', 'in', ['PENDENTE', 'AGENDADA'])
    .where('messageId', 'is', null)
    .where('heldAt', 'is', null)
    .where('sendAt', '<=', scope.now().toISOString())
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Sends it, or says why not. Its row, its message and the next time of its series are one transaction. */
export async function sendSchedule(scope: Scope, row: ScheduleRow): Promise<void> {
  const fate = await fateOf(scope, row)
  if (fate === 'waits-on') return
  await follow(scope, row)
  if (fate === 'held') return void (await hold(scope, row))
  if (fate === 'line-down') {
    const waitsUntil = await tooLateAt(scope, row)
    return void (await changeSchedule(scope, row, { status: 'AGENDADA', error: 'line-down', waitsUntil }))
  }
  if (fate !== 'goes') return void (await changeSchedule(scope, row, { status: 'ERRO', error: fate, waitsUntil: null }))
  await speak(scope, row)
}

type Fate = 'goes' | 'held' | 'waits-on' | 'line-down' | 'line-gone' | 'too-late' | 'window-closed' | 'not-paid'

async function tooLateAt(scope: Scope, row: ScheduleRow): Promise<Date> {
  const { setting } = await momentOf(scope)
  return later(new Date(row.sendAt), hours(Number(setting('scheduleLateHours'))))
}

async function fateOf(scope: Scope, row: ScheduleRow): Promise<Fate> {
  if (row.whatsappId === null) return 'line-gone'
  if ((await tooLateAt(scope, row)) < scope.now()) return 'too-late'
  if (!(await isAllowed(scope))) return 'not-paid'
  const line = await findLine(scope, row.whatsappId)
  if (line.status !== 'CONNECTED') return row.waitsUntil ? 'waits-on' : 'line-down'
  const { wrote, isOver } = await heardOf(scope, row)
  if (row.onReply === 'hold' && wrote) return 'held'
  return traits[line.provider].window && isOver && !row.sendAs?.template ? 'window-closed' : 'goes'
}

/** A company that has not paid sends nothing. */
async function isAllowed(scope: Scope): Promise<boolean> {
  const { zone, now } = await momentOf(scope)
  const { dueDate, status } = await scope.db
    .selectFrom('companies')
    .select(['dueDate', 'status'])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return status && isPaid({ dueDate, zone }, now)
}

/** Whether they wrote since it was saved, and whether the hours in which they may be written to freely are over. */
async function heardOf(scope: Scope, { id }: ScheduleRow): Promise<{ wrote: boolean; isOver: boolean }> {
  const { rows } = await sql<{ wrote: boolean; isOver: boolean }>`
    select ${wroteSince} is not null as wrote, ${sql.raw(windowText('s'))} <= ${scope.now()} as "isOver"
    from schedules s where s."companyId" = ${scope.companyId} and s.id = ${id}`.execute(scope.db)
  return rows[0] as { wrote: boolean; isOver: boolean }
}

/** The customer wrote meanwhile: whoever scheduled it decides. */
const hold = (scope: Scope, row: ScheduleRow) =>
  changeSchedule(scope, row, { status: 'PENDENTE', error: null, heldAt: scope.now(), waitsUntil: null })

/** Said in the customer's ticket, in the name of who scheduled it; where none lives, in a closed one of its own. */
async function speak(scope: Scope, row: ScheduleRow): Promise<void> {
  const { contactId, userId } = row
  const ticket = await placeForOurs(scope, { contactId, whatsappId: row.whatsappId as number, userId })
  const [message] = await storeOutgoing(scope, ticket, [
    { ...(await contentOf(scope, row, ticket)), bot: 'schedule', userId, later: true },
  ])
  await changeSchedule(scope, row, {
    status: 'AGENDADA',
    error: null,
    waitsUntil: null,
    messageId: Number(message?.id),
    ticketId: ticket.id,
  })
}

type Ticket = Awaited<ReturnType<typeof placeForOurs>>
async function contentOf(scope: Scope, row: ScheduleRow, ticket: Ticket): Promise<Outgoing> {
  if (row.sendAs) return { body: row.body, sendAs: row.sendAs }
  const user = await scope.db
    .selectFrom('users')
    .select('name')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', row.userId ?? 0)
    .executeTakeFirst()
  const words = {
    ...ticket.contact,
    user: user?.name ?? null,
    queue: ticket.queue?.name ?? null,
    ticket: ticket.number,
  }
  const body = render(row.body, words, await momentOf(scope)).trim()
  if (!row.mediaPath || !row.file) return { body }
  const mediaPath = await copyFile(scope, row.mediaPath)
  const mediaName = row.mediaName ?? ''
  return { body, file: { mediaPath, mediaName, mediaType: '', ...row.file } }
}

/**
 * The next time of its series gets its row when this one's time has come, whatever becomes of this one: at the same
 * hour on the wall.
 */
export async function follow(scope: Scope, row: ScheduleRow): Promise<void> {
  if (!row.repeat || row.followed) return
  await scope.db
    .updateTable('schedules')
    .set({ followed: true })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', row.id)
    .execute()
  const { times } = row.repeat
  if (times !== null && row.nth >= times) return
  const { zone } = await momentOf(scope)
  const { holidays } = await scope.db
    .selectFrom('companies')
    .select('holidays')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const slot = nextAfter(row.repeat, row.first, row.slot, holidays)
  if (slot === null) return
  await addSchedule(scope, {
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
    repeat: JSON.stringify(row.repeat),
    first: row.first,
    slot,
    nth: row.nth + 1,
    savedAt: scope.now(),
    createdAt: scope.now(),
  })
}

type Gone = { row: ScheduleRow; state: string | null; error: string | null }

/** Its message has left, or was refused: it is not under way any more. */
export async function goneSchedule(scope: Scope, id: number): Promise<Gone | null> {
  const row = await scope.db
    .selectFrom('schedules')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('status', 'in', ['AGENDADA', 'ERRO'])
    .where('messageId', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return null
  const message = await scope.db
    .selectFrom('messages')
    .select(['state', 'error'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', row.messageId)
    .executeTakeFirst()
  const state = message?.state ?? null
  const isNews = state === 'sent' || (row.status === 'AGENDADA' && (state === 'failed' || state === null))
  return isNews ? { row, state, error: message?.error ?? null } : null
}

export async function settleSchedule(scope: Scope, { row, state, error }: Gone): Promise<void> {
  await changeSchedule(
    scope,
    row,
    state === 'sent'
      ? { status: 'ENVIADA', sentAt: scope.now(), error: null }
      : { status: 'ERRO', error: error ?? 'deleted' },
  )
}
