import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import { fold } from '@recado/contract/text/fold'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { likePattern, recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'
import { findRoomsOfReaders } from '../messages/store.ts'
import { type ChatKey, findRoomsOfChats } from '../thread-updates.ts'
import { canReadByTicketSql, canSeeChatSql, currentViewer } from '../tickets/base/visibility.ts'

export type ScheduleRow = Selectable<DB['schedules']>

/** When the customer last wrote on that line since schedule `s` was saved. */
export const wroteSinceSql = sql.raw(`(
    select l."createdAt" from messages l
    where l."companyId" = s."companyId" and l."contactId" = s."contactId" and l."whatsappId" = s."whatsappId"
      and not l."fromMe" and l."createdAt" > s."savedAt" order by l."createdAt" desc, l.id desc limit 1)`)

type ScheduleReadRow = Omit<Schedule, 'template' | 'mediaPath'> &
  Pick<ScheduleRow, 'companyId' | 'sendAs' | 'mediaPath'>

const scheduleColumns = sql`s.id, s."companyId", s.body, s."contactId", s."sendAt", s."sentAt", s.status, s.error, s."heldAt",
  s."onReply", s."mediaPath", s."mediaName", s."userId", s."whatsappId", s.repeat, s.nth, s."createdAt", s."sendAs",
  json_build_object('id', c.id, 'name', c.name, 'number', c.number) as contact,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user",
  case when w.id is not null then json_build_object('id', w.id, 'name', w.name) end as whatsapp,
  t.uuid as "ticketUuid",
  case when s."onReply" = 'hold' and s.status = 'PENDENTE' then ${wroteSinceSql} end as "wroteAt"`

const scheduleJoins = sql`
  join contacts c on c."companyId" = s."companyId" and c.id = s."contactId"
  left join users u on u."companyId" = s."companyId" and u.id = s."userId"
  left join whatsapps w on w."companyId" = s."companyId" and w.id = s."whatsappId"
  left join tickets t on t."companyId" = s."companyId" and t.id = s."ticketId"`

const presentRow = (scope: Scope, { sendAs, ...row }: ScheduleReadRow): Schedule => ({
  ...row,
  mediaPath: signedMediaUrl(scope, row),
  template: sendAs?.template ? { name: sendAs.template.name, language: sendAs.template.language } : null,
})

/**
 * Users see their own scheduled messages and those of chats in which they see a ticket; admins see all. A scheduled
 * message already sent into a ticket follows that ticket's visibility. `s` is the schedule.
 */
function isVisibleScheduleSql(scope: Scope): RawBuilder<boolean> {
  const viewer = currentViewer(scope)
  if (!viewer) return sql<boolean>`false`
  const [ticketId, line] = [sql`s."ticketId"`, sql`s."whatsappId"`]
  return sql<boolean>`(s."userId" = ${viewer.id} or case when s."ticketId" is null
    then ${canSeeChatSql(viewer, sql`s."contactId"`, line)} else ${canReadByTicketSql(viewer, ticketId, line)} end)`
}

/** Whether these contacts have pending schedules that the user may not see; for a non-viewer, whether there are any. */
export async function hasHiddenSchedules(scope: Scope, contactIds: number[], isViewer: boolean): Promise<boolean> {
  const { rows } = await sql<{ hidden: boolean }>`
    select exists (
      select from schedules s where s."companyId" = ${scope.companyId} and s."contactId" = any(${contactIds}::int[])
        and s.status in ('PENDENTE', 'AGENDADA') and not ${isViewer ? isVisibleScheduleSql(scope) : sql<boolean>`false`}
    ) as hidden`.execute(scope.db)
  return rows[0]?.hidden === true
}

/** The fields that decide the visibility of a scheduled message, by the same rule as socket rooms. */
type ScheduleVisibility = Pick<ScheduleRow, 'contactId' | 'whatsappId' | 'userId' | 'ticketId'>
export async function findRoomsOfSchedules(scope: Scope, rows: ScheduleVisibility[]): Promise<string[][]> {
  const chats = rows.filter(
    (row): row is ScheduleVisibility & ChatKey => row.ticketId === null && row.whatsappId !== null,
  )
  const ofChats = await findRoomsOfChats(scope, chats)
  const rooms = new Map<ScheduleVisibility, string[]>(chats.map((row, n) => [row, ofChats[n] as string[]]))
  const ofTickets = await roomsOfTickets(scope, [...new Set(rows.flatMap(({ ticketId }) => ticketId ?? []))])
  return rows.map((row) => {
    const own = row.userId === null ? [] : [`user-${row.userId}`]
    const place = rooms.get(row) ?? ofTickets.get(row.ticketId ?? 0) ?? []
    return [...new Set([`company-${scope.companyId}-admin`, ...own, ...place])]
  })
}

async function roomsOfTickets(scope: Scope, ids: number[]): Promise<Map<number, string[]>> {
  if (!ids.length) return new Map()
  const tickets = await scope.db
    .selectFrom('tickets')
    .select(['id', 'companyId', 'userId', 'queueId', 'status', 'contactId', 'whatsappId'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  const readers = await findRoomsOfReaders(scope, tickets)
  return new Map(tickets.map(({ id }, n) => [id, readers[n] as string[]]))
}

async function readSchedules(scope: Scope, where: RawBuilder<unknown>, end: RawBuilder<unknown>): Promise<Schedule[]> {
  const { rows } = await sql<ScheduleReadRow>`
    select ${scheduleColumns} from schedules s ${scheduleJoins} where s."companyId" = ${scope.companyId} and ${where} ${end}`.execute(
    scope.db,
  )
  return rows.map((row) => presentRow(scope, row))
}

/** Reads schedules without a visibility check. */
export const presentSchedules = (scope: Scope, ids: number[]): Promise<Schedule[]> =>
  readSchedules(scope, sql`s.id = any(${ids}::int[])`, sql`order by array_position(${ids}::int[], s.id)`)
export async function presentSchedule(scope: Scope, id: number): Promise<Schedule> {
  const [row] = await presentSchedules(scope, [id])
  if (!row) throw new AppError(schedulesApi.record.missing)
  return row
}

/** One schedule that the user may see. */
export async function findSchedule(scope: Scope, id: number): Promise<Schedule> {
  const [row] = await readSchedules(scope, sql`s.id = ${id} and ${isVisibleScheduleSql(scope)}`, sql``)
  if (!row) throw new AppError(schedulesApi.record.missing)
  return row
}

/** The row of a schedule that the user may see, locked until the transaction ends. */
export async function lockSchedule(scope: Scope, id: number): Promise<ScheduleRow> {
  const { rows } = await sql<ScheduleRow>`
    select s.* from schedules s where s."companyId" = ${scope.companyId} and s.id = ${id} and ${isVisibleScheduleSql(scope)}
    for no key update of s`.execute(scope.db)
  if (!rows[0]) throw new AppError(schedulesApi.record.missing)
  return rows[0]
}

/** A maximum that no calendar view reaches. */
const maxSchedulesInRange = 2000

type ScheduleQuery = {
  searchParam: string
  pageNumber: number
  contactId?: number | undefined
  userId?: number | undefined
  status?: Schedule['status'] | undefined
  held?: boolean | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** One page, newest first; for a time range, all schedules in order. */
export async function listSchedules(scope: Scope, query: ScheduleQuery) {
  const { searchParam, contactId, userId, status, held, from, until } = query
  const pattern = likePattern(fold(searchParam))
  const asked = [
    isVisibleScheduleSql(scope),
    ...(searchParam ? [sql`(fold(s.body) like ${pattern} or fold(c.name) like ${pattern})`] : []),
    ...(contactId ? [sql`s."contactId" = ${contactId}`] : []),
    ...(userId ? [sql`s."userId" = ${userId}`] : []),
    ...(status ? [sql`s.status = ${status}`] : []),
    ...(held === undefined ? [] : [held ? sql`s."heldAt" is not null` : sql`s."heldAt" is null`]),
    ...(from ? [sql`s."sendAt" >= ${from}`] : []),
    ...(until ? [sql`s."sendAt" < ${until}`] : []),
  ]
  const where = sql.join(asked, sql` and `)
  if (from && until) {
    const schedules = await readSchedules(scope, where, sql`order by s."sendAt", s.id limit ${maxSchedulesInRange}`)
    return { schedules, count: schedules.length, hasMore: schedules.length === maxSchedulesInRange }
  }
  const offset = (query.pageNumber - 1) * recordsPerPage
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from schedules s join contacts c on c."companyId" = s."companyId" and c.id = s."contactId"
    where s."companyId" = ${scope.companyId} and ${where}`.execute(scope.db)
  const schedules = await readSchedules(scope, where, sql`order by s.id desc limit ${recordsPerPage} offset ${offset}`)
  const count = rows[0]?.count ?? 0
  return { schedules, count, hasMore: offset + schedules.length < count }
}
