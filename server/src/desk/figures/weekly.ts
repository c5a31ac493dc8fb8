import { wallClock } from '@recado/contract/hours/opening'
import { leads, seesAll } from '@recado/contract/sight'
import { mailTo } from '../../accounts/mail-to.ts'
import type { UserRow } from '../../accounts/user-view.ts'
import { claimWeekly, companiesWithWeekly, weeklyReaders } from '../../accounts/weekly.ts'
import { addDays } from '../../kernel/clock.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { eachForItself, type JobHandlers } from '../../kernel/jobs.ts'
import { viewerOf } from '../tickets/visibility.ts'
import { everything } from './facts.ts'
import { sightedAs } from './sight.ts'
import { view } from './view.ts'
import { weeklyTexts } from './weekly-texts.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'figures:weekly': Record<string, never>
  }
}

/** By the company's clock, on a Monday; who was asleep then is late rather than silent, until the day is over. */
const earliestMinute = 7 * 60

/** The Monday that a company is in, once its morning has come. */
export function mondayMorning(now: Date, zone: string): string | null {
  const { day, minute } = wallClock(now, zone)
  const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1
  return isMonday && minute >= earliestMinute ? day : null
}

/** Last week, as each of them may see it, to whoever wants it. */
export async function mailLastWeek(wide: Scope): Promise<void> {
  await eachForItself(await companiesWithWeekly(wide), async ({ id: companyId, name, zone }) => {
    const monday = mondayMorning(wide.now(), zone)
    if (monday === null) return
    const scope = new Scope(wide.means, { companyId })
    for (const user of await weeklyReaders(scope, monday))
      await scope.transaction((tx) => mailWeek(tx, user, { company: name, monday, zone }))
  })
}

type Week = { company: string; monday: string; zone: string }
/** Claimed and mailed in one transaction: once, whoever else looks. */
async function mailWeek(scope: Scope, user: UserRow, { company, monday, zone }: Week): Promise<void> {
  if (!(await claimWeekly(scope, user.id, monday))) return
  const viewer = await viewerOf(scope, user.id)
  if (!viewer) return
  const days = { from: addDays(monday, -7), to: addDays(monday, -1) }
  const seen = await view(scope, sightedAs(viewer, { ...everything, ...days, zone }), monday, true)
  const page = seesAll(viewer) ? '/' : '/figures'
  const url = `${scope.means.publicUrl}${page}?from=${days.from}&to=${days.to}`
  const whose = seesAll(viewer) ? 'all' : leads(viewer) ? 'queues' : 'own'
  await mailTo(scope, user, (_, language) => weeklyTexts(language, { name: user.name, company, seen, url, whose }))
}

export function weeklyJobs(means: Means): Pick<JobHandlers, 'figures:weekly'> {
  return { 'figures:weekly': () => mailLastWeek(new Scope(means, { companyId: 0, wide: true })) }
}
