/**
 * The SQL dialect, which decides how strings are escaped: MySQL uses the backslash in every string, PostgreSQL only in
 * E'…'.
 */
export type Dialect = 'mysql' | 'postgres'

const copyEscapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Parses one cell of a COPY block; `\N` means null. */
export function parseCopyCell(cell: string): string | null {
  if (cell === '\\N') return null
  if (!cell.includes('\\')) return cell
  return cell.replace(/\\(x[\da-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    return copyEscapes[code] ?? code
  })
}

const textEscapes: Record<string, string> = { 0: '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\u001a' }
const [quote, backslash, comma, open, close] = [39, 92, 44, 40, 41]

/** Reads a string from after its opening quote. Null: the text ends before the string does. */
function parseQuoted(text: string, start: number, escapes: boolean): { value: string; next: number } | null {
  let value = ''
  let from = start
  for (let i = start; i < text.length; i++) {
    const charCode = text.charCodeAt(i)
    if (charCode === backslash && escapes) {
      if (i + 1 >= text.length) return null
      const next = text.charAt(i + 1)
      value += text.slice(from, i) + (textEscapes[next] ?? next)
      from = ++i + 1
    } else if (charCode === quote) {
      // Only the next character distinguishes the closing quote from a doubled one.
      if (i + 1 >= text.length) return null
      if (text.charCodeAt(i + 1) !== quote) return { value: value + text.slice(from, i), next: i + 1 }
      value += text.slice(from, i + 1)
      from = ++i + 1
    }
  }
  return null
}

/** One value of a tuple: a string, a number or NULL, with any prefix or suffix (`_binary '…'`, `'…'::jsonb`). */
function parseValue(text: string, start: number, dialect: Dialect): { value: string | null; next: number } | null {
  let found: string | null = null
  let word = start
  for (let i = start; i < text.length; i++) {
    const charCode = text.charCodeAt(i)
    if (charCode === comma || charCode === close) {
      if (found !== null) return { value: found, next: i }
      const bare = text.slice(word, i).trim()
      return { value: /^null$/i.test(bare) ? null : bare, next: i }
    }
    if (charCode !== quote) continue
    const read = parseQuoted(text, i + 1, dialect === 'mysql' || /E$/i.test(text.slice(word, i)))
    if (!read) return null
    found = read.value
    word = read.next
    i = read.next - 1
  }
  return null
}

/** Reads a tuple from its opening bracket. Null: the tuple does not end in this text, and more text is needed. */
export function parseTuple(
  text: string,
  start: number,
  dialect: Dialect,
): { values: (string | null)[]; next: number } | null {
  if (text.charCodeAt(start) !== open) throw new Error('no tuple here')
  const values: (string | null)[] = []
  for (let at = start + 1; ; ) {
    const read = parseValue(text, at, dialect)
    if (!read) return null
    values.push(read.value)
    at = read.next + 1
    if (text.charCodeAt(read.next) === close) return { values, next: at }
  }
}
