import { type DashboardView, dashboardApi } from '@recado/contract/dashboard/dashboard'
import { remembered } from '../../kernel/data/remembered.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { route } from '../../kernel/http/http.ts'
import { behind } from './behind.ts'
import { sighted } from './sight.ts'
import { calendarOf, daysOf, type GivenDays, view } from './view.ts'

type Wanted = { [K in 'queueId' | 'userId' | 'whatsappId' | 'tagId']?: number | null | undefined } & GivenDays & {
    compare?: boolean | undefined
  }

/** Whole and half minutes, as older clients read them. */
const minutesOf = (seconds: number, n: number): number | null => (n ? Math.round(seconds / n / 6) / 10 : null)
const byOldClients = (day: string) => day.split('-').reverse().join('/')

/**
 * Everybody who looks at the same view gets the same answer, made once: as long as nothing of the company has changed,
 * and for a second at most, since another process may have changed something.
 */
function sharedViews() {
  const making = new Map<string, () => Promise<DashboardView>>()
  const views = remembered((key) => (making.get(key) as () => Promise<DashboardView>)())
  return async (scope: Scope, wanted: Wanted): Promise<DashboardView> => {
    const { zone, today } = await calendarOf(scope)
    const { queueId = null, userId = null, whatsappId = null, tagId = null } = wanted
    const asked = sighted(scope, { ...daysOf(wanted, today), zone, queueId, userId, whatsappId, tagId })
    const { companyId } = scope
    const key = JSON.stringify([companyId, scope.means.live.changes(companyId), asked, today, wanted.compare])
    making.set(key, () => view(scope, asked, today, wanted.compare ?? false))
    return views.of(key).finally(() => making.delete(key))
  }
}

export function figureRoutes() {
  const look = sharedViews()
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
    route(dashboardApi.behind, async (scope, { query }) => {
      const { zone, today } = await calendarOf(scope)
      const { queueId = null, userId = null, whatsappId = null, tagId = null } = query
      return behind(scope, sighted(scope, { ...daysOf(query, today), zone, queueId, userId, whatsappId, tagId }), query)
    }),
  ]
}
