import { expect, test } from 'vitest'
import {
  type CountryCode,
  formatPhoneNumber,
  formatPhoneTyped,
  guessCountry,
  parsePhoneTyped,
  phoneCountries,
} from './phone-number.ts'

/** Simulates typing, one character after another. */
const typing = (text: string, code: CountryCode) =>
  [...text].reduce((now, sign) => formatPhoneTyped(now + sign, code), '')

test.each([
  ['AR', '1155551234', '11 5555-1234', '+541155551234'],
  ['AR', '01155551234', '011 5555-1234', '+541155551234'],
  ['BR', '11999990000', '(11) 99999-0000', '+5511999990000'],
  ['BR', '1133334444', '(11) 3333-4444', '+551133334444'],
  ['CO', '3005550192', '300 555 0192', '+573005550192'],
  ['MX', '5512345678', '55 1234 5678', '+525512345678'],
  ['CL', '912345678', '9 1234 5678', '+56912345678'],
  ['UY', '094555019', '094 555 019', '+59894555019'],
  ['ES', '612345678', '612 345 678', '+34612345678'],
  ['PT', '912345678', '912 345 678', '+351912345678'],
] as const)('formats a number of %s while it is typed: %s is %s, stored as %s', (code, typed, shown, stored) => {
  expect(typing(typed, code)).toBe(shown)
  expect(parsePhoneTyped(shown, code)).toBe(stored)
})

test('stores an Argentine cell phone as it is called from abroad', () => {
  for (const typed of ['011 15 4567-8901', '11 15 45678901'])
    expect(parsePhoneTyped(typed, 'AR')).toBe('+5491145678901')
  expect(parsePhoneTyped('0351 15 555-1234', 'AR')).toBe('+5493515551234')
  expect(parsePhoneTyped('02966 15 551234', 'AR')).toBe('+5492966551234')
  expect(parsePhoneTyped('11 1555-1234', 'AR')).toBe('+541115551234')
})

test('keeps all digits of a number of any country', () => {
  for (const number of ['+57 300 555 0192', '+598 94 555 019', '+1 (212) 555-0123', '+49 1512 5550123']) {
    expect(typing(number, 'AR')).toBe(number)
    expect(parsePhoneTyped(number, 'BR')).toBe(number.replace(/[^+\d]/g, ''))
  }
  expect(typing('+12345678901234567890', 'AR')).toBe('+123456789012345')
  expect(parsePhoneTyped('', 'AR')).toBe('')
})

test('removes a digit after repeated deletions of the last character, in every country', () => {
  for (const code of Object.keys(phoneCountries) as CountryCode[]) {
    let text = formatPhoneTyped('1199999000', code)
    for (let step = 0; step < 25 && text; step++) text = formatPhoneTyped(text.slice(0, -1), code)
    expect(text).toBe('')
  }
})

test('finds the country by the time zone, else by the region of the language', () => {
  expect(guessCountry(['en-US'], 'America/Argentina/Cordoba')).toBe('AR')
  expect(guessCountry(['es-MX', 'en'], 'UTC')).toBe('MX')
  expect(guessCountry(['pt-PT'], 'Etc/UTC')).toBe('PT')
  expect(guessCountry(['pt'], 'UTC')).toBe('BR')
  expect(guessCountry([], '')).toBe('AR')
})

test('groups stored numbers as in their country, and leaves other values unchanged', () => {
  expect(formatPhoneNumber('573005550192')).toBe('+57 300 555 0192')
  expect(formatPhoneNumber('5491155551234')).toBe('+54 9 11 5555-1234')
  expect(formatPhoneNumber('5511999990000')).toBe('+55 11 99999-0000')
  expect(formatPhoneNumber('447700900123')).toBe('+44 770 090 0123')
  expect(formatPhoneNumber('491512555012')).toBe('+49 151 255 5012')
  expect(formatPhoneNumber('353851234567')).toBe('+353 851 234 567')
  for (const other of ['', '120363041234567890', '5511988887777-1610000000', 'CO.1a2b3c']) {
    expect(formatPhoneNumber(other)).toBe(other)
  }
})
