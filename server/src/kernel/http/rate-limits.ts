import { isIPv4, isIPv6 } from 'node:net'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

export type AttemptLimiter = ReturnType<typeof makeAttemptLimiter>

/** Maximum number of tracked keys: more callers than any server has at once. The oldest are evicted first. */
const maxTrackedKeys = 100_000

/**
 * Counts attempts per key in a time window and refuses attempts above the limit. Counts are in memory: a second process
 * doubles the number of attempts, which is still too few for guessing.
 */
export function makeAttemptLimiter(clock: Clock, o: { maxAttempts: number; windowMs: number }) {
  // The entries are in the order of expiry, because all live equally long and a new entry goes to the end.
  const entries = new Map<string, { count: number; until: number }>()
  function current(key: string) {
    const now = clock.now().getTime()
    for (const [k, v] of entries) {
      if (v.until > now && entries.size <= maxTrackedKeys) break
      entries.delete(k)
    }
    return entries.get(key)
  }
  const isLimitReached = (key: string): boolean => (current(key)?.count ?? 0) >= o.maxAttempts
  return {
    isLimitReached: isLimitReached,
    check(key: string): void {
      if (isLimitReached(key)) throw new AppError('ERR_TOO_MANY_TRIES')
    },
    count(key: string): void {
      const entry = current(key)
      if (entry) entry.count++
      else entries.set(key, { count: 1, until: clock.now().getTime() + o.windowMs })
    },
    /** Takes back an attempt that was counted before its result was known. */
    undoAttempt(key: string): void {
      const entry = current(key)
      if (entry) entry.count--
    },
    reset: (key: string) => void entries.delete(key),
  }
}

/**
 * Limits bytes per key and time window. A file that exceeds the limit is still accepted, so that one large file can be
 * sent; after that the key waits until the window is over. Counts are in memory, as above.
 */
export function makeByteBudget(clock: Clock, o: { bytes: number; windowMs: number }) {
  const usage = new Map<string, { bytes: number; until: number }>()
  function current(key: string) {
    const now = clock.now().getTime()
    for (const [k, v] of usage) {
      if (v.until > now && usage.size <= maxTrackedKeys) break
      usage.delete(k)
    }
    return usage.get(key)
  }
  return {
    check(key: string): void {
      const entry = current(key)
      if (!entry || entry.bytes < o.bytes) return
      const retryAfter = Math.ceil((entry.until - clock.now().getTime()) / 1000)
      throw new AppError('ERR_RATE_LIMIT', undefined, { retryAfter })
    },
    add(key: string, bytes: number): void {
      const entry = current(key)
      if (entry) entry.bytes += bytes
      else usage.set(key, { bytes, until: clock.now().getTime() + o.windowMs })
    },
  }
}

export type TokenBucket = ReturnType<typeof makeTokenBucket>

/**
 * A token bucket: `perSecond` calls, and twice that in a burst after a pause. Counts are in memory, as above. If
 * `retryInMs` is not 0, the call was refused and may be repeated after this many milliseconds.
 */
export function makeTokenBucket(clock: Clock, perSecond: number) {
  const capacity = perSecond * 2
  // The most recently used entry is last. The first ones can be evicted: their buckets are full again.
  const entries = new Map<string, { remaining: number; at: number }>()
  return {
    capacity: capacity,
    take(key: string): { left: number; fullInMs: number; retryInMs: number } {
      const at = clock.now().getTime()
      const before = entries.get(key)
      const gained = before ? (Math.max(0, at - before.at) * perSecond) / 1000 : capacity
      const available = Math.min(capacity, (before?.remaining ?? 0) + gained)
      const isAllowed = available >= 1
      const left = isAllowed ? available - 1 : available
      entries.delete(key)
      entries.set(key, { remaining: left, at })
      if (entries.size > maxTrackedKeys) entries.delete(entries.keys().next().value as string)
      const ms = (n: number) => (n * 1000) / perSecond
      return { left: Math.floor(left), fullInMs: ms(capacity - left), retryInMs: isAllowed ? 0 : ms(1 - available) }
    },
  }
}

/**
 * The caller key for limits: an IPv4 address, or the /64 network of an IPv6 address: a single connection gets a
 * whole /64, which has more addresses than the limit has tries.
 */
export function callerAddress({ ip }: { ip: string }): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail = ''] = (ip.split('%')[0] as string).split('::')
  const left = head ? head.split(':') : []
  // An IPv4 address at the end of an IPv6 address stands for two groups.
  const right = tail ? tail.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group])) : []
  const gap = ip.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  const net = [...left, ...gap, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${net.join(':')}::/64`
}
