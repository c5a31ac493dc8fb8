import { describe, expect, it } from 'vitest'
import { normalizePixKey } from '../src/money/pix.ts'

describe('a Pix key', () => {
  it.each([
    ['Pagos@Recado.example', 'pagos@recado.example'],
    ['123E4567-e12b-12d1-a456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
    ['+55 11 98765-4321', '+5511987654321'],
    ['11987654321', '+5511987654321'],
    ['5511987654321', '+5511987654321'],
    ['(11) 3265-4321', '+551132654321'],
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    ['11.222.333/0001-81', '11222333000181'],
  ])('is stored as banks know it: %s', (typed, stored) => {
    expect(normalizePixKey(typed)).toBe(stored)
  })

  it.each([
    ['a word', 'pagos'],
    ['a telephone of another country', '+54 11 5555-1234'],
    ['a CPF with a wrong digit', '529.982.247-24'],
    ['a CNPJ with a wrong digit', '11222333000180'],
    ['eleven digits that are both a telephone and a CPF', '11900000083'],
  ])('is refused: %s', (_, typed) => {
    expect(normalizePixKey(typed)).toBeNull()
  })
})
