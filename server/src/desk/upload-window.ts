import { addMs, minutes } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'

const uploadWindowMs = minutes(1)

/**
 * Older clients save first and upload the file afterwards, without announcing it. Until when something that is due at
 * `dueAt` waits for such a file; null: the file has time enough.
 */
export function uploadWindowEnd(scope: Scope, dueAt: Date | null): Date | null {
  const end = addMs(scope.now(), uploadWindowMs)
  return dueAt && dueAt < end ? end : null
}
