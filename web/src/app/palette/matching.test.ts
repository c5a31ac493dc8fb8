import { expect, test } from 'vitest'
import { isPaletteMatch } from './matching.ts'

test('matches regardless of accents, case and word order', () => {
  expect(isPaletteMatch('Respuestas rápidas', 'rapidas')).toBe(true)
  expect(isPaletteMatch('Respuestas rápidas', 'RAP resp')).toBe(true)
  expect(isPaletteMatch('Respuestas rápidas', '')).toBe(true)
  expect(isPaletteMatch('Respuestas rápidas', 'rapidas lentas')).toBe(false)
})

test('matches one or two letters at the start of a word, and more anywhere', () => {
  expect(isPaletteMatch('Transferir este ticket', 'ti')).toBe(true)
  expect(isPaletteMatch('Transferir este ticket', 'ck')).toBe(false)
  expect(isPaletteMatch('Transferir este ticket', 'cket')).toBe(true)
})
