import type { Currency } from '@recado/contract/money/currency'
import { useMemo } from 'react'
import { useLanguage } from '../../lib/texts.ts'

/** "ARS · peso argentino", in the reader's language. */
export function useCurrencyName(): (currency: Currency) => string {
  const [language] = useLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'currency' })
    return (currency) => `${currency} · ${names.of(currency) ?? currency}`
  }, [language])
}
