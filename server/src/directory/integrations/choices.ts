/** The choices as text, for lines without buttons. */
export const formatChoices = (choices: string[]): string => choices.map((title, n) => `*${n + 1}* ${title}`).join('\n')

/** Only this much of the customer's text is compared: a choice is a number or a title. */
const maxAnswerChars = 400

const normalizeText = (words: string) => words.slice(0, maxAnswerChars).trim().toLowerCase()

/**
 * The chosen options, matched by number or by title; null: none matched. The service only knows its titles, not the
 * numbers that we put before them.
 */
export function matchChoices(said: string, choices: string[], several: boolean): string[] | null {
  const one = (part: string) => {
    const wanted = normalizeText(part).replace(/^\*|[.)*]$/g, '')
    const named = choices.find((title) => normalizeText(title) === wanted)
    return named ?? (/^\d{1,2}$/.test(wanted) ? choices[Number(wanted) - 1] : undefined)
  }
  const whole = one(said)
  if (whole !== undefined) return [whole]
  if (!several) return null
  const parts = said.slice(0, maxAnswerChars).split(/[,;\s]+/)
  const found = parts.filter(Boolean).map(one)
  return found.length && found.every((title) => title !== undefined) ? [...new Set(found as string[])] : null
}
