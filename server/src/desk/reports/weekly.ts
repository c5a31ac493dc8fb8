import { wallClock } from '@recado/contract/hours/opening'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { mailUser } from '../../accounts/mail-user.ts'
import type { UserRow } from '../../accounts/user-view.ts'
import { claimWeeklyMail, findCompaniesWithWeeklyMail, findWeeklyMailRecipients } from '../../accounts/weekly-mail.ts'
import { addDays } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { forEachCollectErrors, type JobHandlers } from '../../kernel/jobs.ts'
import { loadViewer } from '../tickets/base/visibility.ts'
import { buildDashboard } from './dashboard.ts'
import { emptyReportFilter } from './report-sql.ts'
import { limitToVisibleFor } from './visibility.ts'
import { renderWeeklyTexts } from './weekly-texts.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'figures:weekly': Record<string, never>
  }
}

/** Earliest minute of Monday by the company's clock. After a downtime the mail is sent later on the same day. */
const earliestMinute = 7 * 60

/** The current Monday in the company's zone, from the earliest minute on; otherwise null. */
export function currentMonday(now: Date, zone: string): string | null {
  const { day, minute } = wallClock(now, zone)
  const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1
  return isMonday && minute >= earliestMinute ? day : null
}

/** Mails last week's report to subscribers, limited to what each of them may see. */
export async function mailWeeklyReports(platformScope: Scope): Promise<void> {
  await forEachCollectErrors(
    await findCompaniesWithWeeklyMail(platformScope),
    async ({ id: companyId, name, zone }) => {
      const monday = currentMonday(platformScope.now(), zone)
      if (monday === null) return
      const scope = new Scope(platformScope.deps, { companyId })
      for (const user of await findWeeklyMailRecipients(scope, monday))
        await scope.transaction((tx) => mailWeeklyReport(tx, user, { company: name, monday, zone }))
    },
  )
}

type ReportWeek = { company: string; monday: string; zone: string }
/** Claims and mails in one transaction, so that the mail is sent once, whatever the number of processes. */
async function mailWeeklyReport(scope: Scope, user: UserRow, { company, monday, zone }: ReportWeek): Promise<void> {
  if (!(await claimWeeklyMail(scope, user.id, monday))) return
  const viewer = await loadViewer(scope, user.id)
  if (!viewer) return
  const days = { from: addDays(monday, -7), to: addDays(monday, -1) }
  const seen = await buildDashboard(
    scope,
    limitToVisibleFor(viewer, { ...emptyReportFilter, ...days, zone }),
    monday,
    true,
  )
  const page = canSeeAllTickets(viewer) ? '/' : '/figures'
  const url = `${scope.deps.publicUrl}${page}?from=${days.from}&to=${days.to}`
  const whose = canSeeAllTickets(viewer) ? 'all' : canLeadQueues(viewer) ? 'queues' : 'own'
  await mailUser(scope, user, (_, language) =>
    renderWeeklyTexts(language, { name: user.name, company, dashboard: seen, url, visibility: whose }),
  )
}

export function weeklyReportJobs(deps: Deps): Pick<JobHandlers, 'figures:weekly'> {
  return { 'figures:weekly': () => mailWeeklyReports(new Scope(deps, { companyId: 0, wide: true })) }
}
