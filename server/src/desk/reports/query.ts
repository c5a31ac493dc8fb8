import type { Scope } from '../../kernel/data/scope.ts'
import { makeShortCache } from '../../kernel/data/short-cache.ts'
import { type DateParams, loadReportCalendar, resolveDates } from './dashboard.ts'
import type { ReportQuery } from './facts.ts'
import { limitToVisible } from './visibility.ts'

/** What somebody wants to look at, as it came. */
export type ReportParams = {
  [K in 'queueId' | 'userId' | 'whatsappId' | 'tagId']?: number | null | undefined
} & DateParams & {
    hours?: boolean | undefined
    compare?: boolean | undefined
    day?: string | undefined
  }

/** What is looked at, by the company's calendar, as far as it is in sight of who looks. */
export async function resolveReportQuery(
  scope: Scope,
  wanted: ReportParams,
): Promise<{ asked: ReportQuery; today: string }> {
  const { zone, today } = await loadReportCalendar(scope)
  const { queueId = null, userId = null, whatsappId = null, tagId = null, hours = false } = wanted
  const asked = { ...resolveDates(wanted, today), zone, queueId, userId, whatsappId, tagId, hours }
  return { asked: limitToVisible(scope, asked), today }
}

type MakeReport<T, W> = (scope: Scope, asked: ReportQuery, wanted: W, today: string) => Promise<T>

/**
 * Everybody who looks at the same view gets the same answer, made once: as long as nothing of the company has changed,
 * and for a second at most, since another process may have changed something.
 */
export function cacheReport<T, W extends ReportParams>(
  make: MakeReport<T, W>,
): (scope: Scope, wanted: W) => Promise<T> {
  const making = new Map<string, () => Promise<T>>()
  const answers = makeShortCache((key) => (making.get(key) as () => Promise<T>)())
  return async (scope, wanted) => {
    const { asked, today } = await resolveReportQuery(scope, wanted)
    const { companyId } = scope
    const { compare, day } = wanted
    // Who sees a part of the company may see other tickets than somebody else who sees the same part.
    const whose = asked.queueIds === null && !asked.alone ? null : scope.actor.id
    const key = JSON.stringify([companyId, scope.means.live.changes(companyId), asked, whose, today, compare, day])
    making.set(key, () => make(scope, asked, wanted, today))
    return answers.of(key).finally(() => making.delete(key))
  }
}
