import { describe, expect, it } from 'vitest'
import { callerAddress, makeAttemptLimiter } from './rate-limits.ts'

function limit() {
  let now = 0
  const made = makeAttemptLimiter({ now: () => new Date(now) }, { maxAttempts: 3, windowMs: 1000 })
  const open = (key: string) => {
    try {
      made.check(key)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_TOO_MANY_TRIES', status: 429 })
      return false
    }
  }
  const forward = (ms: number) => {
    now += ms
  }
  return { ...made, open, forward }
}

describe('a rate limit', () => {
  it('is reset when the window that began with the first attempt is over, separately for each key', () => {
    const l = limit()
    for (let n = 0; n < 3; n++) {
      expect(l.open('a')).toBe(true)
      l.count('a')
      l.forward(100)
    }
    expect([l.open('a'), l.open('b')]).toEqual([false, true])
    l.forward(699)
    expect(l.open('a')).toBe(false)
    l.forward(1)
    expect(l.open('a')).toBe(true)
    l.count('a')
    l.count('a')
    expect(l.open('a')).toBe(true)
  })

  it('is reset on request', () => {
    const l = limit()
    for (let n = 0; n < 3; n++) l.count('a')
    l.reset('a')
    expect(l.open('a')).toBe(true)
  })

  it('does not count an attempt that turned out to be valid', () => {
    const l = limit()
    for (let n = 0; n < 3; n++) l.count('a')
    l.undoAttempt('a')
    expect(l.open('a')).toBe(true)
    l.count('a')
    expect(l.open('a')).toBe(false)
    l.undoAttempt('nobody')
    expect(l.open('nobody')).toBe(true)
  })

  it('keeps its counts while ten thousand other callers make attempts', () => {
    const l = limit()
    for (let n = 0; n < 3; n++) l.count('a')
    for (let n = 0; n < 10_500; n++) l.count(`stranger ${n}`)
    expect(l.open('a')).toBe(false)
    l.forward(1000)
    expect(l.open('a')).toBe(true)
  })
})

describe('the key under which a caller is counted', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8:1::9', '2001:db8:1:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8::203.0.113.9', '2001:db8:0:0::/64'],
  ])('counts %s as %s', (ip, caller) => {
    expect(callerAddress({ ip })).toBe(caller)
  })
})
