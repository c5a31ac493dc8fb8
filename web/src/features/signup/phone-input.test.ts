import { expect, test } from 'vitest'
import { formatPhoneInput, parsePhoneDigits } from './phone-input.ts'

/** As a person types it, one sign after the other. */
const typing = (text: string) => [...text].reduce((now, sign) => formatPhoneInput(now + sign), '')

test('the mask grows with the typing', () => {
  expect(formatPhoneInput('')).toBe('')
  expect(formatPhoneInput('1')).toBe('(1')
  expect(formatPhoneInput('11')).toBe('(11')
  expect(formatPhoneInput('119')).toBe('(11) 9')
  expect(formatPhoneInput('1199999')).toBe('(11) 99999')
  expect(typing('11999990000')).toBe('(11) 99999-0000')
})

test("any country's number stays whole", () => {
  for (const number of ['+57 300 555 0192', '+598 94 555 019', '+1 (212) 555-0123', '+49 1512 5550123'])
    expect(typing(number)).toBe(number)
  expect(parsePhoneDigits('+57 300 555 0192')).toBe('+573005550192')
  expect(typing('573005550192')).toBe('573005550192')
  expect(parsePhoneDigits('(11) 99999-0000')).toBe('11999990000')
  expect(typing('+12345678901234567890')).toBe('+123456789012345')
})

test('taking the last character away always takes a digit away in the end', () => {
  let text = formatPhoneInput('11999990000')
  for (let step = 0; step < 20 && text; step++) text = formatPhoneInput(text.slice(0, -1))
  expect(text).toBe('')
})
