import { schedulesApi } from '@recado/contract/schedules/schedules'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import { roomsOfTicket, type TicketVisibility } from '../tickets/base/visibility.ts'
import { findRoomsOfSchedules, presentSchedules, type ScheduleRow } from './view.ts'

type ScheduleValues = Omit<Insertable<DB['schedules']>, 'companyId'>
const topic = schedulesApi.topic

/** All schedules of the company. */
export const selectSchedules = (scope: Scope) =>
  scope.db.selectFrom('schedules').selectAll().where('companyId', '=', scope.companyId)

export async function addSchedules(scope: Scope, all: ScheduleValues[]): Promise<ScheduleRow[]> {
  if (!all.length) return []
  const rows = await scope.db
    .insertInto('schedules')
    .values(all.map((values) => ({ ...values, companyId: scope.companyId })))
    .returningAll()
    .execute()
  await publishSchedules(scope, 'create', rows)
  return rows
}

/** Changes a schedule and publishes it to users who see it now; users who no longer see it get a removal. */
export async function changeSchedule(
  scope: Scope,
  before: ScheduleRow,
  values: Updateable<DB['schedules']>,
): Promise<ScheduleRow> {
  const row = await scope.db
    .updateTable('schedules')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishSchedules(scope, 'update', [row], [before])
  return row
}

/** The columns that change automatically. */
type ScheduleState = Pick<
  Updateable<DB['schedules']>,
  'status' | 'error' | 'sentAt' | 'heldAt' | 'waitsUntil' | 'messageId' | 'ticketId'
>

/** Changes many schedules that are already locked, with as many statements as for one. */
export async function changeSchedules(
  scope: Scope,
  changes: { before: ScheduleRow; values: ScheduleState }[],
): Promise<ScheduleRow[]> {
  if (!changes.length) return []
  const wanted = changes.map(({ before, values }) => {
    const { id, status, error, sentAt, heldAt, waitsUntil, messageId, ticketId } = { ...before, ...values }
    return { id, status, error, sentAt, heldAt, waitsUntil, messageId, ticketId }
  })
  const { rows } = await sql<ScheduleRow>`
    update schedules s set status = x.status, error = x.error, "sentAt" = x."sentAt", "heldAt" = x."heldAt",
      "waitsUntil" = x."waitsUntil", "messageId" = x."messageId", "ticketId" = x."ticketId"
    from json_to_recordset(${JSON.stringify(wanted)}) x (id int, status text, error text, "sentAt" timestamptz,
      "heldAt" timestamptz, "waitsUntil" timestamptz, "messageId" bigint, "ticketId" int)
    where s."companyId" = ${scope.companyId} and s.id = x.id returning s.*`.execute(scope.db)
  const before = new Map(changes.map((change) => [change.before.id, change.before]))
  await publishSchedules(
    scope,
    'update',
    rows,
    rows.map(({ id }) => before.get(id) as ScheduleRow),
  )
  return rows
}

async function publishSchedules(
  scope: Scope,
  action: 'create' | 'update',
  rows: ScheduleRow[],
  before: ScheduleRow[] = [],
): Promise<void> {
  const rooms = await findRoomsOfSchedules(scope, [...rows, ...before])
  const presented = await presentSchedules(
    scope,
    rows.map(({ id }) => id),
  )
  presented.forEach((row, n) => {
    const stay = rooms[n] as string[]
    const left = rooms[rows.length + n]?.filter((room) => !stay.includes(room)) ?? []
    if (left.length) scope.publish(topic, { action: 'delete', id: row.id }, { rooms: left })
    scope.publish(topic, { action, row }, { rooms: stay })
  })
}

export async function removeSchedule(scope: Scope, row: ScheduleRow): Promise<void> {
  await publishSchedulesDeleted(scope, [row])
  await scope.db.deleteFrom('schedules').where('companyId', '=', scope.companyId).where('id', '=', row.id).execute()
}

/** Publishes the removal of schedules and deletes their files; their rows are about to be deleted. */
async function publishSchedulesDeleted(scope: Scope, rows: ScheduleRow[], keepsFiles = false): Promise<void> {
  const rooms = await findRoomsOfSchedules(scope, rows)
  if (!keepsFiles)
    await scheduleFileRemoval(
      scope,
      rows.map(({ mediaPath }) => mediaPath),
    )
  rows.forEach(({ id }, n) => {
    scope.publish(topic, { action: 'delete', id }, { rooms: rooms[n] as string[] })
  })
}

const selectSchedulesOfContact = (scope: Scope, contactId: number) =>
  selectSchedules(scope).where('contactId', '=', contactId).orderBy('id')

/** The contact is about to be deleted with its schedules: publishes their removal. */
export async function publishSchedulesOfDeletedContact(
  scope: Scope,
  contactId: number,
  keepsFiles: boolean,
): Promise<void> {
  await publishSchedulesDeleted(scope, await selectSchedulesOfContact(scope, contactId).execute(), keepsFiles)
}

/** The contact is restored with its schedules: publishes them. */
export async function publishRestoredSchedules(scope: Scope, contactId: number): Promise<void> {
  const rows = await selectSchedulesOfContact(scope, contactId).execute()
  if (rows.length) await publishSchedules(scope, 'create', rows)
}

/** A ticket of the schedules' chat changed its visibility: publishes removals and additions. */
export async function publishSchedulesOfMovedTicket(
  scope: Scope,
  ticketId: number,
  before: Omit<TicketVisibility, 'companyId'>,
): Promise<void> {
  const ticket = await scope.db
    .selectFrom('tickets')
    .select(['contactId', 'whatsappId'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticketId)
    .executeTakeFirst()
  if (!ticket) return
  const rows = await selectSchedulesOfContact(scope, ticket.contactId)
    .where('whatsappId', '=', ticket.whatsappId)
    .execute()
  const rooms = await findRoomsOfSchedules(scope, rows)
  const presented = await presentSchedules(
    scope,
    rows.map(({ id }) => id),
  )
  const had = roomsOfTicket({ ...before, companyId: scope.companyId })
  presented.forEach((row, n) => {
    const stay = rooms[n] as string[]
    const left = had.filter((room) => !stay.includes(room))
    if (left.length) scope.publish(topic, { action: 'delete', id: row.id }, { rooms: left })
    scope.publish(topic, { action: 'update', row }, { rooms: stay.filter((room) => !had.includes(room)) })
  })
}

/** Moves all schedules of one contact to another, or only these. Returns the ids. */
export async function moveSchedules(scope: Scope, from: number, to: number, ids?: number[]): Promise<number[]> {
  if (ids && !ids.length) return []
  const theirs = await selectSchedulesOfContact(scope, from).execute()
  const moving = ids ? theirs.filter((row) => ids.includes(row.id)) : theirs
  for (const row of moving) await changeSchedule(scope, row, { contactId: to })
  return moving.map((row) => row.id)
}

/** A line was deleted: its schedules fail with the reason. They can be retried on another line. */
export async function failSchedulesWithoutLine(scope: Scope): Promise<void> {
  await scope.transaction(async (tx) => {
    const left = await selectSchedules(tx)
      .where('whatsappId', 'is', null)
      .where('status', 'in', ['PENDENTE', 'AGENDADA'])
      .where('messageId', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const values = { status: 'ERRO', error: 'line-gone', waitsUntil: null } as const
    await changeSchedules(
      tx,
      left.map((before) => ({ before, values })),
    )
  })
}

const selectWaitingOfLine = (scope: Scope, whatsappId: number) =>
  selectSchedules(scope)
    .where('whatsappId', '=', whatsappId)
    .where('status', 'in', ['PENDENTE', 'AGENDADA'])
    .where('messageId', 'is', null)

export async function countSchedulesOfLine(scope: Scope, whatsappId: number): Promise<number> {
  const { count } = await selectWaitingOfLine(scope, whatsappId)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Messages that are still scheduled are sent by the other line. */
export async function moveSchedulesToLine(scope: Scope, fromId: number, toId: number): Promise<void> {
  const before = await selectWaitingOfLine(scope, fromId).orderBy('id').forNoKeyUpdate().execute()
  if (!before.length) return
  const ids = before.map(({ id }) => id)
  const { rows } = await sql<ScheduleRow>`
    update schedules set "whatsappId" = ${toId}
    where "companyId" = ${scope.companyId} and id = any(${ids}::int[]) returning *`.execute(scope.db)
  const byId = new Map(before.map((row) => [row.id, row]))
  await publishSchedules(
    scope,
    'update',
    rows,
    rows.map(({ id }) => byId.get(id) as ScheduleRow),
  )
}

/** Deletes the schedules of an erased person, with their files. */
export async function eraseSchedules(scope: Scope, contactIds: number[]): Promise<void> {
  const { rows } = await sql<{ mediaPath: string | null; voicePath: string | null }>`
    delete from schedules where "companyId" = ${scope.companyId} and "contactId" = any (${contactIds}::int[])
    returning "mediaPath", "sendAs" #>> '{voice,path}' as "voicePath"`.execute(scope.db)
  await scheduleFileRemoval(
    scope,
    rows.flatMap(({ mediaPath, voicePath }) => [mediaPath, voicePath]),
  )
}
