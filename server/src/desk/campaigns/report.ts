import type {
  CampaignPeopleGroup,
  CampaignPerson,
  CampaignReport,
  SkipReason,
} from '@recado/contract/campaigns/campaigns'
import {
  countSentBetween,
  isSendingTime,
  nextSendingTime,
  sendingWindowsBetween,
} from '@recado/contract/campaigns/pace'
import { dateOfWallTime } from '@recado/contract/schedules/occurrences'
import { fold } from '@recado/contract/text/fold'
import { type RawBuilder, sql } from 'kysely'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { activeLockUntil } from '../../directory/connections/pacing.ts'
import { addDays, toCalendarDay } from '../../kernel/clock.ts'
import { likePattern, recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { sumMessageCosts } from '../messages/costs.ts'
import { loadDailyCapOfLine, loadSendingCalendar } from './plan.ts'
import { campaignTexts } from './prepare.ts'
import { countCampaign } from './recount.ts'
import { isRetryable, isRetryableSql } from './retry.ts'
import { canCompanySendCampaigns } from './send.ts'
import { loadCampaignSettings } from './settings.ts'
import { type CampaignRow, campaigns } from './view.ts'

const ofCampaignSql = (scope: Scope, id: number) => sql`"companyId" = ${scope.companyId} and "campaignId" = ${id}`

/** Why nothing is being sent at the moment. */
async function whyCampaignWaits(scope: Scope, row: CampaignRow): Promise<CampaignReport['waits']> {
  if (row.status === 'PROGRAMADA') return { why: 'not-begun', until: row.scheduledAt }
  if (row.status !== 'EM_ANDAMENTO') return null
  if (row.held !== null) return { why: 'failing', until: null }
  if (row.whatsappId === null) return { why: 'line-gone', until: null }
  const settings = await loadCampaignSettings(scope)
  const calendar = await loadSendingCalendar(scope, settings)
  const now = scope.now()
  if (!(await canCompanySendCampaigns(scope, calendar.zone))) return { why: 'not-paid', until: null }
  const line = await findLine(scope, row.whatsappId)
  if (line.status !== 'CONNECTED') return { why: 'line-down', until: null }
  const lockedUntil = activeLockUntil(line, now)
  if (lockedUntil) return { why: 'locked', until: lockedUntil }
  if (!isSendingTime(calendar, now))
    return { why: 'hours', until: nextSendingTime(calendar, now)?.toISOString() ?? null }
  const today = toCalendarDay(now, calendar.zone)
  const kept = await scope.db
    .selectFrom('campaignLines')
    .select(['day', 'sentToday'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', row.whatsappId)
    .executeTakeFirst()
  const limit = Math.min(
    settings.dailyLimit || Number.POSITIVE_INFINITY,
    (await loadDailyCapOfLine(scope, line)) ?? Number.POSITIVE_INFINITY,
  )
  if (kept?.day !== today || kept.sentToday < limit) return null
  const until = nextSendingTime(calendar, dateOfWallTime(`${addDays(today, 1)}T00:00`, calendar.zone))
  return { why: 'day-limit', until: until?.toISOString() ?? null }
}

/** Maximum number of points on a curve. */
const maxCurvePoints = 96

type CurvePoint = Record<'sent' | 'delivered' | 'read' | 'answered', number> & { at: string }

/** Customer reactions are shown at least this long after the end, also for campaigns that took less time. */
const minAftermathMs = 3_600_000
/** Campaigns shorter than this are drawn with this length. */
const minCurveMs = 60_000

/**
 * The end of the curve: now or, after the campaign, the last read or answer within a time as long as the sending took.
 */
async function curveEnd(scope: Scope, row: CampaignRow): Promise<Date> {
  const until = await lastCampaignEventAt(scope, row)
  const least = row.startedAt === null ? 0 : Date.parse(row.startedAt) + minCurveMs
  return new Date(Math.max(least, until.getTime()))
}

/** The time of the last event that the curve shows. */
async function lastCampaignEventAt(scope: Scope, { id, startedAt, completedAt }: CampaignRow): Promise<Date> {
  if (startedAt === null || completedAt === null) return scope.now()
  const [from, ended] = [Date.parse(startedAt), Date.parse(completedAt)]
  const { rows } = await sql<{ last: Date | null }>`
    select greatest(max("deliveredAt"), max("readAt"), max("answeredAt")) as last
    from "campaignShippings" where ${ofCampaignSql(scope, id)}`.execute(scope.db)
  const last = new Date(rows[0]?.last ?? ended).getTime()
  return new Date(Math.max(ended, Math.min(last, ended + Math.max(minAftermathMs, ended - from))))
}

/** Cumulative counts at even steps from the start. */
async function loadCurve(scope: Scope, row: CampaignRow, until: Date): Promise<CampaignReport['curve']> {
  if (row.startedAt === null) return []
  const from = new Date(row.startedAt)
  const step = (until.getTime() - from.getTime()) / maxCurvePoints
  const { rows } = await sql<CurvePoint>`
    with steps as (
      select n, ${from}::timestamptz + make_interval(secs => n * ${step / 1000}::float) as at from generate_series(0, ${maxCurvePoints}::int) n
    ), happened as (
      select kind, least(${maxCurvePoints}::int, width_bucket(extract(epoch from moment)::float, extract(epoch from ${from}::timestamptz)::float,
        extract(epoch from ${from}::timestamptz)::float + ${(step * maxCurvePoints) / 1000}::float, ${maxCurvePoints}::int)) as n, count(*)::int as count
      from "campaignShippings" s cross join lateral (values ('sent', s."sentAt"), ('delivered', s."deliveredAt"),
        ('read', s."readAt"), ('answered', s."answeredAt")) v (kind, moment)
      where ${ofCampaignSql(scope, row.id)} and moment is not null group by 1, 2
    )
    select steps.at,
      ${sql.join(
        ['sent', 'delivered', 'read', 'answered'].map(
          (kind) => sql`coalesce(sum(h.count) filter (where h.kind = ${kind}), 0)::int as ${sql.ref(kind)}`,
        ),
      )}
    from steps left join happened h on h.n <= steps.n group by steps.n, steps.at order by steps.n`.execute(scope.db)
  const runs = row.planned?.runs ?? []
  const plannedUntil = (at: string) => Math.round(countSentBetween(runs, 0, Date.parse(at) + 1))
  return rows.map((point) => ({ ...point, planned: plannedUntil(point.at) }))
}

/** The plan and the sending hours, up to the end of the curve or of the plan. */
async function loadPlan(scope: Scope, row: CampaignRow, until: Date): Promise<Pick<CampaignReport, 'open' | 'plan'>> {
  const plan = row.planned?.runs ?? []
  if (row.startedAt === null) return { open: [], plan }
  const ends = [until.getTime(), ...plan.map((run) => Date.parse(run.until))]
  const calendar = await loadSendingCalendar(scope, await loadCampaignSettings(scope))
  return { open: sendingWindowsBetween(calendar, new Date(row.startedAt), new Date(Math.max(...ends))), plan }
}

export async function buildCampaignReport(scope: Scope, id: number): Promise<CampaignReport> {
  const row = await campaigns.findRow(scope, id)
  const texts = new Map(campaignTexts(row).map(({ variant, text }) => [variant, text]))
  const variants = await sql<Omit<CampaignReport['variants'][number], 'text'>>`
    select variant, count(*) filter (where state = 'sent')::int as sent, count("deliveredAt")::int as delivered,
      count("readAt")::int as read, count("answeredAt")::int as answered, count("stoppedAt")::int as stopped
    from "campaignShippings" where ${ofCampaignSql(scope, id)} and state <> 'skipped' group by variant order by variant`.execute(
    scope.db,
  )
  const failures = await sql<{ reason: string; count: number }>`
    select coalesce(reason, 'unknown') as reason, count(*)::int as count from "campaignShippings"
    where ${ofCampaignSql(scope, id)} and state = 'failed' group by 1 order by count desc, reason`.execute(scope.db)
  const skipped = await sql<{ reason: SkipReason; count: number }>`
    select reason, count(*)::int as count from "campaignShippings"
    where ${ofCampaignSql(scope, id)} and state = 'skipped' and reason is not null group by 1 order by count desc`.execute(
    scope.db,
  )
  const doubled = row.planned?.doubled ?? 0
  const until = await curveEnd(scope, row)
  return {
    campaign: { ...(await campaigns.presentRow(scope, row)), counts: await countCampaign(scope, row) },
    waits: await whyCampaignWaits(scope, row),
    ...(await loadPlan(scope, row, until)),
    curve: await loadCurve(scope, row, until),
    variants: variants.rows.map((one) => ({ ...one, text: texts.get(one.variant) ?? '' })),
    failures: failures.rows.map((one) => ({ ...one, retryable: isRetryable(one.reason) })),
    skipped: [...skipped.rows, ...(doubled ? [{ reason: 'doubled' as const, count: doubled }] : [])],
    cost: await sumMessageCosts(scope, sql`"campaignId" = ${id}`),
  }
}

/** The SQL condition behind each count of the report. */
const groupConditions: Record<CampaignPeopleGroup, RawBuilder<unknown>> = {
  all: sql`true`,
  valid: sql`(state <> 'skipped' or "askedAt" is not null)`,
  pending: sql`state in ('pending', 'confirmed', 'queued')`,
  sent: sql`state = 'sent'`,
  delivered: sql`"deliveredAt" is not null`,
  read: sql`"readAt" is not null`,
  answered: sql`"answeredAt" is not null`,
  failed: sql`state = 'failed'`,
  stopped: sql`"stoppedAt" is not null`,
  skipped: sql`state = 'skipped'`,
  asked: sql`"askedAt" is not null`,
  confirmed: sql`"confirmedAt" is not null`,
}
type PeopleFilter = { group: CampaignPeopleGroup; reason?: string | undefined }

const personColumns = sql`id, "contactId", name, number, email, case when state = 'skipped' then null else variant end as variant, body,
  case when state = 'queued' then 'pending' else state end as state, reason, state = 'failed' and ${isRetryableSql} as retryable,
  "sentAt", "deliveredAt", "readAt", "answeredAt", "stoppedAt"`

const peopleConditionSql = (scope: Scope, id: number, { group, reason }: PeopleFilter) =>
  sql`${ofCampaignSql(scope, id)} and ${groupConditions[group]} ${reason === undefined ? sql`` : sql`and reason = ${reason}`}`

type PeoplePageQuery = PeopleFilter & { searchParam: string; pageNumber: number }
export async function listCampaignPeople(scope: Scope, id: number, query: PeoplePageQuery) {
  await campaigns.findRow(scope, id)
  const pattern = likePattern(fold(query.searchParam))
  const found = query.searchParam ? sql`and (fold(name) like ${pattern} or number like ${pattern})` : sql``
  const filter = sql`${peopleConditionSql(scope, id, query)} ${found}`
  const offset = (query.pageNumber - 1) * recordsPerPage
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from "campaignShippings" where ${filter}`.execute(scope.db)
  const { rows } = await sql<CampaignPerson>`
    select ${personColumns} from "campaignShippings" where ${filter} order by id limit ${recordsPerPage} offset ${offset}`.execute(
    scope.db,
  )
  const count = counted.rows[0]?.count ?? 0
  return { people: rows, count, hasMore: offset + rows.length < count }
}

const sheetHeaders = [
  'nome',
  'numero',
  'e-mail',
  'texto',
  'estado',
  'motivo',
  'enviado',
  'entregue',
  'lido',
  'respondido',
  'parou',
]

/** The people of a group as the rows of a spreadsheet, with the header first. */
export async function exportCampaignPeople(scope: Scope, id: number, filter: PeopleFilter): Promise<string[][]> {
  const { name } = await campaigns.findRow(scope, id)
  await writeAudit(scope, 'export.campaign', id, name)
  const { rows } = await sql<CampaignPerson>`
    select ${personColumns} from "campaignShippings" where ${peopleConditionSql(scope, id, filter)} order by id`.execute(
    scope.db,
  )
  return [
    sheetHeaders,
    ...rows.map((p) => [
      ...[p.name, p.number, p.email, p.body, p.state, p.reason ?? ''],
      ...[p.sentAt, p.deliveredAt, p.readAt, p.answeredAt, p.stoppedAt].map((at) => at ?? ''),
    ]),
  ]
}
