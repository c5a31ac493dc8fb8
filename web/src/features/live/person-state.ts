import type { LivePerson } from '@recado/contract/routing/live'
import type { Availability } from '@recado/contract/users'

export type PersonState = Availability | 'offline'
export const personState = ({ online, availability }: LivePerson): PersonState => (online ? availability : 'offline')
/** Whether nobody can give tickets to this person now. */
export const isAway = (person: LivePerson): boolean => ['away', 'offline'].includes(personState(person))
export const isFull = ({ places, capacity }: LivePerson): boolean => capacity !== null && places >= capacity
