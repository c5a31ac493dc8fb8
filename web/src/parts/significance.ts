type VariantResult = { sent: number; answered: number }

/** z value for 95 % confidence. */
const zScore95 = 1.96

/** The 95 % confidence interval of the share (Wilson), which is also valid for small samples. */
export function confidenceInterval(answered: number, sent: number): [number, number] {
  if (sent === 0) return [0, 0]
  const share = answered / sent
  const weight = 1 + zScore95 ** 2 / sent
  const middle = (share + zScore95 ** 2 / (2 * sent)) / weight
  const half = (zScore95 / weight) * Math.sqrt((share * (1 - share)) / sent + zScore95 ** 2 / (4 * sent ** 2))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** The best of several variants sorted by share, if it beats the second with 95 % confidence; else null. */
export function findSignificantWinner<T extends VariantResult>([first, second]: T[]): T | null {
  if (!first || !second || first.sent === 0 || second.sent === 0) return null
  const all = (first.answered + second.answered) / (first.sent + second.sent)
  const spread = Math.sqrt(all * (1 - all) * (1 / first.sent + 1 / second.sent))
  const apart = first.answered / first.sent - second.answered / second.sent
  return spread > 0 && apart / spread > zScore95 ? first : null
}
