import { fold } from '@recado/contract/text/fold'
import { ticketPriorities } from '@recado/contract/ticket-statuses'
import {
  isConditionGroup,
  type TicketCondition,
  type TicketConditionGroup,
} from '@recado/contract/views/ticket-conditions'
import { type RawBuilder, sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'

/** `isMine`: whether the ticket belongs to the user who looks. */
type Evaluation = { isMine: RawBuilder<boolean>; now: Date }

/** The contract's `meetsConditions` as a condition on `t`, a row of tickets. It is never null. */
export function conditionsSql(group: TicketConditionGroup, as: Evaluation): RawBuilder<boolean> {
  if (!group.of.length) return sql<boolean>`true`
  const parts = group.of.map((node) =>
    isConditionGroup(node)
      ? conditionsSql(node, as)
      : node.not
        ? sql<boolean>`not ${conditionSql(node, as)}`
        : conditionSql(node, as),
  )
  return sql<boolean>`(${sql.join(parts, group.match === 'all' ? sql` and ` : sql` or `)})`
}

function conditionSql(condition: TicketCondition, { isMine, now }: Evaluation): RawBuilder<boolean> {
  switch (condition.field) {
    case 'status':
      return sql<boolean>`(t.status = any(${condition.in}::text[]))`
    case 'priority':
      return sql<boolean>`(t.priority = any(${condition.in.map((word) => ticketPriorities.indexOf(word))}::int[]))`
    case 'queue':
      return isOneOfSql(sql`t."queueId"`, condition.in)
    case 'user':
      return sql<boolean>`(${isOneOfSql(
        sql`t."userId"`,
        condition.in.filter((value) => value !== 'me'),
      )}${condition.in.includes('me') ? sql` or ${isMine}` : sql``})`
    case 'tag':
      return sql<boolean>`exists (select from "ticketTags" x
        where x."companyId" = t."companyId" and x."ticketId" = t.id and x."tagId" = any(${condition.in}::int[]))`
    case 'connection':
      return isOneOfSql(sql`t."whatsappId"`, condition.in)
    case 'ad':
      return isOneOfSql(sql`t."adId"`, condition.in)
    case 'owner':
      return isOneOfSql(
        sql`(select c."ownerId" from contacts c where c."companyId" = t."companyId" and c.id = t."contactId")`,
        condition.in,
      )
    case 'closingReason':
      return isOneOfSql(sql`(case when t.status = 'closed' then t."closingReasonId" end)`, condition.in)
    case 'unread':
      return sql<boolean>`(t."unreadMessages" > 0)`
    case 'snoozed':
      return sql<boolean>`(t."snoozedAt" is not null)`
    case 'waiting':
      return sql<boolean>`((t."waitingSince" <= ${before(now, condition.minutes)}) is true)`
    case 'goal':
      return sql<boolean>`exists (select ${runningGoalsSql} and g."dueAt" <= ${before(now, -condition.minutes)})`
    case 'contact':
      return contactSql(condition)
  }
}

const before = (now: Date, count: number) => sql`${new Date(now.getTime() - minutes(count))}::timestamptz`

/** The goals that a ticket shows: those of its queue that are not met yet. */
const runningGoalsSql = sql`from "ticketGoals" g
  where g."companyId" = t."companyId" and g."ticketId" = t.id and g."queueId" = t."queueId" and g."endedAt" is null`

const isOneOfSql = (column: RawBuilder<unknown>, values: readonly (number | null)[]): RawBuilder<boolean> =>
  sql<boolean>`((${column} = any(${values.filter((value) => value !== null)}::int[])) is true${
    values.includes(null) ? sql` or ${column} is null` : sql``
  })`

function contactSql({ key, custom, contains }: Extract<TicketCondition, { field: 'contact' }>): RawBuilder<boolean> {
  const has = (column: RawBuilder<unknown>) => sql`position(${fold(contains)} in fold(${column})) > 0`
  if (key === 'custom')
    return sql<boolean>`exists (select from "contactFields" f
      where f."companyId" = t."companyId" and f."contactId" = t."contactId"
        and fold(f.name) = ${fold(custom)} and ${has(sql`f.value`)})`
  return sql<boolean>`exists (select from contacts c
    where c."companyId" = t."companyId" and c.id = t."contactId" and ${has(sql`c.${sql.ref(key)}`)})`
}

/** When time alone may next change the result for the ticket `t`; null: never. */
export function nextChangeSql(group: TicketConditionGroup, now: Date): RawBuilder<string | null> {
  const times = group.of.flatMap((node): RawBuilder<unknown>[] => {
    if (isConditionGroup(node)) return [nextChangeSql(node, now)]
    const at = sql`${now}::timestamptz`
    if (node.field === 'waiting') {
      const due = sql`t."waitingSince" + make_interval(mins => ${node.minutes}::int)`
      return [sql`case when ${due} > ${at} then ${due} end`]
    }
    if (node.field === 'goal') {
      const due = sql`g."dueAt" - make_interval(mins => ${node.minutes}::int)`
      return [sql`(select min(${due}) ${runningGoalsSql} and ${due} > ${at})`]
    }
    return []
  })
  return times.length ? sql<string | null>`least(${sql.join(times)})` : sql<null>`null::timestamptz`
}
