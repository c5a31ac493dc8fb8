import type { JoinSide } from '@recado/contract/contact-duplicates/contact-duplicates'
import { expect, it } from 'vitest'
import { listFieldRows, makeRow } from './join-rows.ts'

const side = (fields: [number, string, string][]) =>
  ({ contact: { extraInfo: fields.map(([id, name, value]) => ({ id, name, value })) } }) as unknown as JoinSide

it('asks only for names that both have with different values', () => {
  const kept = side([
    [1, 'Ciudad', 'Rosario'],
    [2, 'CUIT', '27'],
  ])
  const other = side([
    [3, 'ciudad', 'Lago'],
    [4, 'CUIT', '27'],
    [5, 'Talle', 'M'],
  ])
  expect(listFieldRows(kept, other)).toEqual([
    { key: 'field ciudad', label: 'Ciudad', kept: 'Rosario', other: 'Lago', choice: { kind: 'field', ids: [3] } },
    { key: 'field cuit', label: 'CUIT', kept: '27', other: '27', choice: null },
    { key: 'field talle', label: 'Talle', kept: '', other: 'M', choice: null },
  ])
})

it('offers no choice of a name or an e-mail that one of the two lacks', () => {
  expect(makeRow('email', 'Correo', '', 'a@mail.example').choice).toBeNull()
  expect(makeRow('email', 'Correo', 'a@mail.example', 'a@mail.example').choice).toBeNull()
  expect(makeRow('name', 'Nombre', 'Ana', 'Ana Sosa').choice).toEqual({ kind: 'name' })
})
