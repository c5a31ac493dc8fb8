/** A tray nobody can look over is a mistake of the mouse. */
export const mostFiles = 30

export type Sifted = { taken: File[]; large: File[]; empty: File[]; over: number }

/** What may be sent, and what may not and why, before anything is. `largest`: what the server takes. */
export function sift(files: File[], already: number, largest: number): Sifted {
  const large = files.filter((file) => file.size > largest)
  // A folder that is dropped arrives as a file without content.
  const empty = files.filter((file) => file.size === 0)
  const good = files.filter((file) => file.size > 0 && file.size <= largest)
  const taken = good.slice(0, Math.max(0, mostFiles - already))
  return { taken, large, empty, over: good.length - taken.length }
}
