import type { Connection } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'

/** The test line for trying a menu: a line with the queue, preferably connected. */
export function findTestLineForQueue(lines: Connection[], queueId: number): Connection | undefined {
  const fitting = lines.filter((line) => lineTraits[line.provider].test && line.queues.some(({ id }) => id === queueId))
  return fitting.find((line) => line.status === 'CONNECTED') ?? fitting[0]
}
