import { addMs, minutes } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'

const uploadWindowMs = minutes(1)

/**
 * Clients save first and upload the file afterwards; older clients do not announce the file. Returns until when a
 * message that is due at `dueAt` waits for such a file. Null: the file has enough time, or the client says that no file
 * follows.
 */
export function uploadWindowEnd(scope: Scope, dueAt: Date | null, fileFollows: boolean | undefined): Date | null {
  if (fileFollows === false) return null
  const end = addMs(scope.now(), uploadWindowMs)
  return dueAt && dueAt < end ? end : null
}
