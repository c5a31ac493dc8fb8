/** A maximum: more files are probably a mistake. */
export const maxAttachedFiles = 30

export type CheckedFiles = { accepted: File[]; tooLarge: File[]; empty: File[]; overLimitCount: number }

/** Splits files into sendable files and refused files with reasons. `largest`: the server's limit. */
export function checkAttachedFiles(files: File[], already: number, largest: number): CheckedFiles {
  const large = files.filter((file) => file.size > largest)
  // A dropped folder arrives as a file without content.
  const empty = files.filter((file) => file.size === 0)
  const good = files.filter((file) => file.size > 0 && file.size <= largest)
  const taken = good.slice(0, Math.max(0, maxAttachedFiles - already))
  return { accepted: taken, tooLarge: large, empty, overLimitCount: good.length - taken.length }
}
