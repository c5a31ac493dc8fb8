import { can } from '@recado/contract/rules'
import { type Eyes, leads } from '@recado/contract/sight'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Asked } from './facts.ts'

type Wanted = Omit<Asked, 'queueIds' | 'alone'>

/**
 * What of the figures somebody may see: who has the dashboard all of it, who leads what happened in their queues, the
 * others what is theirs. Whatever was asked for, nothing else is read.
 */
export function sightedAs(who: Pick<Eyes, 'id' | 'profile' | 'queueIds'>, asked: Wanted): Asked {
  if (can(who, 'dashboard:view')) return { ...asked, queueIds: null }
  if (leads(who)) return { ...asked, queueIds: who.queueIds.toSorted((a, b) => a - b) }
  return { ...asked, queueIds: null, userId: who.id, alone: true }
}
export const sighted = ({ actor }: Scope, asked: Wanted): Asked => sightedAs(actor, asked)
