import { addMs } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** How long a person can undo an action on a ticket. */
export const undoWindowMs = 6000

/**
 * Until when a message that follows from the current action is held. Only an action of a person can be undone: messages
 * caused by an automation or an API key are sent at once.
 */
export const heldUntil = (scope: Scope): Date | undefined =>
  isUndoable(scope) ? addMs(scope.now(), undoWindowMs) : undefined

export const isUndoable = (scope: Scope): boolean => scope.person !== null && !scope.person.key
