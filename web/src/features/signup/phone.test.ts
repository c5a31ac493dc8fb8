import { expect, test } from 'vitest'
import { phoneDigits, phoneMask } from './phone.ts'

test('the mask grows with the typing and never holds more than eleven digits', () => {
  expect(phoneMask('')).toBe('')
  expect(phoneMask('1')).toBe('(1')
  expect(phoneMask('11')).toBe('(11')
  expect(phoneMask('119')).toBe('(11) 9')
  expect(phoneMask('1199999')).toBe('(11) 99999')
  expect(phoneMask('11999990000')).toBe('(11) 99999-0000')
  expect(phoneMask('+11 99999 0000 55')).toBe('(11) 99999-0000')
  expect(phoneDigits('(11) 99999-00001')).toBe('11999990000')
})

test('taking the last character away always takes a digit away in the end', () => {
  let text = phoneMask('11999990000')
  for (let step = 0; step < 20 && text; step++) text = phoneMask(text.slice(0, -1))
  expect(text).toBe('')
})
