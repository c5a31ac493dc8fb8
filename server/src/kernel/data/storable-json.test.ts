import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toStorableJson } from './storable-json.ts'

it('drops a NUL, marks half a character, and leaves their spelled-out names alone', () => {
  expect(toStorableJson({ a: 'x\u0000y' })).toEqual({ value: { a: 'xy' }, text: '{"a":"xy"}', hadNul: true })
  expect(toStorableJson(['cut \ud83d'])).toMatchObject({ value: ['cut \ufffd'], hadNul: false })
  for (const text of ['\\u0000', '\\\\ud83d', '👍🏽', 'ud83d']) {
    const given = { text }
    expect(toStorableJson(given).value).toBe(given)
  }
  expect(toStorableJson('\\\u0000').value).toBe('\\')
})

it('is what the database keeps, whatever comes', () => {
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
