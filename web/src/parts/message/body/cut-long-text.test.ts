import { expect, it } from 'vitest'
import { cutLongText } from './cut-long-text.ts'

it('shows a text that fits, or nearly fits, unchanged', () => {
  for (const text of ['', 'Hola', 'palabra '.repeat(220), 'línea\n'.repeat(36).trimEnd()])
    expect(cutLongText(text)).toBeNull()
})

it('truncates a very long text at the end of a word or text line', () => {
  const many = cutLongText('palabra '.repeat(300))
  expect(many).toMatch(/palabra$/)
  expect(many?.length).toBeGreaterThan(1480)
  expect(many?.length).toBeLessThanOrEqual(1500)
  expect(cutLongText('línea\n'.repeat(60))).toBe('línea\n'.repeat(30).trimEnd())
})

it('truncates text without blanks, but never within a character', () => {
  expect(cutLongText('a'.repeat(5000))).toBe('a'.repeat(1500))
  expect(cutLongText(`a${'🙂'.repeat(2000)}`)).toBe(`a${'🙂'.repeat(749)}`)
})
