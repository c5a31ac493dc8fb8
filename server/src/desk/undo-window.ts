import { addMs } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** How long a person can undo an action on a ticket. */
export const undoWindowMs = 6000

/**
 * Until when a message that follows from the current action is held. Only a click of a person can be undone: what an
 * automation or an API key causes is sent at once.
 */
export const heldUntil = (scope: Scope): Date | undefined =>
  isUndoable(scope) ? addMs(scope.now(), undoWindowMs) : undefined

export const isUndoable = (scope: Scope): boolean => scope.person !== null && !scope.person.key
