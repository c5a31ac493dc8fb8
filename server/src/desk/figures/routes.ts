import { type DashboardView, dashboardApi } from '@recado/contract/dashboard/dashboard'
import { route } from '../../kernel/http/http.ts'
import { askedOf, shared, type Wanted } from './asked.ts'
import { behind } from './behind.ts'
import { view } from './view.ts'

/** Whole and half minutes, as older clients read them. */
const minutesOf = (seconds: number, n: number): number | null => (n ? Math.round(seconds / n / 6) / 10 : null)
const byOldClients = (day: string) => day.split('-').reverse().join('/')

export function figureRoutes() {
  const look = shared<DashboardView, Wanted>((scope, asked, { compare }, today) =>
    view(scope, asked, today, compare ?? false),
  )
  return [
    route(dashboardApi.show, async (scope, { query }) => {
      const given = { days: query.days, from: query.date_from, to: query.date_to }
      const { now, sums, attendants } = await look(scope, given)
      return {
        counters: {
          supportHappening: now.open,
          supportPending: now.pending,
          supportFinished: sums.resolved,
          avgSupportTime: minutesOf(sums.talkSeconds, sums.talks),
          avgWaitTime: minutesOf(sums.waitSeconds, sums.waits),
        },
        attendants: attendants.map(({ id, name, online, ...did }) => ({
          ...{ id, name, online, tickets: did.resolved },
          rating: did.rated ? Math.round((did.rateSum / did.rated) * 100) / 100 : null,
          avgSupportTime: minutesOf(did.talkSeconds, did.talks) ?? 0,
        })),
      }
    }),
    route(dashboardApi.ticketsUsers, async (scope, { query }) => {
      const { attendants } = await look(scope, { from: query.initialDate, to: query.finalDate })
      const data = attendants.map(({ name, resolved }) => ({ nome: name, quantidade: resolved }))
      return { data: data.sort((a, b) => b.quantidade - a.quantidade) }
    }),
    route(dashboardApi.ticketsDay, async (scope, { query }) => {
      const { series, sums } = await look(scope, { from: query.initialDate, to: query.finalDate })
      const data = series.map(({ day, hour, came }) =>
        hour === null ? { total: came, data: byOldClients(day) } : { total: came, horario: hour },
      )
      return { data, count: sums.came }
    }),
    route(dashboardApi.view, (scope, { query }) => look(scope, query)),
    route(dashboardApi.behind, async (scope, { query }) => behind(scope, (await askedOf(scope, query)).asked, query)),
  ]
}
