/** Matches, in JSON text, the escape of a NUL or of half a surrogate pair, unless its backslash is itself escaped. */
const unstorableEscapes = /(?<=(?:^|[^\\])(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/**
 * A value and its JSON without what the database cannot store. A NUL is removed; half a surrogate pair, from text
 * cut inside an emoji, becomes the replacement character.
 */
export function toStorableJson<T>(input: T): { value: T; text: string; hadNul: boolean } {
  const text = JSON.stringify(input)
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return { value: input, text, hadNul: false }
  let hadNul = false
  const cleaned = text.replace(unstorableEscapes, (sign) => {
    if (sign !== '\\u0000') return '\ufffd'
    hadNul = true
    return ''
  })
  return { value: cleaned === text ? input : JSON.parse(cleaned), text: cleaned, hadNul }
}
