import { remembered } from '../../kernel/data/remembered.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Asked } from './facts.ts'
import { sighted } from './sight.ts'
import { calendarOf, daysOf, type GivenDays } from './view.ts'

/** What somebody wants to look at, as it came. */
export type Wanted = {
  [K in 'queueId' | 'userId' | 'whatsappId' | 'tagId']?: number | null | undefined
} & GivenDays & {
    hours?: boolean | undefined
    compare?: boolean | undefined
    day?: string | undefined
  }

/** What is looked at, by the company's calendar, as far as it is in sight of who looks. */
export async function askedOf(scope: Scope, wanted: Wanted): Promise<{ asked: Asked; today: string }> {
  const { zone, today } = await calendarOf(scope)
  const { queueId = null, userId = null, whatsappId = null, tagId = null, hours = false } = wanted
  const asked = { ...daysOf(wanted, today), zone, queueId, userId, whatsappId, tagId, hours }
  return { asked: sighted(scope, asked), today }
}

type Make<T, W> = (scope: Scope, asked: Asked, wanted: W, today: string) => Promise<T>

/**
 * Everybody who looks at the same view gets the same answer, made once: as long as nothing of the company has changed,
 * and for a second at most, since another process may have changed something.
 */
export function shared<T, W extends Wanted>(make: Make<T, W>): (scope: Scope, wanted: W) => Promise<T> {
  const making = new Map<string, () => Promise<T>>()
  const answers = remembered((key) => (making.get(key) as () => Promise<T>)())
  return async (scope, wanted) => {
    const { asked, today } = await askedOf(scope, wanted)
    const { companyId } = scope
    const { compare, day } = wanted
    // Who sees a part of the company may see other tickets than somebody else who sees the same part.
    const whose = asked.queueIds === null && !asked.alone ? null : scope.actor.id
    const key = JSON.stringify([companyId, scope.means.live.changes(companyId), asked, whose, today, compare, day])
    making.set(key, () => make(scope, asked, wanted, today))
    return answers.of(key).finally(() => making.delete(key))
  }
}
