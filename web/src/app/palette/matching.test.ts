import { expect, test } from 'vitest'
import { isPaletteMatch } from './matching.ts'

test('accents, case and the order of words do not matter', () => {
  expect(isPaletteMatch('Respuestas rápidas', 'rapidas')).toBe(true)
  expect(isPaletteMatch('Respuestas rápidas', 'RAP resp')).toBe(true)
  expect(isPaletteMatch('Respuestas rápidas', '')).toBe(true)
  expect(isPaletteMatch('Respuestas rápidas', 'rapidas lentas')).toBe(false)
})

test('one or two letters begin a word; more may stand anywhere', () => {
  expect(isPaletteMatch('Transferir este ticket', 'ti')).toBe(true)
  expect(isPaletteMatch('Transferir este ticket', 'ck')).toBe(false)
  expect(isPaletteMatch('Transferir este ticket', 'cket')).toBe(true)
})
