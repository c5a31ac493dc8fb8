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
    else changes.push({ kind: 'changed', text: `${removed.splice(at, 1)[0]} → ${line}` })
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
