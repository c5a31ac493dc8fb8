import type { RatingCounts, RatingsReport } from '@recado/contract/dashboard/report-sections'
import { netPromoterScore, type RatingScale, ratingScales, toRateOfThree } from '@recado/contract/text/rating-scale'
import { sql } from 'kysely'
import { recordsPerPage } from '../../kernel/data/records.ts'
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

type ScaleReport = RatingsReport['scales'][number]

/**
 * The answers of each scale that was used. Those of other scales are counted from their rows; the rest of all ratings are
 * from 1 to 3.
 */
async function readScales(scope: Scope, query: ReportQuery, all: RatingCounts): Promise<ScaleReport[]> {
  const { rows } = await sql<{ scale: RatingScale; score: number; n: number }>`
    select f.scale, f.score, count(*)::int as n from "userRatings" f
    where f."companyId" = ${scope.companyId} and f.scale <> 3 and ${duringSql(sql`f."createdAt"`, query)}
      and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`f."ticketId"`)}
    group by 1, 2`.execute(scope.db)
  const ofThree = [0, all.one, all.two, all.three]
  for (const { scale, score, n } of rows) {
    const rate = toRateOfThree(scale, score)
    ofThree[rate] = (ofThree[rate] ?? 0) - n
  }
  const countsOf = (scale: RatingScale) => {
    const counts = Array.from({ length: scale + 1 }, () => 0)
    for (const row of rows) if (row.scale === scale) counts[row.score] = row.n
    return counts
  }
  return ratingScales.flatMap((scale) => {
    const counts = scale === 3 ? ofThree : countsOf(scale)
    const n = counts.reduce((sum, count) => sum + count, 0)
    if (n === 0) return []
    const average = counts.reduce((sum, count, score) => sum + count * score, 0) / n
    return [{ scale, counts, average, nps: scale === 10 ? netPromoterScore(counts) : null }]
  })
}

type RatingRow = {
  id: number
  at: string
  rate: number
  scale: number
  score: number
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

const ratingColumnsSql = sql`r.id, r."createdAt" as at, r.rate, r.scale, coalesce(r.score, r.rate) as score`
const ratedTicketColumnsSql = sql`t.id as "ticketId", t.number, t.uuid, c.id as "contactId", c.name as contact,
        q.id as "queueId", q.name as queue, q.color, u.id as "userId", u.name as "user"`

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
      select ${ratingColumnsSql}, coalesce(nullif(r.comment, ''), left(w.body, 300), '') as comment,
        ${ratedTicketColumnsSql}
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
        where r.comment = '' and m."companyId" = t."companyId" and m."contactId" = t."contactId" and m."whatsappId" = t."whatsappId"
          and m."createdAt" > r."createdAt" and m."createdAt" < r."createdAt" + interval '15 minutes'
          and not m."fromMe" and not m."isDeleted" and m.body ~ '[[:alpha:]]'
          and ${canReadByTicketSql(viewer, sql`m."ticketId"`, sql`m."whatsappId"`)}
        order by m."createdAt", m.id limit 1) w on true) x
    order by (comment <> '') desc, rate, at desc, id desc limit ${sql.lit(maxRatingsShown)}`.execute(scope.db)
  return rows.map(presentRating)
}

const presentRating = (row: RatingRow): RatingsReport['newest'][number] => ({
  ...{ id: row.id, at: row.at, rate: row.rate, scale: row.scale, score: row.score, comment: row.comment },
  ticket: { id: row.ticketId, number: row.number, uuid: row.uuid },
  contact: { id: row.contactId, name: row.contact },
  queue: row.queueId === null ? null : { id: row.queueId, name: row.queue ?? '', color: row.color ?? '' },
  user: row.userId === null ? null : { id: row.userId, name: row.user ?? '' },
})

/** What customers answered when asked why: a page, newest first, of tickets that the reader may see. */
export async function listRatingComments(scope: Scope, query: ReportQuery, pageNumber: number) {
  const viewer = currentViewer(scope)
  const { rows } = await sql<RatingRow>`
    select ${ratingColumnsSql}, r.comment, ${ratedTicketColumnsSql}
    from (
      select f.* from "userRatings" f join tickets t on t."companyId" = f."companyId" and t.id = f."ticketId"
      where f."companyId" = ${scope.companyId} and f.comment <> '' and ${duringSql(sql`f."createdAt"`, query)}
        and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`f."ticketId"`)}
        and ${viewer ? canSeeTicketSql(viewer) : sql`false`}
      order by f."createdAt" desc, f.id desc
      limit ${sql.lit(recordsPerPage + 1)} offset ${(pageNumber - 1) * recordsPerPage}) r
    join tickets t on t."companyId" = r."companyId" and t.id = r."ticketId"
    join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    left join queues q on q."companyId" = r."companyId" and q.id = r."queueId"
    left join users u on u."companyId" = r."companyId" and u.id = r."userId"
    order by at desc, id desc`.execute(scope.db)
  const ratings = rows.slice(0, recordsPerPage).map(presentRating)
  return {
    ratings,
    count: (pageNumber - 1) * recordsPerPage + ratings.length,
    hasMore: rows.length > recordsPerPage,
  }
}

/** Ratings day by day, and the comments. */
export async function buildRatingsReport(scope: Scope, query: ReportQuery, compare: boolean): Promise<RatingsReport> {
  const summed = await hasSums(scope, query)
  const [days, before, newest] = await Promise.all([
    readRates(scope, query, summed),
    compare ? readRates(scope, { ...query, ...precedingDates(query) }, summed) : null,
    loadNewestRatings(scope, query),
  ])
  const all = sumRates(days.values())
  return {
    all,
    scales: await readScales(scope, query, all),
    before: before && sumRates(before.values()),
    series: listDays(query).map((day) => ({ day, ...(days.get(day) ?? noRates) })),
    newest,
  }
}
