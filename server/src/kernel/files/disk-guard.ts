import { statfs } from 'node:fs/promises'
import { AppError } from '../errors.ts'

/** Minimum interval between checks of the disk. */
const checkIntervalMs = 1000
const retryAfterSeconds = 60

/**
 * Refuses files while only the reserve is left on the disk. The database may be on the same disk, and stops
 * working when that is full; a file can be sent again.
 */
export function makeDiskGuard(dataDir: string, reservePercent: number): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY
  let hasRoom = true
  return async () => {
    if (performance.now() - askedAt > checkIntervalMs) {
      const { bavail, blocks } = await statfs(dataDir)
      hasRoom = bavail > (blocks * reservePercent) / 100
      askedAt = performance.now()
    }
    if (!hasRoom) throw new AppError('ERR_DISK_FULL', undefined, { retryAfter: retryAfterSeconds })
  }
}
