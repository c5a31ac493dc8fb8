import type { Connection } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'

/** Lines to which the conversations of this one can move: a linked phone moves to the official API, and back. */
export function listMoveTargets(line: Connection, lines: Connection[]): Connection[] {
  const own = lineTraits[line.provider]
  if (own.test) return []
  return lines.filter(({ provider }) => !lineTraits[provider].test && lineTraits[provider].account !== own.account)
}
