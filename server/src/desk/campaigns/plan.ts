import type { CampaignPlan, CampaignPlanGroup } from '@recado/contract/campaigns/campaigns'
import { type LineSendingLimits, planSending, type SendingPlan, sendingCalendar } from '@recado/contract/campaigns/pace'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import type { Calendar } from '@recado/contract/hours/opening'
import { lineTraits } from '@recado/contract/line-traits'
import { sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import {
  activeLockUntil,
  computeSendLimits,
  loadPaceCounts,
  loadSendLimits,
} from '../../directory/connections/pacing.ts'
import { addMs, days, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { listReachedByHour, loadMessagingLimit } from '../../lines/cloud/health.ts'
import { type AudienceSource, countAudience, listAudience } from './audience.ts'

/** The hours in which campaigns of this company may send. */
export async function loadSendingCalendar(scope: Scope, settings: CampaignSettings): Promise<Calendar> {
  const { schedules, holidays } = await scope.db
    .selectFrom('companies')
    .select(['schedules', 'holidays'])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return sendingCalendar(settings, { week: schedules, holidays, zone: await loadCompanyTimeZone(scope) })
}

type LineRow = Awaited<ReturnType<typeof findLine>>

/** A line's daily limit of people that it may write to first; null: no limit. Paid vendors apply their own limits. */
export async function loadDailyCapOfLine(scope: Scope, line: LineRow): Promise<number | null> {
  return lineTraits[line.provider].paced ? (await loadSendLimits(scope, line)).dailyCap : null
}

/** The limit is computed for this many days with today's counts: nobody knows yet who will answer. */
const pacingForecastDays = 14

async function linePace(
  scope: Scope,
  whatsappId: number | null,
  zone: string,
  { id: except, from }: { id: number | null; from: Date },
): Promise<LineSendingLimits> {
  if (whatsappId === null) return { perMinute: null, caps: [null], sentToday: 0, ahead: 0 }
  const line = await findLine(scope, whatsappId)
  const { paced: isPaced } = lineTraits[line.provider]
  const counts = await loadPaceCounts(scope, line)
  const limitsOn = (n: number) => computeSendLimits(line, counts, addMs(from, days(n)))
  const caps = Array.from({ length: pacingForecastDays }, (_, n) => (isPaced ? limitsOn(n).dailyCap : null))
  const kept = await scope.db
    .selectFrom('campaignLines')
    .select(['day', 'sentToday'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .executeTakeFirst()
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from campaigns c join "campaignShippings" s on s."companyId" = c."companyId" and s."campaignId" = c.id
    where c."companyId" = ${scope.companyId} and c."whatsappId" = ${whatsappId} and c.status = 'EM_ANDAMENTO'
      and c.id <> ${except ?? 0} and s.state in ('pending', 'confirmed')`.execute(scope.db)
  return {
    perMinute: isPaced ? limitsOn(0).perMinute : null,
    caps,
    sentToday: kept?.day === toCalendarDay(from, zone) ? kept.sentToday : 0,
    ahead: rows[0]?.ahead ?? 0,
    rolling: await loadRollingLimit(scope, whatsappId),
  }
}

/** Meta's messaging limit counts the people of the last 24 hours, not of a calendar day. */
async function loadRollingLimit(scope: Scope, whatsappId: number): Promise<LineSendingLimits['rolling']> {
  const limit = await loadMessagingLimit(scope, whatsappId)
  return limit === null ? null : { limit, used: await listReachedByHour(scope, whatsappId) }
}

export type CampaignPlanQuery = AudienceSource & {
  id: number | null
  whatsappId: number | null
  scheduledAt: Date | null
}

type PlanWithRuns = Omit<CampaignPlan, 'cost'> & Pick<SendingPlan, 'runs'>

/** Computes what a campaign with these settings would do. */
export async function makeCampaignPlan(
  scope: Scope,
  query: CampaignPlanQuery,
  settings: CampaignSettings,
): Promise<PlanWithRuns> {
  const { daysBetween, skipOpen } = settings
  const found = await countAudience(scope, query, { daysBetween, skipOpen, campaignId: query.id })
  const calendar = await loadSendingCalendar(scope, settings)
  const now = scope.now()
  const wanted = query.scheduledAt && query.scheduledAt > now ? query.scheduledAt : now
  const lockedUntil = query.whatsappId === null ? null : activeLockUntil(await findLine(scope, query.whatsappId), now)
  const from = lockedUntil && new Date(lockedUntil) > wanted ? new Date(lockedUntil) : wanted
  const line = await linePace(scope, query.whatsappId, calendar.zone, { id: query.id, from })
  const gets = found.gets ?? 0
  const { dailyLimit } = settings
  const reckoned = planSending({ count: gets, from, calendar, pace: settings, dailyLimit, line })
  return {
    total: Object.values(found).reduce((sum, n) => sum + n, 0),
    gets,
    skipped: {
      invalid: found.invalid ?? 0,
      unknown: found.unknown ?? 0,
      doubled: found.doubled ?? 0,
      stopped: found.stopped ?? 0,
      inConversation: found['in-conversation'] ?? 0,
      recent: found.recent ?? 0,
    },
    ...reckoned,
    basis: { from: from.toISOString(), ...calendar, line, lockedUntil: from > wanted ? lockedUntil : null },
  }
}

/** The people behind a count of the plan. Those above the daily limit come last among those who get the message. */
export async function listPlannedPeople(
  scope: Scope,
  query: CampaignPlanQuery,
  settings: CampaignSettings,
  { reason, pageNumber }: { reason: CampaignPlanGroup; pageNumber: number },
) {
  const { daysBetween, skipOpen } = settings
  const manners = { daysBetween, skipOpen, campaignId: query.id }
  if (reason !== 'over-limit')
    return listAudience(scope, query, manners, { why: reason === 'gets' ? null : reason, pageNumber, after: 0 })
  const { gets, overLimit } = await makeCampaignPlan(scope, query, settings)
  return listAudience(scope, query, manners, { why: null, pageNumber, after: gets - overLimit })
}
