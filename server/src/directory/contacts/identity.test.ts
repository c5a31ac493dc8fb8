import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PersonIdentity } from '../../lines/line.ts'
import {
  chooseFullerNumber,
  groupKey,
  identityKeyText,
  normalizePhoneNumber,
  phoneKey,
  toIdentityKeys,
} from './identity.ts'

const digit = fc.integer({ min: 0, max: 9 })
const digits = (n: number) => fc.array(digit, { minLength: n, maxLength: n }).map((d) => d.join(''))
/** An E.164 number: country code first, at most 15 digits. */
const number = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 6, max: 14 }).chain(digits))
  .map(([a, b]) => `${a}${b}`)
/** Area code and the eight digits of a mobile number before the ninth was added. */
const mobile = fc
  .tuple(fc.integer({ min: 11, max: 99 }), fc.integer({ min: 6, max: 9 }), digits(7))
  .map(([area, first, rest]) => ({ area: String(area), old: `${first}${rest}` }))
const brazilian = mobile.chain(({ area, old }) => fc.constantFrom(`55${area}${old}`, `55${area}9${old}`))
/** The ways people and vendors write a number. */
const formattedNumber = (n: string) =>
  fc.constantFrom(
    n,
    `+${n}`,
    `00${n}`,
    `${n}@s.whatsapp.net`,
    `${n}:17@s.whatsapp.net`,
    ` +${n.slice(0, 2)} (${n.slice(2, 4)}) ${n.slice(4)} `,
  )

const withoutNinth = (n: string) => n.replace(/^(55\d\d)9([6-9]\d{7})$/, '$1$2')

describe('the key of a phone number', () => {
  it('is the same with and without the ninth digit of a Brazilian mobile', () => {
    expect(phoneKey('+55 11 98888-7777')).toBe('551188887777')
    fc.assert(fc.property(mobile, ({ area, old }) => phoneKey(`55${area}9${old}`) === phoneKey(`55${area}${old}`)))
  })

  it('is idempotent', () => {
    fc.assert(fc.property(fc.oneof(number, brazilian, fc.string()), (n) => phoneKey(phoneKey(n)) === phoneKey(n)))
  })

  it('is the same for all ways to write a number', () => {
    fc.assert(
      fc.property(
        fc.oneof(number, brazilian).chain((n) => fc.tuple(fc.constant(n), formattedNumber(n))),
        ([n, w]) => phoneKey(w) === phoneKey(n),
      ),
    )
  })

  it('is never shared by two different numbers', () => {
    const pair = fc.oneof(
      fc.tuple(fc.oneof(number, brazilian), fc.oneof(number, brazilian)),
      // Similar numbers, where a wrong rule would merge people: one digit added, dropped or changed.
      fc
        .tuple(brazilian, fc.nat(12), digit)
        .map(([n, at, d]): [string, string] => [n, n.slice(0, at) + d + n.slice(at + 1)]),
      fc.tuple(brazilian, fc.nat(12)).map(([n, at]): [string, string] => [n, n.slice(0, at) + n.slice(at + 1)]),
    )
    fc.assert(
      fc.property(pair, ([a, b]) => {
        fc.pre(!a.startsWith('0') && !b.startsWith('0'))
        return (phoneKey(a) === phoneKey(b)) === (withoutNinth(a) === withoutNinth(b))
      }),
      { numRuns: 2000 },
    )
  })

  it('leaves landlines, short numbers and other countries unchanged', () => {
    for (const n of ['551133334444', '5511933334444', '5491155550000', '14155550123', '190'])
      expect(phoneKey(n)).toBe(n)
  })
})

describe('the displayed number', () => {
  it('keeps the form in which it was received, and prefers the longer of two forms', () => {
    expect(chooseFullerNumber('551188887777', '5511988887777')).toBe('5511988887777')
    expect(chooseFullerNumber('5511988887777', '551188887777')).toBe('5511988887777')
    expect(chooseFullerNumber('', '551188887777')).toBe('551188887777')
    expect(chooseFullerNumber('5511988887777', '')).toBe('5511988887777')
  })
  it('never becomes another phone number', () => {
    fc.assert(
      fc.property(number, fc.oneof(number, brazilian), (a, b) => phoneKey(chooseFullerNumber(a, b)) === phoneKey(a)),
    )
  })
})

describe('the keys of a person', () => {
  it('include every identity, the most reliable first', () => {
    expect(
      toIdentityKeys({ username: '@Lucia.Campos', cloud: 'BR.123', lid: '99887766:2@lid', phone: '+55 11 98888-7777' }),
    ).toEqual([
      { kind: 'phone', value: '551188887777' },
      { kind: 'lid', value: '99887766' },
      { kind: 'cloud', value: 'BR.123' },
      { kind: 'username', value: 'lucia.campos' },
    ])
  })
  it('consist of the complete id if the contact is a group', () => {
    expect(groupKey('5511988887777-1400000000@g.us')).toEqual({ kind: 'group', value: '5511988887777-1400000000' })
    expect(groupKey('120363000000000001')).toEqual({ kind: 'group', value: '120363000000000001' })
    expect(groupKey('@g.us')).toBeNull()
  })
  it('are empty, without an error, for any other input', () => {
    const odd = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.constantFrom('', '@', ':1', '\u0000', 'x'.repeat(5000), '\ud800'),
    )
    fc.assert(
      fc.property(odd, odd, odd, odd, (phone, lid, cloud, username) => {
        const keys = toIdentityKeys({ phone, lid, cloud, username } as PersonIdentity)
        expect(new Set(keys.map(identityKeyText)).size).toBe(keys.length)
        for (const { kind, value } of keys) {
          expect(value.length).toBeGreaterThan(0)
          expect(value.length).toBeLessThanOrEqual(120)
          if (kind !== 'phone') expect(toIdentityKeys({ [kind]: value })).toEqual([{ kind, value }])
        }
        expect(normalizePhoneNumber(phone)).toMatch(/^\d*$/)
        groupKey(lid)
      }),
      { numRuns: 1000 },
    )
  })
})
