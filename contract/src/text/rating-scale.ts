/** The scales on which customers rate: 1 to 3, 1 to 5, or 0 to 10. */
export const ratingScales = [3, 5, 10] as const
export type RatingScale = (typeof ratingScales)[number]

/** How many characters of a comment are stored. */
export const maxRatingCommentLength = 1000

export const lowestScore = (scale: RatingScale): number => (scale === 10 ? 0 : 1)
export const isScoreOf = (scale: RatingScale, score: number): boolean =>
  Number.isInteger(score) && score >= lowestScore(scale) && score <= scale

/** Every score on the scale 1 to 3: of 1 to 5 by 1–2, 3, 4–5; of 0 to 10 by 0–6, 7–8, 9–10, as for the NPS. */
export function toRateOfThree(scale: RatingScale, score: number): number {
  if (scale === 3) return score
  const [satisfied, very] = scale === 5 ? [3, 4] : [7, 9]
  return score >= very ? 3 : score >= satisfied ? 2 : 1
}

/** Promoters (9, 10) minus detractors (0 to 6), in percent of all answers; null without answers. `counts`: per score. */
export function netPromoterScore(counts: number[]): number | null {
  const sum = (some: number[]) => some.reduce((all, n) => all + n, 0)
  const all = sum(counts)
  return all ? Math.round(((sum(counts.slice(9)) - sum(counts.slice(0, 7))) / all) * 100) : null
}
