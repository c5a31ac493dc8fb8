import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chooseLinesToHandOver,
  chooseLinesToRequest,
  fairShareOfFreeLines,
  type LeasedLine,
  maxMovesAtOnce,
} from './line-balancing.ts'

const line = (id: number, holder: string, load = 1): LeasedLine => ({ id, holder, load, wantedBy: null })
const loadsOf = (held: LeasedLine[], who: string[]) =>
  who.map((one) => held.filter((l) => l.holder === one).reduce((sum, l) => sum + l.load, 0))

/** Lets each process request and hand over lines in turn, until none requests any. Returns how many lines moved. */
function rebalanceUntilStable(held: LeasedLine[], who: string[]): number {
  let moved = 0
  for (let round = 0; round < 500; round++) {
    let quiet = true
    for (const me of who)
      for (const id of chooseLinesToRequest(me, held)) {
        quiet = false
        const wished = held.find((l) => l.id === id)
        if (wished) wished.wantedBy = me
      }
    for (const me of who) {
      const { toHandOver: given, toKeep: kept } = chooseLinesToHandOver(me, held)
      expect(given.length).toBeLessThanOrEqual(maxMovesAtOnce(held.length))
      for (const l of held) {
        if (given.includes(l.id) && l.wantedBy) {
          l.holder = l.wantedBy
          moved++
        }
        if (given.includes(l.id) || kept.includes(l.id)) l.wantedBy = null
      }
    }
    if (quiet) return moved
  }
  throw new Error('it never comes to rest')
}

describe('the distribution of lines', () => {
  it('moves half of the lines of one process to a second process, and no more', () => {
    const held = Array.from({ length: 8 }, (_, id) => line(id, 'a'))
    expect(rebalanceUntilStable(held, ['a', 'b'])).toBe(4)
    expect(loadsOf(held, ['a', 'b'])).toEqual([4, 4])
  })

  it('shares lines among three processes when two start at once', () => {
    const held = Array.from({ length: 9 }, (_, id) => line(id, 'a'))
    rebalanceUntilStable(held, ['a', 'b', 'c'])
    expect(loadsOf(held, ['a', 'b', 'c'])).toEqual([3, 3, 3])
  })

  it('depends on load, not on count: a very busy line gets a process of its own', () => {
    const held = [line(0, 'a', 9), ...Array.from({ length: 9 }, (_, n) => line(n + 1, 'a'))]
    rebalanceUntilStable(held, ['a', 'b'])
    expect(Math.abs((loadsOf(held, ['a', 'b'])[0] ?? 0) - 9)).toBeLessThanOrEqual(1)
  })

  it('does not move lines for a small difference', () => {
    const held = [line(0, 'a'), line(1, 'a'), line(2, 'b')]
    expect(chooseLinesToRequest('b', held)).toEqual([])
    expect(chooseLinesToRequest('a', held)).toEqual([])
  })

  it('does not hand over a line that another process requests if moving it no longer improves the balance', () => {
    expect(chooseLinesToHandOver('a', [{ ...line(0, 'a'), wantedBy: 'b' }, line(1, 'b')])).toEqual({
      toHandOver: [],
      toKeep: [0],
    })
  })

  it('reaches a stable state for any loads and holders, which is more even than before', () => {
    const who = ['a', 'b', 'c', 'd']
    const some = fc.array(fc.tuple(fc.constantFrom(...who), fc.double({ min: 1, max: 20, noNaN: true })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(some, (all) => {
        const held = all.map(([holder, load], id) => line(id, holder, load))
        const spread = () => Math.max(...loadsOf(held, who)) - Math.min(...loadsOf(held, who))
        const before = spread()
        rebalanceUntilStable(held, who)
        expect(spread()).toBeLessThanOrEqual(before + 1e-6)
      }),
    )
  })

  it('lets each live process take its share of the free lines', () => {
    expect(fairShareOfFreeLines('a', [], 8)).toBe(8)
    expect(fairShareOfFreeLines('a', [line(0, 'a'), line(1, 'b')], 6)).toBe(3)
    expect(fairShareOfFreeLines('a', [line(0, 'a'), line(1, 'a'), line(2, 'b')], 1)).toBe(0)
  })
})
