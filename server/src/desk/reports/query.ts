import type { Scope } from '../../kernel/data/scope.ts'
import { makeShortCache } from '../../kernel/data/short-cache.ts'
import { type DateParams, loadReportCalendar, resolveDates } from './dashboard.ts'
import type { ReportQuery } from './report-sql.ts'
import { limitToVisible } from './visibility.ts'

/** The report query as it was received. */
export type ReportParams = {
  [K in 'queueId' | 'userId' | 'whatsappId' | 'tagId']?: number | null | undefined
} & DateParams & {
    hours?: boolean | undefined
    compare?: boolean | undefined
    day?: string | undefined
  }

/** The report query resolved by the company's calendar and limited to what the user may see. */
export async function resolveReportQuery(
  scope: Scope,
  params: ReportParams,
): Promise<{ asked: ReportQuery; today: string }> {
  const { zone, today } = await loadReportCalendar(scope)
  const { queueId = null, userId = null, whatsappId = null, tagId = null, hours = false } = params
  const query = { ...resolveDates(params, today), zone, queueId, userId, whatsappId, tagId, hours }
  return { asked: limitToVisible(scope, query), today }
}

type MakeReport<T, W> = (scope: Scope, query: ReportQuery, params: W, today: string) => Promise<T>

/**
 * Users who open the same view share one result: as long as no data of the company has changed in this process,
 * and for one second at most, because another process may have changed something.
 */
export function cacheReport<T, W extends ReportParams>(
  make: MakeReport<T, W>,
): (scope: Scope, params: W) => Promise<T> {
  const making = new Map<string, () => Promise<T>>()
  const answers = makeShortCache((key) => (making.get(key) as () => Promise<T>)())
  return async (scope, params) => {
    const { asked: query, today } = await resolveReportQuery(scope, params)
    const { companyId } = scope
    const { compare, day } = params
    // Two users who see the same queues may still see different tickets.
    const whose = query.queueIds === null && !query.alone ? null : scope.actor.id
    const key = JSON.stringify([companyId, scope.deps.live.changeCount(companyId), query, whose, today, compare, day])
    making.set(key, () => make(scope, query, params, today))
    return answers.get(key).finally(() => making.delete(key))
  }
}
