import type { CampaignPlan, PlanGroup } from '@recado/contract/campaigns/campaigns'
import { type LinePace, planOf, type Reckoned, sendingCalendar } from '@recado/contract/campaigns/pace'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import type { Calendar } from '@recado/contract/hours/opening'
import { traits } from '@recado/contract/traits'
import { sql } from 'kysely'
import { zoneOf } from '../../accounts/settings.ts'
import { findLine } from '../../directory/connections/connections.ts'
import { limitsOf } from '../../directory/connections/pacing.ts'
import { dayIn, days, later } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { countAudience, pageOfAudience, type Source } from './audience.ts'

/** When campaigns of this company may send. */
export async function calendarOf(scope: Scope, settings: CampaignSettings): Promise<Calendar> {
  const { schedules, holidays } = await scope.db
    .selectFrom('companies')
    .select(['schedules', 'holidays'])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  return sendingCalendar(settings, { week: schedules, holidays, zone: await zoneOf(scope) })
}

type LineRow = Awaited<ReturnType<typeof findLine>>

/** How many a line may send in a day of its age, by itself; null: as many as it likes. Vendors who are paid count by themselves. */
export function capOf(line: LineRow, at: Date): number | null {
  return traits[line.provider].paced ? limitsOf(line, at).dailyCap : null
}

/** After so many days a line is grown up (see directory/connections/pacing.ts). */
const aheadDays = 14

async function linePace(
  scope: Scope,
  whatsappId: number | null,
  zone: string,
  { id: except, from }: { id: number | null; from: Date },
): Promise<LinePace> {
  if (whatsappId === null) return { perMinute: null, caps: [null], sentToday: 0, ahead: 0 }
  const line = await findLine(scope, whatsappId)
  const { perMinute } = limitsOf(line, from)
  const caps = Array.from({ length: aheadDays }, (_, n) => capOf(line, later(from, days(n))))
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
    perMinute: traits[line.provider].paced ? perMinute : null,
    caps,
    sentToday: kept?.day === dayIn(from, zone) ? kept.sentToday : 0,
    ahead: rows[0]?.ahead ?? 0,
  }
}

export type Asked = Source & { id: number | null; whatsappId: number | null; scheduledAt: Date | null }

type Plan = CampaignPlan & Pick<Reckoned, 'runs'>

/** What would happen with these settings. */
export async function makePlan(scope: Scope, asked: Asked, settings: CampaignSettings): Promise<Plan> {
  const { daysBetween, skipOpen } = settings
  const found = await countAudience(scope, asked, { daysBetween, skipOpen, campaignId: asked.id })
  const calendar = await calendarOf(scope, settings)
  const now = scope.now()
  const from = asked.scheduledAt && asked.scheduledAt > now ? asked.scheduledAt : now
  const line = await linePace(scope, asked.whatsappId, calendar.zone, { id: asked.id, from })
  const gets = found.gets ?? 0
  const { dailyLimit } = settings
  const reckoned = planOf({ count: gets, from, calendar, pace: settings, dailyLimit, line })
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
    basis: { from: from.toISOString(), ...calendar, line },
  }
}

/** The people of whom a number of the plan speaks. Who leaves over the limit are the last of those who get it. */
export async function planPeople(
  scope: Scope,
  asked: Asked,
  settings: CampaignSettings,
  { reason, pageNumber }: { reason: PlanGroup; pageNumber: number },
) {
  const { daysBetween, skipOpen } = settings
  const manners = { daysBetween, skipOpen, campaignId: asked.id }
  if (reason !== 'over-limit')
    return pageOfAudience(scope, asked, manners, { why: reason === 'gets' ? null : reason, pageNumber, after: 0 })
  const { gets, overLimit } = await makePlan(scope, asked, settings)
  return pageOfAudience(scope, asked, manners, { why: null, pageNumber, after: gets - overLimit })
}
