/** Structural limits of a JSON text. Bytes are limited where they are read. */
export type JsonLimits = {
  depth: number
  /** Maximum number of all values together: objects, arrays and what they contain. */
  values: number
  /** Maximum number of items of one array. */
  items: number
  /** Maximum number of keys of one object. */
  keys: number
}

const [quote, comma, brace, bracket, braceEnd, bracketEnd, backslash] = [0x22, 0x2c, 0x7b, 0x5b, 0x7d, 0x5d, 0x5c]

/**
 * Counts the values of a JSON text in one pass over its bytes, before anything is built from it. Null: the text exceeds a
 * limit. The count of a malformed text is meaningless, but the parser refuses it afterwards.
 */
export function countJsonValues(bytes: Uint8Array, limits: JsonLimits): number | null {
  const members = new Uint32Array(limits.depth + 1)
  const isObject = new Uint8Array(limits.depth + 1)
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      // Skip the byte after a backslash: it may be an escaped quote.
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
    } else if (byte === brace || byte === bracket) {
      if (++depth > limits.depth || ++values > limits.values) return null
      members[depth] = 1
      isObject[depth] = byte === brace ? 1 : 0
    } else if (byte === braceEnd || byte === bracketEnd) {
      if (depth > 0) depth--
    } else if (byte === comma) {
      if (++values > limits.values) return null
      const count = (members[depth] as number) + 1
      members[depth] = count
      if (count > (isObject[depth] ? limits.keys : limits.items)) return null
    }
  }
  return values
}
