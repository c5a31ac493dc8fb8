import { expect, test } from 'vitest'
import { phoneDigits, phoneMask } from './phone.ts'

/** As a person types it, one sign after the other. */
const typing = (text: string) => [...text].reduce((now, sign) => phoneMask(now + sign), '')

test('the mask grows with the typing', () => {
  expect(phoneMask('')).toBe('')
  expect(phoneMask('1')).toBe('(1')
  expect(phoneMask('11')).toBe('(11')
  expect(phoneMask('119')).toBe('(11) 9')
  expect(phoneMask('1199999')).toBe('(11) 99999')
  expect(typing('11999990000')).toBe('(11) 99999-0000')
})

test("any country's number stays whole", () => {
  for (const number of ['+57 300 555 0192', '+598 94 555 019', '+1 (212) 555-0123', '+49 1512 5550123'])
    expect(typing(number)).toBe(number)
  expect(phoneDigits('+57 300 555 0192')).toBe('+573005550192')
  expect(typing('573005550192')).toBe('573005550192')
  expect(phoneDigits('(11) 99999-0000')).toBe('11999990000')
  expect(typing('+12345678901234567890')).toBe('+123456789012345')
})

test('taking the last character away always takes a digit away in the end', () => {
  let text = phoneMask('11999990000')
  for (let step = 0; step < 20 && text; step++) text = phoneMask(text.slice(0, -1))
  expect(text).toBe('')
})
