import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSheetRow } from './sheet-rows.ts'

const read = (row: Record<string, unknown>) => {
  const found = readSheetRow(row, 7)
  return 'person' in found ? found.person : found.refusal
}

describe('a row of a spreadsheet', () => {
  it('is read by its headers, in any language and spelling', () => {
    const ana = { name: 'Ana Ruiz', number: '5491155550000', email: 'ana@mail.test' }
    for (const row of [
      { Nome: 'Ana Ruiz', Telefone: 5491155550000, Email: 'Ana@mail.test' },
      { nombre: ' Ana Ruiz ', número: '+54 9 11 5555-0000', Correo: 'ana@mail.test' },
      { NAME: 'Ana Ruiz', 'Phone Number': '5491155550000', 'e-mail': 'ana@mail.test' },
      { nome: 'Ana Ruiz', fone: '5491155550000.0', mail: 'ana@mail.test' },
      { 'Nome completo': 'Ana Ruiz', Numero: '5491155550000', mail: 'ana@mail.test', Otra: { any: 'thing' } },
    ]) {
      expect(read(row)).toEqual(ana)
    }
  })

  it('takes the first non-empty of several columns for a field, and the number as the name if the name is missing', () => {
    expect(read({ Nome: '', name: 'Ana', Telefone: '', celular: '5491155550000' })).toMatchObject({
      name: 'Ana',
      number: '5491155550000',
    })
    expect(read({ Telefone: 5491155550000 })).toEqual({ name: '5491155550000', number: '5491155550000', email: '' })
  })

  it('reports an error with the same codes as the form', () => {
    expect(read({ Nome: 'Ana', Telefone: '' })).toEqual({
      contactName: 'Ana',
      row: 7,
      error: { message: 'Required', field: 'number' },
    })
    expect(read({ Nome: 'Ana', Telefone: 123 })).toEqual({
      contactName: 'Ana',
      row: 7,
      error: { message: 'Too Short!', field: 'number' },
    })
    expect(read({ Nome: 'Ana', Telefone: '5,49116E+12' })).toEqual({
      contactName: 'Ana',
      row: 7,
      error: { message: 'Required', field: 'number' },
    })
    expect(read({ Nome: 'Ana', Telefone: 5491155550000, email: 'no' })).toEqual({
      contactName: 'Ana',
      row: 7,
      error: { message: 'Invalid email', field: 'email' },
    })
    expect(read({ Nome: 'x'.repeat(51), Telefone: 5491155550000 })).toMatchObject({
      error: { message: 'Too Long!', field: 'name' },
    })
    expect(read({})).toEqual({ contactName: '#7', row: 7, error: { message: 'Required', field: 'number' } })
  })

  it('never throws, and gives either a valid contact or a reason', () => {
    const header = fc.oneof(fc.string(), fc.constantFrom('Nome', 'Telefone', 'email', 'name', 'number'))
    fc.assert(
      fc.property(fc.dictionary(header, fc.oneof(fc.anything(), fc.string(), fc.integer())), (row) => {
        const found = readSheetRow(row, 1)
        if ('person' in found) expect(found.person.number).toMatch(/^[1-9]\d{7,49}$/)
        else expect(found.refusal.error.message.length * found.refusal.contactName.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })
})
