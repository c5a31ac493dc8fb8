import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { searchEmojis, toEmojis } from './emoji-data.ts'
import { addRecentEmoji } from './recent-emojis.ts'

const require = createRequire(import.meta.url)
const listOf = (language: string) =>
  toEmojis(JSON.parse(readFileSync(require.resolve(`emojibase-data/${language}/compact.json`), 'utf8')))

describe('emoji list', () => {
  it.each([
    ['es', 'corazon roj', '❤️'],
    ['pt', 'coração verm', '❤️'],
    ['en', 'red hea', '❤️'],
  ])('finds emoji by their names in %s', (language, query, sign) => {
    expect(searchEmojis(listOf(language), query)[0]?.sign).toBe(sign)
  })

  it('is ordered, and contains no flag letters or skin tone components', () => {
    const all = listOf('es')
    expect(all[0]?.sign).toBe('😀')
    expect(all.length).toBeGreaterThan(1800)
    expect(all.some(({ sign }) => sign === '🇦' || sign === '🏻')).toBe(false)
    expect(new Set(all.map(({ sign }) => sign)).size).toBe(all.length)
  })

  it('finds no emoji for a meaningless query', () => expect(searchEmojis(listOf('es'), 'xyzzy')).toEqual([]))

  it('puts recently used emoji first, once each', () => {
    expect(addRecentEmoji(['a', 'b'], 'b')).toEqual(['b', 'a'])
    expect(
      addRecentEmoji(
        Array.from({ length: 30 }, (_, i) => `${i}`),
        'x',
      ),
    ).toHaveLength(18)
  })
})
