/** The parts of an XML stream. Names have no prefix; text is raw, with entities, and may come in several tokens. */
export type XmlToken =
  | { kind: 'open'; name: string; attributes: string; closes: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

/** Maximum length of a tag: no valid document has a longer one. */
const maxTagChars = 65_536

/** Parses XML as a stream and buffers at most one tag. It does not validate: invalid XML gives meaningless tokens. */
export async function* parseXmlStream(chunks: AsyncIterable<Buffer>): AsyncGenerator<XmlToken[]> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  for await (const chunk of chunks) {
    const { pieces, left } = splitTokens(rest + decoder.decode(chunk, { stream: true }))
    if (left.length > maxTagChars) throw new Error('not xml')
    rest = left
    if (pieces.length) yield pieces
  }
}

/** The complete tokens, and the rest of the text after them. */
function splitTokens(text: string): { pieces: XmlToken[]; left: string } {
  const pieces: XmlToken[] = []
  let at = 0
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    if (tag !== at) pieces.push({ kind: 'text', text: text.slice(at, tag < 0 ? undefined : tag) })
    if (tag < 0) return { pieces, left: '' }
    const end = findTokenEnd(text, tag)
    if (end < 0) return { pieces, left: text.slice(tag) }
    const piece = parseTag(text.slice(tag, end))
    if (piece) pieces.push(piece)
    at = end
  }
  return { pieces, left: '' }
}

const [comment, data] = ['<!--', '<![CDATA[']
/** The end of the token that begins at this position; negative: the token is incomplete. */
function findTokenEnd(text: string, at: number): number {
  const closing = text.startsWith(comment, at) ? '-->' : text.startsWith(data, at) ? ']]>' : '>'
  // The text is too short to distinguish a comment from a tag, so more text is needed.
  if (text.length - at < data.length && text.startsWith('<!', at)) return -1
  const end = text.indexOf(closing, at)
  return end < 0 ? -1 : end + closing.length
}

function parseTag(tag: string): XmlToken | null {
  if (tag.startsWith(data)) return { kind: 'text', text: escapeXml(tag.slice(data.length, -3)) }
  if (tag.startsWith('<!') || tag.startsWith('<?')) return null
  if (tag.startsWith('</')) return { kind: 'close', name: localName(tag.slice(2, -1)) }
  const closes = tag.endsWith('/>')
  const inner = tag.slice(1, closes ? -2 : -1)
  const name = /^[^\s]{1,200}/.exec(inner)?.[0] ?? ''
  return { kind: 'open', name: localName(name), attributes: inner.slice(name.length), closes }
}
const localName = (whole: string): string => whole.trim().slice(whole.trim().indexOf(':') + 1)
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The value of an attribute; undefined if missing. */
export function readXmlAttribute(attributes: string, name: string): string | undefined {
  for (const quote of ['"', "'"]) {
    const from = attributes.indexOf(` ${name}=${quote}`)
    if (from < 0) continue
    const start = from + name.length + 3
    const end = attributes.indexOf(quote, start)
    return end < 0 ? undefined : decodeXmlEntities(attributes.slice(start, end))
  }
  return undefined
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** Text with its entities decoded. */
export const decodeXmlEntities = (xml: string): string =>
  xml.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? all
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
