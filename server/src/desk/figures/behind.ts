import type { Behind, dashboardApi, FactKind } from '@recado/contract/dashboard/dashboard'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { pageSize } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { asker, seesSql } from '../tickets/visibility.ts'
import { type Asked, during, inSight } from './facts.ts'
import { openOf } from './read.ts'

type Wanted = z.output<typeof dashboardApi.behind.query>

/** Where a fact is read, and the column by which it has its time: its index leads there. */
const legs = sql`"ticketTracking" k cross join lateral leg_facts(k) f`
const ratings = sql`"userRatings" k cross join lateral rating_facts(k) f`
const nexts = sql`"nextAnswers" k cross join lateral answer_facts(k) f`
const goals = sql`"ticketGoals" k cross join lateral goal_facts(k) f`
const sources: Record<FactKind, [RawBuilder<unknown>, string]> = {
  came: [legs, 'createdAt'],
  again: [legs, 'createdAt'],
  wait: [legs, 'startedAt'],
  answer: [legs, 'answeredAt'],
  talk: [legs, 'finishedAt'],
  resolved: [legs, 'finishedAt'],
  alone: [legs, 'finishedAt'],
  transferred: [legs, 'finishedAt'],
  returned: [legs, 'finishedAt'],
  once: [legs, 'finishedAt'],
  botLeft: [legs, 'finishedAt'],
  next: [nexts, 'at'],
  rate: [ratings, 'createdAt'],
  answerKept: [goals, 'endedAt'],
  resolveKept: [goals, 'endedAt'],
  answerLate: [goals, 'lateAt'],
  resolveLate: [goals, 'lateAt'],
}

const isLength = (kind: FactKind): kind is 'wait' | 'answer' | 'talk' | 'next' =>
  kind === 'wait' || kind === 'answer' || kind === 'talk' || kind === 'next'

type Row = {
  id: number
  at: string
  value: number
  ticketId: number
  number: number
  uuid: string
  contactId: number
  contact: string
  queueId: number | null
  queue: string | null
  color: string | null
  userId: number | null
  user: string | null
}

/** The tickets behind a number, newest first: a page of them, and whether there are more. */
export async function behind(scope: Scope, asked: Asked, { kind, hour, weekday, pageNumber }: Wanted) {
  const [source, column] = sources[kind]
  const time = sql`k.${sql.ref(column)}`
  const local = sql`(f.at at time zone ${asked.zone})`
  const { queueId, userId, whatsappId, tagId } = asked
  const viewer = asker(scope)
  const { rows } = await sql<Row>`
    select k.id, f.at, f.value, t.id as "ticketId", t.number, t.uuid, c.id as "contactId", c.name as contact,
      q.id as "queueId", q.name as queue, q.color, u.id as "userId", u.name as "user"
    from ${source}
    join tickets t on t."companyId" = k."companyId" and t.id = k."ticketId"
    join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    left join queues q on q."companyId" = k."companyId" and q.id = f."queueId"
    left join users u on u."companyId" = k."companyId" and u.id = f."userId"
    where k."companyId" = ${scope.companyId} and ${during(time, asked)} and f.kind = ${sql.lit(isLength(kind) && asked.hours ? openOf(kind) : kind)}
      and ${inSight(sql`f."queueId"`, asked)} and ${viewer ? seesSql(viewer) : sql`false`}
      and ${queueId === null ? sql`true` : sql`f."queueId" = ${queueId}`}
      and ${userId === null ? sql`true` : sql`f."userId" = ${userId}`}
      and ${whatsappId === null ? sql`true` : sql`f."whatsappId" = ${whatsappId}`}
      and ${tagId === null ? sql`true` : sql`exists (select from "ticketTags" g where g."companyId" = k."companyId" and g."ticketId" = k."ticketId" and g."tagId" = ${tagId})`}
      and ${hour === undefined ? sql`true` : sql`extract(hour from ${local}) = ${hour}`}
      and ${weekday === undefined ? sql`true` : sql`extract(isodow from ${local}) = ${weekday}`}
    order by ${time} desc, k.id desc
    limit ${sql.lit(pageSize + 1)} offset ${(pageNumber - 1) * pageSize}`.execute(scope.db)
  const tickets = rows.slice(0, pageSize).map(
    (row): Behind => ({
      key: `${kind} ${row.id}`,
      at: row.at,
      value: row.value,
      ticket: { id: row.ticketId, number: row.number, uuid: row.uuid },
      contact: { id: row.contactId, name: row.contact },
      queue: row.queueId === null ? null : { id: row.queueId, name: row.queue ?? '', color: row.color ?? '' },
      user: row.userId === null ? null : { id: row.userId, name: row.user ?? '' },
    }),
  )
  const hasMore = rows.length > pageSize
  // How many there are stands on the page from which this is opened.
  return { tickets, count: (pageNumber - 1) * pageSize + tickets.length, hasMore }
}
