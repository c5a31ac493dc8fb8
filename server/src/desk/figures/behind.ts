import type { Behind, dashboardApi, FactKind } from '@recado/contract/dashboard/dashboard'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { pageSize } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { asker, seesSql } from '../tickets/visibility.ts'
import { type Asked, during, inSight, listed, ofTag, pressingGoals } from './facts.ts'
import { openOf } from './read.ts'

type Wanted = z.output<typeof dashboardApi.behind.query>

/** What is so now; the others are facts, each with its time. */
type Now = 'open' | 'pending' | 'soonNow' | 'lateNow'
type Past = Exclude<FactKind, Now>
const isNow = (kind: FactKind): kind is Now => ['open', 'pending', 'soonNow', 'lateNow'].includes(kind)

/** Where a fact is read, and the column by which it has its time: its index leads there. */
const legs = sql`"ticketTracking" k cross join lateral leg_facts(k) f`
const ratings = sql`"userRatings" k cross join lateral rating_facts(k) f`
const nexts = sql`"nextAnswers" k cross join lateral answer_facts(k) f`
const goals = sql`"ticketGoals" k cross join lateral goal_facts(k) f`
const menus = sql`"menuSteps" k cross join lateral menu_facts(k) f`
/** Of each kind: where it is read, and when it was: at the first that is known. What is so at this moment has no days. */
type Source = [RawBuilder<unknown>, string, string?]
const sources: Record<Past, Source> = {
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
  botHad: [legs, 'chatbotAt'],
  botPassed: [legs, 'startedAt', 'finishedAt'],
  botLeft: [legs, 'finishedAt'],
  menuFirst: [menus, 'at'],
  menuAsked: [menus, 'at'],
  menuWrong: [menus, 'at'],
  menuLeft: [menus, 'at'],
  next: [nexts, 'at'],
  rate: [ratings, 'createdAt'],
  answerKept: [goals, 'endedAt'],
  resolveKept: [goals, 'endedAt'],
  answerLate: [goals, 'lateAt'],
  resolveLate: [goals, 'lateAt'],
}

/** Tickets that live, since when they wait or are attended; and those of which a promise is nearly late or late. */
const nowOf = (scope: Scope, kind: Now): RawBuilder<unknown> => {
  const rows =
    kind === 'open' || kind === 'pending'
      ? sql`
        select t.id, t."companyId", t.id as "ticketId", coalesce(l."startedAt", l."queuedAt", t."updatedAt") as "sinceAt", t.status as kind,
          t."queueId", t."userId", t."whatsappId"
        from tickets t
        left join "ticketTracking" l on l."companyId" = t."companyId" and l."ticketId" = t.id and l."finishedAt" is null
        where t."companyId" = ${scope.companyId} and t.status = ${sql.lit(kind)}`
      : sql`
        select g."ticketId" as id, g."companyId", g."ticketId", min(g."dueAt") as "sinceAt",
          case when bool_or(g."dueAt" <= ${scope.now()}) then 'lateNow' else 'soonNow' end as kind, g."queueId", t."userId", t."whatsappId"
        from ${pressingGoals(scope)} group by g."ticketId", g."companyId", g."queueId", t."userId", t."whatsappId"`
  return sql`(${rows}) k cross join lateral (
    select k."sinceAt" as at, k."queueId", k."userId", k."whatsappId", k.kind,
      greatest(0, extract(epoch from ${scope.now()}::timestamptz - k."sinceAt"))::int as value) f`
}

const isLength = (kind: FactKind): kind is 'wait' | 'answer' | 'talk' | 'next' =>
  kind === 'wait' || kind === 'answer' || kind === 'talk' || kind === 'next'
/** The facts that somebody means. */
const factsOf = (kind: FactKind, hours: boolean | undefined): string[] =>
  kind === 'menuAsked' ? ['menuRight', 'menuWrong'] : [isLength(kind) && hours ? openOf(kind) : kind]

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
export async function behind(scope: Scope, asked: Asked, wanted: Wanted) {
  const { kind, hour, weekday, noQueue, optionId, atTop, pageNumber } = wanted
  const [source, column, or]: Source = isNow(kind) ? [nowOf(scope, kind), 'sinceAt'] : sources[kind]
  const first = sql`k.${sql.ref(column)}`
  const second = or && sql`k.${sql.ref(or)}`
  const time = second ? sql`coalesce(${first}, ${second})` : first
  // Each column by itself, so that its index is used.
  const inDays = second
    ? sql`(${during(first, asked)} or ${during(second, asked)}) and ${during(time, asked)}`
    : during(time, asked)
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
    where k."companyId" = ${scope.companyId} and ${isNow(kind) ? sql`true` : inDays} and f.kind in (${listed(factsOf(kind, asked.hours))})
      and ${inSight(sql`f."queueId"`, asked)} and ${viewer ? seesSql(viewer) : sql`false`}
      and ${queueId === null ? sql`true` : sql`f."queueId" = ${queueId}`} and ${noQueue ? sql`f."queueId" is null` : sql`true`}
      and ${optionId ? sql`f.value = ${optionId}` : atTop ? sql`f.value = 0` : sql`true`}
      and ${userId === null ? sql`true` : sql`f."userId" = ${userId}`}
      and ${whatsappId === null ? sql`true` : sql`f."whatsappId" = ${whatsappId}`}
      and ${ofTag(scope, tagId, sql`k."ticketId"`)}
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
