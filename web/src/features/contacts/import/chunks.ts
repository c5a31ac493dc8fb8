/**
 * A call carries at most so many rows and so many characters: far below the 2 MB that the server reads, and little
 * enough that progress is seen and stopping is felt.
 */
export const maxChunk = { rows: 200, size: 200_000 }

/** Cuts a list into pieces that fit. One row that is too large by itself goes alone. */
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
