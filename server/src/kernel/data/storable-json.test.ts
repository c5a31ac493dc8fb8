import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toStorableJson } from './storable-json.ts'

it('removes a NUL, replaces half a surrogate pair, and keeps their escaped spellings', () => {
  expect(toStorableJson({ a: 'x\u0000y' })).toEqual({ value: { a: 'xy' }, text: '{"a":"xy"}', hadNul: true })
  expect(toStorableJson(['cut \ud83d'])).toMatchObject({ value: ['cut \ufffd'], hadNul: false })
  for (const text of ['\\u0000', '\\\\ud83d', '👍🏽', 'ud83d']) {
    const given = { text }
    expect(toStorableJson(given).value).toBe(given)
  }
  expect(toStorableJson('\\\u0000').value).toBe('\\')
})

it('equals what the database stores, for any input', () => {
  const letters = fc.string({ unit: fc.constantFrom('\u0000', '\ud83d', '\ude00', '\\', 'u0000', '"', 'a', 'ñ') })
  fc.assert(
    fc.property(letters, (text) => {
      const kept = toStorableJson(text)
      expect(kept.value).toBe(text.toWellFormed().replaceAll('\u0000', ''))
      expect(JSON.parse(kept.text)).toBe(kept.value)
      expect(kept.hadNul).toBe(text.includes('\u0000'))
    }),
  )
})
