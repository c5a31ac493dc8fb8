import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseTaxId, type TaxIdKind, taxIdKinds } from '../src/flows/tax-ids.ts'

it.each<[TaxIdKind, string, string]>([
  ['cpf', '529.982.247-25', '52998224725'],
  ['cpf', '111 444 777 35', '11144477735'],
  ['cnpj', '11.222.333/0001-81', '11222333000181'],
  ['cnpj', '12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['cnpj', '12abc34501de35', '12ABC34501DE35'],
  ['cuit', '20-12345678-6', '20123456786'],
  ['cuit', '30-50001091-2', '30500010912'],
  ['rut', '12.345.678-5', '123456785'],
  ['rut', '10.000.013-k', '10000013K'],
  ['rut', '76.086.428-5', '760864285'],
])('accepts the %s %s', (kind, written, compact) => {
  expect(parseTaxId(written, kind)).toBe(compact)
})

it.each<[TaxIdKind, string]>([
  ['cpf', '529.982.247-26'],
  ['cpf', '111.111.111-11'],
  ['cpf', '5299822472'],
  ['cnpj', '12.ABC.345/01DE-36'],
  ['cnpj', '00.000.000/0000-00'],
  ['cnpj', '12.ABC.345/01DE-3A'],
  ['cuit', '20-12345678-5'],
  ['cuit', '99-12345678-6'],
  ['rut', '12.345.678-9'],
  ['rut', '1-9'],
  ['cpf', ''],
  ['cpf', `529.982.247-25${' '.repeat(40)}`],
])('refuses the %s %j', (kind, written) => {
  expect(parseTaxId(written, kind)).toBeNull()
})

const valid: Record<TaxIdKind, string> = {
  cpf: '52998224725',
  cnpj: '12ABC34501DE35',
  cuit: '20123456786',
  rut: '123456785',
}

it('notices every changed digit', () => {
  for (const kind of taxIdKinds) {
    const right = valid[kind]
    for (let at = kind === 'cuit' ? 2 : 0; at < right.length; at++)
      for (const digit of '0123456789') {
        // A letter of a CNPJ counts like the digit that it equals modulo 11.
        if (digit === right[at] || !/\d/.test(right[at] as string)) continue
        expect(parseTaxId(right.slice(0, at) + digit + right.slice(at + 1), kind), `${kind} ${at} ${digit}`).toBeNull()
      }
  }
})

it('reads any text without throwing, and returns only what it accepts again', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...taxIdKinds), (text, kind) => {
      const compact = parseTaxId(text, kind)
      if (compact !== null) expect(parseTaxId(compact, kind)).toBe(compact)
    }),
  )
})
