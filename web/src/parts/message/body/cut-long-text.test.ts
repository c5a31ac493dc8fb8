import { expect, it } from 'vitest'
import { cutLongText } from './cut-long-text.ts'

it('shows what fits as it is, and what hardly does not', () => {
  for (const text of ['', 'Hola', 'palabra '.repeat(220), 'línea\n'.repeat(36).trimEnd()])
    expect(cutLongText(text)).toBeNull()
})

it('begins a very long text up to the end of a word, or of a line', () => {
  const many = cutLongText('palabra '.repeat(300))
  expect(many).toMatch(/palabra$/)
  expect(many?.length).toBeGreaterThan(1480)
  expect(many?.length).toBeLessThanOrEqual(1500)
  expect(cutLongText('línea\n'.repeat(60))).toBe('línea\n'.repeat(30).trimEnd())
})

it('cuts what has no blanks, but no sign in two', () => {
  expect(cutLongText('a'.repeat(5000))).toBe('a'.repeat(1500))
  expect(cutLongText(`a${'🙂'.repeat(2000)}`)).toBe(`a${'🙂'.repeat(749)}`)
})
