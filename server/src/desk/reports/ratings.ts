import type { RatingCounts, RatingsReport } from '@recado/contract/dashboard/report-sections'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { canReadByTicketSql, canSeeTicketSql, currentViewer } from '../tickets/base/visibility.ts'
import { listDays, precedingDates } from './dashboard.ts'
import { durationStepsSql, hasSums } from './read.ts'
import { duringSql, hasTagSql, matchesFilterSql, type ReportQuery } from './report-sql.ts'

const noRates: RatingCounts = { one: 0, two: 0, three: 0 }
const rateNames = { 1: 'one', 2: 'two', 3: 'three' } as const
type Rate = keyof typeof rateNames

/** The count of each score per day. Every score is a histogram step whose average is the score itself. */
async function readRates(scope: Scope, query: ReportQuery, summed: boolean): Promise<Map<string, RatingCounts>> {
  const { rows } = await sql<{ day: string; rate: Rate; n: number }>`
    with r as (${durationStepsSql(scope, query, summed, ['rate'], 'day')})
    select day::text, round(sum(seconds)::numeric / sum(n))::int as rate, sum(n)::int as n from r
    group by day, step having sum(n) > 0 order by 1, 2`.execute(scope.db)
  const days = new Map<string, RatingCounts>()
  for (const { day, rate, n } of rows) days.set(day, { ...(days.get(day) ?? noRates), [rateNames[rate]]: n })
  return days
}
const sumRates = (all: Iterable<RatingCounts>): RatingCounts => {
  const sum = { ...noRates }
  for (const { one, two, three } of all) {
    sum.one += one
    sum.two += two
    sum.three += three
  }
  return sum
}

type RatingRow = {
  id: number
  at: string
  rate: number
  comment: string
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

/** How many of the newest ratings are read; the most informative of them are shown. */
const maxRatingsScanned = 60
const maxRatingsShown = 12

/**
 * A customer's message within a quarter of an hour after their rating counts as a comment on it. The comment is also an
 * ordinary message: users who may not read it in the ticket do not see it here.
 */
async function loadNewestRatings(scope: Scope, query: ReportQuery): Promise<RatingsReport['newest']> {
  const viewer = currentViewer(scope)
  if (!viewer) return []
  const { rows } = await sql<RatingRow>`
    select * from (
      select r.id, r."createdAt" as at, r.rate, coalesce(left(w.body, 300), '') as comment, t.id as "ticketId", t.number, t.uuid,
        c.id as "contactId", c.name as contact, q.id as "queueId", q.name as queue, q.color, u.id as "userId", u.name as "user"
      from (
        select f.* from "userRatings" f join tickets t on t."companyId" = f."companyId" and t.id = f."ticketId"
        where f."companyId" = ${scope.companyId} and ${duringSql(sql`f."createdAt"`, query)}
          and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`f."ticketId"`)} and ${canSeeTicketSql(viewer)}
        order by f."createdAt" desc, f.id desc limit ${sql.lit(maxRatingsScanned)}) r
      join tickets t on t."companyId" = r."companyId" and t.id = r."ticketId"
      join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
      left join queues q on q."companyId" = r."companyId" and q.id = r."queueId"
      left join users u on u."companyId" = r."companyId" and u.id = r."userId"
      left join lateral (
        select m.body from messages m
        where m."companyId" = t."companyId" and m."contactId" = t."contactId" and m."whatsappId" = t."whatsappId"
          and m."createdAt" > r."createdAt" and m."createdAt" < r."createdAt" + interval '15 minutes'
          and not m."fromMe" and not m."isDeleted" and m.body ~ '[[:alpha:]]'
          and ${canReadByTicketSql(viewer, sql`m."ticketId"`, sql`m."whatsappId"`)}
        order by m."createdAt", m.id limit 1) w on true) x
    order by (comment <> '') desc, rate, at desc, id desc limit ${sql.lit(maxRatingsShown)}`.execute(scope.db)
  return rows.map((row) => ({
    ...{ id: row.id, at: row.at, rate: row.rate, comment: row.comment },
    ticket: { id: row.ticketId, number: row.number, uuid: row.uuid },
    contact: { id: row.contactId, name: row.contact },
    queue: row.queueId === null ? null : { id: row.queueId, name: row.queue ?? '', color: row.color ?? '' },
    user: row.userId === null ? null : { id: row.userId, name: row.user ?? '' },
  }))
}

/** Ratings day by day, and the comments. */
export async function buildRatingsReport(scope: Scope, query: ReportQuery, compare: boolean): Promise<RatingsReport> {
  const summed = await hasSums(scope, query)
  const [days, before, newest] = await Promise.all([
    readRates(scope, query, summed),
    compare ? readRates(scope, { ...query, ...precedingDates(query) }, summed) : null,
    loadNewestRatings(scope, query),
  ])
  return {
    all: sumRates(days.values()),
    before: before && sumRates(before.values()),
    series: listDays(query).map((day) => ({ day, ...(days.get(day) ?? noRates) })),
    newest,
  }
}
