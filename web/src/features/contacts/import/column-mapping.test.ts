import { expect, test } from 'vitest'
import { guessColumnMapping, remapColumn, targetOfColumn } from './column-mapping.ts'
import { parseImportRows } from './import-rows.ts'
import { headerToFirstRow, isHeaderAPerson, toSpreadsheetTable } from './spreadsheet-table.ts'

const guessMapping = (...rows: Record<string, unknown>[]) => guessColumnMapping(toSpreadsheetTable(rows))

test('recognizes headers in three languages, however they are written', () => {
  expect(guessMapping({ Nombre: 'Ana', Teléfono: '54', Correo: '' })).toEqual({ name: 0, number: 1, email: 2 })
  expect(guessMapping({ 'E-mail': '', NOME: 'Ana', 'Número de WhatsApp': 1 })).toEqual({ name: 1, number: 2, email: 0 })
  expect(guessMapping({ id: 1, 'full name': 'Ana', 'Phone number': 1 })).toEqual({ name: 1, number: 2, email: null })
})

test('guesses by the cells when the header is not recognized', () => {
  const rows = [
    { a: 'Ana Paz', b: 'x', c: '+54 9 11 5555-0000', d: 'ana@mail.example' },
    { a: 'Luis', b: '2', c: 5491155550001, d: '' },
  ]
  expect(guessMapping(...rows)).toEqual({ name: 0, number: 2, email: 3 })
  const cities = ['Ana', '=1', 'Luis'].map((b, i) => ({ a: 'Salta', b, c: `549115555000${i}` }))
  expect(guessMapping(...cities)).toEqual({ name: 1, number: 2, email: null })
  expect(guessMapping({ a: 'x1', b: '12' })).toEqual({ name: null, number: null, email: null })
})

test('maps each column to one field and each field to one column', () => {
  const mapping = { name: 0, number: 1, email: null }
  expect(remapColumn(mapping, 2, 'number')).toEqual({ name: 0, number: 2, email: null })
  expect(remapColumn(mapping, 0, 'email')).toEqual({ name: null, number: 1, email: 0 })
  expect(remapColumn(mapping, 0, null)).toEqual({ name: null, number: 1, email: null })
  expect(targetOfColumn(mapping, 1)).toBe('number')
  expect(targetOfColumn(mapping, 2)).toBeNull()
})

test('keeps the first row as a person if the file has no header', () => {
  const sheet = toSpreadsheetTable([{ 'Ana Paz': 'Luis', 5491155550000: 5491155550001, __EMPTY: 'x' }])
  expect(isHeaderAPerson(sheet)).toBe(true)
  const whole = headerToFirstRow(sheet)
  const people = parseImportRows(whole.rows, guessColumnMapping(whole), 1)
  expect(people.map(({ line, name, number, wrong: problem }) => [line, name, number, problem])).toEqual([
    [1, 'Ana Paz', '5491155550000', null],
    [2, 'Luis', '5491155550001', null],
  ])
})

test('shows the problem of a row on the field that must be corrected', () => {
  const mapping = { name: 0, number: 1, email: 2 }
  const rows = [
    ['Ana', '+54 9 11 5555-0000', ''],
    ['', '5491155550001', ''],
    ['Sin número', '', ''],
    ['Corto', '123', ''],
    ['Redondo', '5,49E+12', ''],
    ['Correo', '5491155550002', 'nada'],
    ['Otra vez Ana', '5491155550000', ''],
    ['L', '5491155550003', ''],
  ]
  const people = parseImportRows(rows, mapping, 2)
  expect(people[0]).toMatchObject({ line: 2, number: '5491155550000', wrong: null })
  expect(people[1]).toMatchObject({ name: '5491155550001', wrong: null })
  expect(people[2]?.wrong).toEqual({ field: 'number', problem: { kind: 'Required' } })
  expect(people[3]?.wrong).toMatchObject({ field: 'number', problem: { kind: 'Too Short!', limit: 8 } })
  expect(people[4]?.wrong).toMatchObject({ field: 'number' })
  expect(people[5]?.wrong).toEqual({ field: 'email', problem: { kind: 'Invalid email' } })
  expect(people[6]?.wrong).toEqual({ sameAs: 2 })
  expect(people[7]?.wrong).toMatchObject({ field: 'name', problem: { kind: 'Too Short!' } })
})
