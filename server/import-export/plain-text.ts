/** Control characters move a terminal's cursor or change its display, and some change the reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not be printed
const unprintableCharacters = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text of an archive or a dump, made safe to print in a message to the operator. */
export const toPrintable = (said: unknown, longest = 120): string => {
  const text = String(said)
    .slice(0, longest * 2)
    .replace(unprintableCharacters, '?')
    .toWellFormed()
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/**
 * Whether JSON is nested deeper than the limit, without parsing it: parsers, ours included, recurse on their own stack.
 * Stops at the limit.
 */
export function isNestedDeeper(json: string, limit: number): boolean {
  let depth = 0
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const sign = json.charCodeAt(i)
    if (inText) {
      if (sign === 92) i++
      else if (sign === 34) inText = false
    } else if (sign === 34) inText = true
    else if (sign === 123 || sign === 91) {
      if (++depth > limit) return true
    } else if (sign === 125 || sign === 93) depth--
  }
  return false
}
