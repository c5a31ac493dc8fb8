import { type DashboardView, dashboardApi } from '@recado/contract/dashboard/dashboard'
import { route } from '../../kernel/http/routes.ts'
import { buildDashboard } from './dashboard.ts'
import { listTicketsBehindNumber } from './drill-down.ts'
import { cacheReport, type ReportParams, resolveReportQuery } from './query.ts'

/** Minutes with one decimal, as older clients read them. */
const averageMinutes = (seconds: number, n: number): number | null => (n ? Math.round(seconds / n / 6) / 10 : null)
const legacyDate = (day: string) => day.split('-').reverse().join('/')

export function reportRoutes() {
  const makeReport = cacheReport<DashboardView, ReportParams>((scope, query, { compare }, today) =>
    buildDashboard(scope, query, today, compare ?? false),
  )
  return [
    route(dashboardApi.show, async (scope, { query }) => {
      const given = { days: query.days, from: query.date_from, to: query.date_to }
      const { now, sums, attendants } = await makeReport(scope, given)
      return {
        counters: {
          supportHappening: now.open,
          supportPending: now.pending,
          supportFinished: sums.resolved,
          avgSupportTime: averageMinutes(sums.talkSeconds, sums.talks),
          avgWaitTime: averageMinutes(sums.waitSeconds, sums.waits),
        },
        attendants: attendants.map(({ id, name, online, ...did }) => ({
          ...{ id, name, online, tickets: did.resolved },
          rating: did.rated ? Math.round((did.rateSum / did.rated) * 100) / 100 : null,
          avgSupportTime: averageMinutes(did.talkSeconds, did.talks) ?? 0,
        })),
      }
    }),
    route(dashboardApi.ticketsUsers, async (scope, { query }) => {
      const { attendants } = await makeReport(scope, { from: query.initialDate, to: query.finalDate })
      const data = attendants.map(({ name, resolved }) => ({ nome: name, quantidade: resolved }))
      return { data: data.sort((a, b) => b.quantidade - a.quantidade) }
    }),
    route(dashboardApi.ticketsDay, async (scope, { query }) => {
      const { series, sums } = await makeReport(scope, { from: query.initialDate, to: query.finalDate })
      const data = series.map(({ day, hour, came }) =>
        hour === null ? { total: came, data: legacyDate(day) } : { total: came, horario: hour },
      )
      return { data, count: sums.came }
    }),
    route(dashboardApi.view, (scope, { query }) => makeReport(scope, query)),
    route(dashboardApi.behind, async (scope, { query }) =>
      listTicketsBehindNumber(scope, (await resolveReportQuery(scope, query)).asked, query),
    ),
  ]
}
