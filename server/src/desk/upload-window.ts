import { addMs, minutes } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'

const uploadWindowMs = minutes(1)

/**
 * Clients save first and upload the file afterwards; older ones do not announce it. Until when something that is due at
 * `dueAt` waits for such a file; null: the file has time enough, or the client says that none follows.
 */
export function uploadWindowEnd(scope: Scope, dueAt: Date | null, fileFollows: boolean | undefined): Date | null {
  if (fileFollows === false) return null
  const end = addMs(scope.now(), uploadWindowMs)
  return dueAt && dueAt < end ? end : null
}
