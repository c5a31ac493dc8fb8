/** CPF and CNPJ of Brazil, CUIT of Argentina, RUT of Chile. */
export const taxIdKinds = ['cpf', 'cnpj', 'cuit', 'rut'] as const
export type TaxIdKind = (typeof taxIdKinds)[number]

/** Longer than any written number with its dots, dashes and spaces. */
const maxWrittenLength = 40

/** The number without dots, dashes, slashes and spaces, if it has its form and its check digits are right; else null. */
export function parseTaxId(written: string, kind: TaxIdKind): string | null {
  if (written.length > maxWrittenLength) return null
  const compact = written.replace(/[\s.\-/]/g, '').toUpperCase()
  return isTaxId[kind](compact) ? compact : null
}

const isTaxId: Record<TaxIdKind, (compact: string) => boolean> = {
  cpf: (compact) => /^\d{11}$/.test(compact) && !isOneDigit(compact) && hasBrazilianCheckDigits(compact, 12),
  // Since July 2026 the first twelve characters may be letters too; their values are their character codes less 48.
  cnpj: (compact) => /^[0-9A-Z]{12}\d{2}$/.test(compact) && !isOneDigit(compact) && hasBrazilianCheckDigits(compact, 9),
  cuit: (compact) =>
    /^\d{11}$/.test(compact) &&
    /^(20|23|24|25|26|27|30|33|34)/.test(compact) &&
    Number(compact[10]) === (11 - (weightedSum(compact.slice(0, 10), 7) % 11)) % 11,
  rut: (compact) =>
    /^[1-9]\d{6,7}[\dK]$/.test(compact) &&
    compact.at(-1) === '0123456789K'[(11 - (weightedSum(compact.slice(0, -1), 7) % 11)) % 11],
}

const isOneDigit = (compact: string): boolean => new Set(compact).size === 1

/** The sum of the characters, weighted from the right with 2, 3, … up to the highest weight and then again from 2. */
function weightedSum(chars: string, highestWeight: number): number {
  let sum = 0
  for (let i = 0; i < chars.length; i++)
    sum += (chars.charCodeAt(chars.length - 1 - i) - 48) * (2 + (i % (highestWeight - 1)))
  return sum
}

/** Two check digits, of which the second also counts the first. */
function hasBrazilianCheckDigits(compact: string, highestWeight: number): boolean {
  return [compact.length - 2, compact.length - 1].every((at) => {
    const rest = weightedSum(compact.slice(0, at), highestWeight) % 11
    return Number(compact[at]) === (rest < 2 ? 0 : 11 - rest)
  })
}
