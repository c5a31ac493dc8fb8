import { schedulesApi } from '@recado/contract/schedules/schedules'
import type { Insertable, Updateable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { dropFiles } from '../../kernel/files/media.ts'
import { presentSchedule, roomsOfSchedule, type ScheduleRow } from './view.ts'

type Values = Omit<Insertable<DB['schedules']>, 'companyId'>
const topic = schedulesApi.topic

export async function addSchedule(scope: Scope, values: Values): Promise<ScheduleRow> {
  const row = await scope.db
    .insertInto('schedules')
    .values({ ...values, companyId: scope.companyId })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tell(scope, 'create', row)
  return row
}

/** Changes it, and says so to who sees it now; who saw it before and does not now sees it go. */
export async function changeSchedule(
  scope: Scope,
  before: ScheduleRow,
  values: Updateable<DB['schedules']>,
): Promise<ScheduleRow> {
  const left = await roomsOfSchedule(scope, before)
  const row = await scope.db
    .updateTable('schedules')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const stay = await roomsOfSchedule(scope, row)
  const rooms = left.filter((room) => !stay.includes(room))
  if (rooms.length) scope.tell(topic, { action: 'delete', id: row.id }, { rooms })
  await tell(scope, 'update', row)
  return row
}

async function tell(scope: Scope, action: 'create' | 'update', row: ScheduleRow): Promise<void> {
  const rooms = await roomsOfSchedule(scope, row)
  scope.tell(topic, { action, row: await presentSchedule(scope, row.id) }, { rooms })
}

export async function removeSchedule(scope: Scope, row: ScheduleRow): Promise<void> {
  await tellEnded(scope, row)
  await scope.db.deleteFrom('schedules').where('companyId', '=', scope.companyId).where('id', '=', row.id).execute()
}

/** It goes, with its file; the rows are about to. */
async function tellEnded(scope: Scope, row: ScheduleRow): Promise<void> {
  const rooms = await roomsOfSchedule(scope, row)
  await dropFiles(scope, [row.mediaPath])
  scope.tell(topic, { action: 'delete', id: row.id }, { rooms })
}

const ofContact = (scope: Scope, contactId: number) =>
  scope.db
    .selectFrom('schedules')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .orderBy('id')

/** The contact is about to go, and these with it: whoever sees them is told. */
export async function endWithContact(scope: Scope, contactId: number): Promise<void> {
  for (const row of await ofContact(scope, contactId).execute()) await tellEnded(scope, row)
}

/** All of one contact's are the other's now, or these. Returns which. */
export async function moveSchedules(scope: Scope, from: number, to: number, ids?: number[]): Promise<number[]> {
  if (ids && !ids.length) return []
  const theirs = await ofContact(scope, from).execute()
  const moving = ids ? theirs.filter((row) => ids.includes(row.id)) : theirs
  for (const row of moving) await changeSchedule(scope, row, { contactId: to })
  return moving.map((row) => row.id)
}

/** A line is gone: what was to go out through it says so and does not go. It can be tried again on another. */
export async function endWithLine(scope: Scope): Promise<void> {
  const left = await scope.db
    .selectFrom('schedules')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', 'is', null)
    .where('status', 'in', ['PENDENTE', 'AGENDADA'])
    .where('messageId', 'is', null)
    .orderBy('id')
    .execute()
  for (const row of left)
    await scope.transaction((tx) => changeSchedule(tx, row, { status: 'ERRO', error: 'line-gone', waitsUntil: null }))
}
