import { fold } from '../text/fold.ts'

/** Banks accept only capital letters without accents; other characters are removed. */
export const toBankText = (text: string, maxLength: number): string =>
  fold(text)
    .toUpperCase()
    .replace(/[^ -~]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim()

/** The lengths that a BR code allows for the payee's name and city. */
export const maxPixNameLength = 25
export const maxPixCityLength = 15

const checkDigit = (digits: number[], weights: number[]): number => {
  const rest = weights.reduce((sum, weight, n) => sum + weight * (digits[n] as number), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}
const descendingWeights = (from: number, count: number) => Array.from({ length: count }, (_, n) => from - n)
const cnpjWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

function isCpf(text: string): boolean {
  const digits = [...text].map(Number)
  return (
    checkDigit(digits, descendingWeights(10, 9)) === digits[9] &&
    checkDigit(digits, descendingWeights(11, 10)) === digits[10]
  )
}

function isCnpj(text: string): boolean {
  const digits = [...text].map(Number)
  return checkDigit(digits, cnpjWeights) === digits[12] && checkDigit(digits, [6, ...cnpjWeights]) === digits[13]
}

/** A Brazilian number without its country code: an area code, and nine digits of a mobile or eight of a landline. */
const isNationalPhone = (digits: string) =>
  /^(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|[89][1-9])(9\d{8}|[2-5]\d{7})$/.test(digits)

/**
 * A Pix key as banks store it: an e-mail, a random key, a telephone with +55, a CPF or a CNPJ. Null: no Pix key. Eleven
 * digits may be a telephone or a CPF; if they are both, the key is refused until it is written with +55 or as a CPF.
 */
export function normalizePixKey(typed: string): string | null {
  const text = typed.trim()
  if (/^[^\s@]{1,64}@[^\s@]{1,70}\.[^\s@]{2,20}$/.test(text)) return text.toLowerCase()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase()
  if (!/^\+?[\d\s().\-/]{8,30}$/.test(text)) return null
  const digits = text.replace(/\D/g, '')
  if (text.startsWith('+')) return /^55/.test(digits) && isNationalPhone(digits.slice(2)) ? `+${digits}` : null
  if (digits.length === 14) return isCnpj(digits) ? digits : null
  if (/^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(text)) return isCpf(digits) ? digits : null
  const isPhone = isNationalPhone(digits)
  const isDocument = digits.length === 11 && isCpf(digits)
  if (isPhone && isDocument && digits === text) return null
  if (isPhone) return `+55${digits}`
  if (/^55/.test(digits) && isNationalPhone(digits.slice(2))) return `+${digits}`
  return isDocument ? digits : null
}
