import { isIPv4, isIPv6 } from 'node:net'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

export type Limit = ReturnType<typeof makeLimit>

/** More callers at once than any house has; those who came first are forgotten first. */
const mostKeys = 100_000

/**
 * Counts tries per key in a window and refuses above the limit. Kept in this process: a second process doubles the
 * budget, which still stops guessing.
 */
export function makeLimit(clock: Clock, o: { tries: number; window: number }) {
  // In the order in which they run out: each entry lives equally long, and a new one goes to the end.
  const seen = new Map<string, { count: number; until: number }>()
  function current(key: string) {
    const now = clock.now().getTime()
    for (const [k, v] of seen) {
      if (v.until > now && seen.size <= mostKeys) break
      seen.delete(k)
    }
    return seen.get(key)
  }
  const isOver = (key: string): boolean => (current(key)?.count ?? 0) >= o.tries
  return {
    isOver,
    check(key: string): void {
      if (isOver(key)) throw new AppError('ERR_TOO_MANY_TRIES')
    },
    count(key: string): void {
      const entry = current(key)
      if (entry) entry.count++
      else seen.set(key, { count: 1, until: clock.now().getTime() + o.window })
    },
    forget: (key: string) => void seen.delete(key),
  }
}

/**
 * Who calls, as limits count: an address of the fourth version; of the sixth the net of 64 bits that a single line is
 * given, within which anybody has more addresses than there are tries.
 */
export function callerOf({ ip }: { ip: string }): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail = ''] = (ip.split('%')[0] as string).split('::')
  const left = head ? head.split(':') : []
  // A tail in dots stands for two groups.
  const right = tail ? tail.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group])) : []
  const gap = ip.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  const net = [...left, ...gap, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${net.join(':')}::/64`
}
