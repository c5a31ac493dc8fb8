import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxChunk, splitIntoChunks } from './chunks.ts'

test('splits rows into chunks without losing a row, in order, and within the size limit', () => {
  const limits = { rows: 5, size: 40 }
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 60 })), (rows) => {
      const chunks = splitIntoChunks(rows, limits)
      expect(chunks.flat()).toEqual(rows)
      for (const chunk of chunks) {
        expect(chunk.length).toBeGreaterThan(0)
        expect(chunk.length).toBeLessThanOrEqual(limits.rows)
        const size = chunk.reduce((sum, row) => sum + JSON.stringify(row).length, 0)
        expect(chunk.length === 1 || size <= limits.size).toBe(true)
      }
    }),
  )
})

test('keeps a full chunk of the largest rows far below the server limit', () => {
  const largest = { name: '\u{1f600}'.repeat(25), number: '5'.repeat(50), email: `${'a'.repeat(242)}@mail.example` }
  const chunks = splitIntoChunks(Array.from({ length: 10_000 }, () => largest))
  for (const chunk of chunks) expect(new TextEncoder().encode(JSON.stringify(chunk)).length).toBeLessThan(1_000_000)
  expect(chunks.length).toBeGreaterThanOrEqual(10_000 / maxChunk.rows)
})
