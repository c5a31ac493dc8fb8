import { expect, test } from 'vitest'
import { formatPhoneInput, parsePhoneDigits } from './phone-input.ts'

/** Simulates typing, one character after another. */
const typing = (text: string) => [...text].reduce((now, sign) => formatPhoneInput(now + sign), '')

test('extends the mask while typing', () => {
  expect(formatPhoneInput('')).toBe('')
  expect(formatPhoneInput('1')).toBe('(1')
  expect(formatPhoneInput('11')).toBe('(11')
  expect(formatPhoneInput('119')).toBe('(11) 9')
  expect(formatPhoneInput('1199999')).toBe('(11) 99999')
  expect(typing('11999990000')).toBe('(11) 99999-0000')
})

test("keeps any country's number complete", () => {
  for (const number of ['+57 300 555 0192', '+598 94 555 019', '+1 (212) 555-0123', '+49 1512 5550123'])
    expect(typing(number)).toBe(number)
  expect(parsePhoneDigits('+57 300 555 0192')).toBe('+573005550192')
  expect(typing('573005550192')).toBe('573005550192')
  expect(parsePhoneDigits('(11) 99999-0000')).toBe('11999990000')
  expect(typing('+12345678901234567890')).toBe('+123456789012345')
})

test('always removes a digit in the end when the last character is deleted repeatedly', () => {
  let text = formatPhoneInput('11999990000')
  for (let step = 0; step < 20 && text; step++) text = formatPhoneInput(text.slice(0, -1))
  expect(text).toBe('')
})
