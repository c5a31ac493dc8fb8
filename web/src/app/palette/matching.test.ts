import { expect, test } from 'vitest'
import { matches } from './matching.ts'

test('accents, case and the order of words do not matter', () => {
  expect(matches('Respuestas rápidas', 'rapidas')).toBe(true)
  expect(matches('Respuestas rápidas', 'RAP resp')).toBe(true)
  expect(matches('Respuestas rápidas', '')).toBe(true)
  expect(matches('Respuestas rápidas', 'rapidas lentas')).toBe(false)
})

test('one or two letters begin a word; more may stand anywhere', () => {
  expect(matches('Transferir este ticket', 'ti')).toBe(true)
  expect(matches('Transferir este ticket', 'ck')).toBe(false)
  expect(matches('Transferir este ticket', 'cket')).toBe(true)
})
