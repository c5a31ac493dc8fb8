import { type Currency, currencyDecimals } from '@recado/contract/money/currency'
import { formatAmount } from '@recado/contract/text/money'
import { useMemo } from 'react'
import { currentLanguage, useLanguage } from '../texts.ts'

/** An amount in the reader's language. */
export const formatMoney = (value: number, currency: Currency): string =>
  formatAmount(value, currency, currentLanguage())

/** The same with the currency's code, where amounts in several currencies stand beside each other. */
export const formatMoneyWithCode = (value: number, currency: Currency): string =>
  formatAmount(value, currency, currentLanguage(), true)

/** The props of an input for an amount. */
export const moneyInputProps = (currency: Currency) =>
  ({
    prefix: currency === 'BRL' ? 'R$ ' : `${currency} `,
    min: 0,
    decimalScale: currencyDecimals[currency],
    fixedDecimalScale: true,
    decimalSeparator: ',',
    thousandSeparator: '.',
    hideControls: true,
  }) as const

/** "ARS · peso argentino", in the reader's language. */
export function useCurrencyName(): (currency: Currency) => string {
  const [language] = useLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'currency' })
    return (currency) => `${currency} · ${names.of(currency) ?? currency}`
  }, [language])
}
