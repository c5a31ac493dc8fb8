import { fold } from '../text/fold.ts'
import { commonPasswordBaseWords } from './common-passwords.ts'
import { type PasswordRule, passwordRules } from './passwords.ts'

/** Each value is a form error (errors.ts). */
export type PasswordProblem = 'Required' | 'Too Short!' | 'Too Long!' | 'Too Common!' | 'Invalid'

/** Spec, section 5, password reset: an upper-case letter, a lower-case letter and a digit. */
const hasMixedCharacters = (password: string) =>
  /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\d/.test(password)

/** Why a new password is rejected, if it is. `resetting`: the specification has stricter rules for the reset form. */
export function findPasswordProblem(
  password: string,
  rule: PasswordRule,
  resetting = false,
  words: ReadonlySet<string> = commonPasswordBaseWords,
): PasswordProblem | null {
  const { min, max, common } = passwordRules[rule]
  if (!password) return 'Required'
  if (password.length < (resetting ? Math.max(min, 8) : min)) return 'Too Short!'
  if (password.length > max) return 'Too Long!'
  if (rule === 'plain') return resetting && !hasMixedCharacters(password) ? 'Invalid' : null
  return !common && isCommonPassword(password, words) ? 'Too Common!' : null
}

const leetspeakLetters: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
/** The text with look-alike digits and symbols replaced by letters. */
export const undoLeetspeak = (text: string) => text.replace(/[013457@$]/g, (sign) => leetspeakLetters[sign] ?? sign)
const keyboardRows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjklñ',
  'zxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb',
  'qazwsxedcrfvtgb',
  'qweasdzxc',
  'a1b2c3d4e5f6g7h8',
  '1a2b3c4d5e6f7g8h',
]

/** Keyboard or alphabet sequences, in pieces of four characters or more. */
function isKeyboardWalk(text: string): boolean {
  const backwards = (row: string) => [...row].reverse().join('')
  const ways = keyboardRows.flatMap((row) => [row + row, backwards(row + row)])
  for (let at = 0; at < text.length; ) {
    const way = ways.find((w) => w.includes(text.slice(at, at + 4)))
    if (!way || text.length - at < 4) return text.length - at < 3 && at > 0
    let length = 4
    while (at + length < text.length && way.includes(text.slice(at, at + length + 1))) length++
    at += length
  }
  return true
}

/** `iloveyousunshine`: exactly two common words in a row. */
const isTwoCommonWords = (words: ReadonlySet<string>, text: string) =>
  text.length <= 24 &&
  Array.from(text).some((_, at) => at > 1 && words.has(text.slice(0, at)) && words.has(text.slice(at)))

/**
 * A password that attackers guess first: only digits, a keyboard sequence, or one or two common words in any
 * disguise. The list for browsers is short; the server has thousands of words.
 */
export function isCommonPassword(password: string, words: ReadonlySet<string> = commonPasswordBaseWords): boolean {
  const text = password.slice(0, 200).toLowerCase()
  const bare = text.replace(/^[^\p{L}]{1,6}|[^\p{L}]{1,6}$/gu, '')
  const forms = [text, bare].flatMap((form) => [form, undoLeetspeak(form), fold(form)])
  const halves = text.length % 2 === 0 && text.slice(text.length / 2) === text.slice(0, text.length / 2)
  return (
    new Set(text).size < 4 ||
    /^\d{1,10}$/.test(text) ||
    isKeyboardWalk(text) ||
    forms.some((form) => words.has(form) || isTwoCommonWords(words, form)) ||
    (halves && text.length > 5 && isCommonPassword(text.slice(text.length / 2), words))
  )
}

/**
 * The strength from 0 (among the first guesses) to 4, for the bar below the field. It does not say whether the password
 * is accepted.
 */
export function ratePasswordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  if (!password || isCommonPassword(password)) return 0
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u]
  const chars = [26, 26, 10, 33].reduce((sum, size, i) => sum + (kinds[i]?.test(password) ? size : 0), 0)
  const bits = Math.min(new Set(password).size * 2, password.length) * Math.log2(chars)
  return bits < 30 ? 1 : bits < 48 ? 2 : bits < 70 ? 3 : 4
}
