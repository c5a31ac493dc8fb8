/** A tray nobody can look over is a mistake of the mouse. */
export const maxAttachedFiles = 30

export type CheckedFiles = { taken: File[]; large: File[]; empty: File[]; over: number }

/** What may be sent, and what may not and why, before anything is. `largest`: what the server takes. */
export function checkAttachedFiles(files: File[], already: number, largest: number): CheckedFiles {
  const large = files.filter((file) => file.size > largest)
  // A folder that is dropped arrives as a file without content.
  const empty = files.filter((file) => file.size === 0)
  const good = files.filter((file) => file.size > 0 && file.size <= largest)
  const taken = good.slice(0, Math.max(0, maxAttachedFiles - already))
  return { taken, large, empty, over: good.length - taken.length }
}
