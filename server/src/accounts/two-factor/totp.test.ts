import { expect, it } from 'vitest'
import { findMatchingStep, newRecoveryCode, newTotpSecret, otpauthUrl, totpCodeAt, totpStepAt } from './totp.ts'

/** The secret of the RFC's test table, the text 12345678901234567890, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it('computes the codes of RFC 6238, appendix B', () => {
  const table: [seconds: number, eightDigits: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of table)
    expect(totpCodeAt(secret, totpStepAt(new Date(seconds * 1000)))).toBe(code.slice(-6))
})

it('accepts the current code and the codes 30 seconds before and after, and no other', () => {
  const now = new Date(1_700_000_000_000)
  const at = totpStepAt(now)
  expect([-2, -1, 0, 1, 2].map((by) => findMatchingStep(secret, totpCodeAt(secret, at + by), now))).toEqual([
    null,
    at - 1,
    at,
    at + 1,
    null,
  ])
  for (const code of ['', '12345', '1234567', 'abcdef', '12 456'])
    expect(findMatchingStep(secret, code, now)).toBe(null)
})

it('creates secrets of 160 bits and recovery codes of two groups', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newRecoveryCode()).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/)
})

it('names issuer and account in the otpauth URL', () => {
  expect(otpauthUrl('ABC', 'Recado', 'ana@desk.example')).toBe(
    'otpauth://totp/Recado:ana%40desk.example?secret=ABC&issuer=Recado',
  )
})
