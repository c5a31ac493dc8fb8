import { currentLanguage } from '../../lib/texts.ts'

/** Formats a number of tokens, for example "118 mil": the last digits of large numbers are not shown. */
export const formatTokens = (n: number): string =>
  new Intl.NumberFormat(currentLanguage(), { notation: 'compact', maximumFractionDigits: 1 }).format(n)
