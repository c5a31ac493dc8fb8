import { type Currency, currencyDecimals } from '../money/currency.ts'
import type { Language } from '../users.ts'

/** Where a currency is used, Spanish speakers write amounts in their own country's way: 1,234.50 in Mexico. */
const spanishLocales: Record<Currency, string> = {
  ...{ BRL: 'pt-BR', ARS: 'es-AR', CLP: 'es-CL', COP: 'es-CO', MXN: 'es-MX', PEN: 'es-PE', UYU: 'es-UY' },
  ...{ EUR: 'es-ES', USD: 'es-AR' },
}
/** Reais look the same in every language (spec, section 9). */
function localeOf(currency: Currency, language: Language): string {
  if (currency === 'BRL' || language === 'pt') return 'pt-BR'
  return language === 'en' ? 'en-US' : spanishLocales[currency]
}

/** Cached: creating a format costs a hundred times its use, and every row has an amount. */
const formats = new Map<string, Intl.NumberFormat>()

/**
 * An amount as the reader writes it. `withCode` says which currency it is where several stand beside each other: five of
 * them are written "$".
 */
export function formatAmount(value: number, currency: Currency, language: Language, withCode = false): string {
  // An imported amount may have cents that are not in use: show them rather than another amount.
  const digits = Number.isInteger(value) ? currencyDecimals[currency] : 2
  const key = `${currency} ${language} ${withCode} ${digits}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(localeOf(currency, language), {
      style: 'currency',
      currency,
      currencyDisplay: withCode && currency !== 'BRL' ? 'code' : 'symbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    formats.set(key, format)
  }
  return format.format(value)
}
