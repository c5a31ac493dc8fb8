import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildBrCode, computeCrc16 } from './br-code.ts'

/** Parses a code by the rules of the manual: field, two digits of length, value. */
function read(code: string): Map<string, string> {
  const found = new Map<string, string>()
  for (let at = 0; at < code.length; ) {
    const [id, length] = [code.slice(at, at + 2), Number(code.slice(at + 2, at + 4))]
    const value = code.slice(at + 4, at + 4 + length)
    if (value.length !== length) throw new Error(`field ${id} is cut off`)
    found.set(id, value)
    at += 4 + length
  }
  return found
}
/** The same checksum computed differently: long division of the message by x^16 + x^12 + x^5 + 1, bit by bit. */
function remainder(text: string): string {
  const bits = [...Buffer.from(text)].flatMap((byte) => Array.from({ length: 8 }, (_, n) => (byte >> (7 - n)) & 1))
  const all = [...bits, ...new Array<number>(16).fill(0)]
  for (let n = 0; n < 16; n++) all[n] = (all[n] as number) ^ 1
  const divisor = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  for (let n = 0; n < bits.length; n++)
    if (all[n]) for (const [i, bit] of divisor.entries()) all[n + i] = (all[n + i] as number) ^ bit
  return Number.parseInt(all.slice(bits.length).join(''), 2).toString(16).toUpperCase().padStart(4, '0')
}

describe('the Pix BR code', () => {
  it('has the checksum of the example in the manual, and of the polynomial division', () => {
    // "Manual de Padrões para Iniciação do Pix", the worked example of a static code.
    const manual =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304'
    expect([computeCrc16(manual), remainder(manual)]).toEqual(['1D3D', '1D3D'])
    expect([computeCrc16('123456789'), remainder('123456789')]).toEqual(['29B1', '29B1'])
  })

  it('equals the example code of the manual, except for the checksum', () => {
    const code = buildBrCode({
      key: '123e4567-e12b-12d1-a456-426655440000',
      name: 'Fulano de Tal',
      city: 'Brasília',
      cents: 1,
      txid: '***',
    })
    const manual = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986'
    expect(code.startsWith(`${manual}54040.015802BR5913FULANO DE TAL6008BRASILIA62070503***6304`)).toBe(true)
  })

  it('contains payee, amount and reference, whatever the names contain', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w.+@-]{5,60}$/),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((s) => /[a-z]/i.test(s)),
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.stringMatching(/^[A-Za-z0-9]{1,25}$/),
        (key, name, cents, txid) => {
          const code = buildBrCode({ key, name, city: 'São José dos Campos do Norte', cents, txid })
          const fields = read(code)
          expect(read(fields.get('26') as string)).toEqual(
            new Map([
              ['00', 'br.gov.bcb.pix'],
              ['01', key],
            ]),
          )
          expect(Math.round(Number(fields.get('54')) * 100)).toBe(cents)
          expect(fields.get('54')).toMatch(/^\d+\.\d\d$/)
          expect([fields.get('53'), fields.get('58'), fields.get('60')]).toEqual(['986', 'BR', 'SAO JOSE DOS CA'])
          expect(fields.get('59')).toMatch(/^[ -~]{0,25}$/)
          expect(read(fields.get('62') as string).get('05')).toBe(txid)
          expect([...fields.keys()].at(-1)).toBe('63')
          expect(fields.get('63')).toBe(remainder(code.slice(0, -4)))
        },
      ),
      { numRuns: 200 },
    )
  })
})
