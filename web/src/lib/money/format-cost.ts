import type { MoneyAmount } from '@recado/contract/money/message-prices'
import { currentLanguage } from '../texts.ts'

/** Below one unit of the currency, further decimals are shown: a message costs fractions of a cent. */
const formatMicros = ({ currency, micros }: MoneyAmount): string =>
  new Intl.NumberFormat(currentLanguage(), {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: micros > 0 && micros < 1_000_000 ? 4 : 2,
  }).format(micros / 1_000_000)

/** Amounts of several currencies stand beside each other; they are never added up. */
export const formatCost = (amounts: MoneyAmount[]): string => amounts.map(formatMicros).join(' · ')
