import { currentLanguage } from '../../lib/texts.ts'

/** "118 mil": nobody reads the last digits of so many. */
export const formatTokens = (n: number): string =>
  new Intl.NumberFormat(currentLanguage(), { notation: 'compact', maximumFractionDigits: 1 }).format(n)
