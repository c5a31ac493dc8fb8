import type { ConnectionState, WASocket } from 'baileys'
import { LineLockedError, LineRefusedError } from '../../line.ts'
import { reachOutRefusal } from './acknowledgement.ts'

type ReachOutLock = NonNullable<ConnectionState['reachoutTimeLock']>

/** WhatsApp's own client assumes a minute if WhatsApp does not name the end. */
const unnamedLockMs = 60_000

/** Until when WhatsApp locks the account; null: it is not locked. */
export function reachOutLockEnd({ isActive, timeEnforcementEnds: end }: ReachOutLock, now: Date): Date | null {
  if (!isActive) return null
  const isNamed = end && !Number.isNaN(end.getTime()) && end > now
  return isNamed ? end : new Date(now.getTime() + unnamedLockMs)
}

/**
 * Finds out why a message to a stranger was refused. The library would fetch the lock itself, but checks another case of
 * the same code first. It requests a missing token in the background; repeating the message at once would count as
 * another attempt to reach a stranger, so a person decides about that.
 */
export async function explainReachOutRefusal(
  error: unknown,
  sock: WASocket,
  now: Date,
  reportLock: (until: Date | null) => Promise<void>,
): Promise<Error> {
  if (!(error instanceof LineRefusedError) || error.reason !== reachOutRefusal) return error as Error
  const lock = await sock.fetchAccountReachoutTimelock().catch(() => null)
  if (!lock) return new LineRefusedError('restricted')
  const until = reachOutLockEnd(lock, now)
  await reportLock(until)
  return until ? new LineLockedError('WhatsApp locks this line for strangers') : new LineRefusedError('no-token')
}
