/** Currencies in which a company can be billed. Pix, and so Efí and Asaas, exist only in the first. */
export const currencies = ['BRL', 'ARS', 'CLP', 'COP', 'MXN', 'PEN', 'UYU', 'EUR', 'USD'] as const
export type Currency = (typeof currencies)[number]
export const pixCurrency: Currency = 'BRL'

/** Decimals in everyday use. ISO 4217 allows Colombian cents, but nobody writes them. */
export const currencyDecimals: Record<Currency, 0 | 2> = {
  ...{ BRL: 2, ARS: 2, CLP: 0, COP: 0, MXN: 2, PEN: 2, UYU: 2, EUR: 2, USD: 2 },
}

/** The smallest amount of a currency, in cents: a peso of Chile or Colombia is not divided. */
export const smallestCents = (currency: Currency): number => (currencyDecimals[currency] === 0 ? 100 : 1)

/** Whether the currency has coins for this amount. */
export const isPayableAmount = (value: number, currency: Currency): boolean =>
  Math.round(value * 100) % smallestCents(currency) === 0

/** The currency of each country calling code whose country uses one of ours; Spain and Portugal use the euro. */
const currencyByCallingCode: Record<string, Currency> = {
  ...{ 55: 'BRL', 54: 'ARS', 56: 'CLP', 57: 'COP', 52: 'MXN', 51: 'PEN', 598: 'UYU', 34: 'EUR', 351: 'EUR' },
  ...{ 1: 'USD', 503: 'USD', 507: 'USD', 593: 'USD' },
}

/** The currency of the country of a telephone number with its plus sign; null without one, or for other countries. */
export function currencyOfPhone(phone: string): Currency | null {
  const digits = /^\+(\d{1,15})$/.exec(phone.replace(/[\s().-]/g, '').slice(0, 40))?.[1]
  if (!digits) return null
  const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((prefix) => prefix in currencyByCallingCode)
  return code ? (currencyByCallingCode[code] ?? null) : null
}
