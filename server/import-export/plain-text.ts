/** Control characters move a terminal's cursor or change its display, and some change the reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not be printed
const unprintableCharacters = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text of an archive or a dump, made safe to print in a message to the operator. */
export const toPrintable = (value: unknown, maxLength = 120): string => {
  const text = String(value)
    .slice(0, maxLength * 2)
    .replace(unprintableCharacters, '?')
    .toWellFormed()
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/**
 * Whether JSON is nested deeper than the limit, without parsing it: a recursive parser could overflow the stack.
 * Stops at the limit.
 */
export function isNestedDeeper(json: string, limit: number): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < json.length; i++) {
    const charCode = json.charCodeAt(i)
    if (isInString) {
      if (charCode === 92) i++
      else if (charCode === 34) isInString = false
    } else if (charCode === 34) isInString = true
    else if (charCode === 123 || charCode === 91) {
      if (++depth > limit) return true
    } else if (charCode === 125 || charCode === 93) depth--
  }
  return false
}
