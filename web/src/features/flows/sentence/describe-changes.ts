export type RuleChange = { kind: 'added' | 'removed' | 'changed'; text: string }

const firstWord = (line: string): string => line.split(' ', 2).join(' ')

/**
 * What differs between two versions, line by line. A removed line and an added one that begin alike are one change, such
 * as `esperar 24 h → esperar 20 h`.
 */
export function describeChanges(before: readonly string[], after: readonly string[]): RuleChange[] {
  const removed = withoutOnce(before, after)
  const added = withoutOnce(after, before)
  const changes: RuleChange[] = []
  for (const line of added) {
    const at = removed.findIndex((old) => firstWord(old) === firstWord(line))
    if (at < 0) changes.push({ kind: 'added', text: line })
    else changes.push({ kind: 'changed', text: describeChange(removed.splice(at, 1)[0] ?? '', line) })
  }
  return [...changes, ...removed.map((text): RuleChange => ({ kind: 'removed', text }))]
}

/** The lines that the others lack; of equal lines as many as they lack. */
function withoutOnce(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** The words that differ, after those that both begin with: `cuando el cliente espera 30 min → 2 h`. */
function describeChange(before: string, after: string): string {
  const [old, next] = [before.split(' '), after.split(' ')]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const differing = (words: string[]) => words.slice(start, words.length - end).join(' ')
  // A word that only one of them has: both are said whole.
  if (!differing(old) || !differing(next)) return `${before} → ${after}`
  return `${old.slice(0, start).join(' ')} ${differing(old)} → ${differing(next)}`
}
