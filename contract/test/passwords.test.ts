import { describe, expect, it } from 'vitest'
import { findPasswordProblem, isCommonPassword, ratePasswordStrength } from '../src/passwords/password-check.ts'

describe('new password rules', () => {
  it('require 5 to 50 characters by default, as in the specification', () => {
    expect(findPasswordProblem('', 'plain')).toBe('Required')
    expect(findPasswordProblem('1234', 'plain')).toBe('Too Short!')
    expect(findPasswordProblem('12345', 'plain')).toBeNull()
    expect(findPasswordProblem('x'.repeat(50), 'plain')).toBeNull()
    expect(findPasswordProblem('x'.repeat(51), 'plain')).toBe('Too Long!')
  })

  it('require 8 to 128 characters and no common password when the super user chose the strong rule', () => {
    expect(findPasswordProblem('blue7-X', 'strong')).toBe('Too Short!')
    expect(findPasswordProblem('blue7-Xy', 'strong')).toBeNull()
    expect(findPasswordProblem('a long sentence about nothing', 'strong', true)).toBeNull()
    expect(findPasswordProblem('ab'.repeat(65), 'strong')).toBe('Too Long!')
    expect(findPasswordProblem('Contraseña1', 'strong')).toBe('Too Common!')
  })

  it('require an upper-case letter, a lower-case letter and a digit on reset, as in the specification', () => {
    expect(findPasswordProblem('Short-1', 'plain', true)).toBe('Too Short!')
    for (const weak of ['no-upper-case-1', 'NO-LOWER-CASE-1', 'No-Digit-Here'])
      expect(findPasswordProblem(weak, 'plain', true)).toBe('Invalid')
    expect(findPasswordProblem('Good-Enough-1', 'plain', true)).toBeNull()
  })
})

describe('common passwords', () => {
  it.each([
    'password',
    'Password1!',
    'P@ssw0rd',
    'qwertyuiop',
    'qwerty123',
    'asdf1234',
    '1q2w3e4r',
    '12345678',
    '87654321',
    '11111111',
    'abcdefgh',
    'aaaabbbb',
    'contraseña',
    'Senha2024!',
    'teamo123',
    'Recado2026',
    '19841984',
    'brasil10',
    '123maria',
    'abc123abc123',
    'zxcvbnm1',
    'admin@123',
  ])('include %s', (common) => {
    expect(isCommonPassword(common)).toBe(true)
    expect(ratePasswordStrength(common)).toBe(0)
  })

  it.each(['blue7-Xy', 'mi perro come pan', 'kX9#vQ2m', 'ventana-río-42', 'a-Good-passw0rd'])(
    'do not include %s',
    (rare) => {
      expect(isCommonPassword(rare)).toBe(false)
      expect(ratePasswordStrength(rare)).toBeGreaterThan(0)
    },
  )

  it('are checked quickly for a very long text', () => {
    const start = process.threadCpuUsage()
    for (const sign of ['!', 'q', '1', 'qwer', 'ñ']) for (let n = 0; n < 20; n++) isCommonPassword(sign.repeat(65_000))
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(500)
  })

  it('have a strength that grows with length and kinds of characters', () => {
    const grades = ['jk7w', 'jk7wq', 'jk7wqplm2', 'jk7wqPlm2#xa', 'jk7wqPlm2#xaT9 vbz'].map(ratePasswordStrength)
    expect(grades).toEqual([...grades].sort())
    expect(grades.at(0)).toBe(1)
    expect(grades.at(-1)).toBe(4)
  })
})
