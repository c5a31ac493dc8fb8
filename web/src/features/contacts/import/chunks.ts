/**
 * Limits of rows and characters per call: far below the 2 MB that the server accepts, and small enough to show
 * progress and to stop quickly.
 */
export const maxChunk = { rows: 200, size: 200_000 }

/** Splits a list into chunks within the limits. A single row over the limit gets its own chunk. */
export function splitIntoChunks<T>(rows: readonly T[], { rows: most, size } = maxChunk): T[][] {
  const chunks: T[][] = []
  let room = 0
  for (const row of rows) {
    const weight = JSON.stringify(row).length
    const last = chunks.at(-1)
    if (!last || last.length >= most || weight > room) {
      chunks.push([row])
      room = size - weight
    } else {
      last.push(row)
      room -= weight
    }
  }
  return chunks
}
