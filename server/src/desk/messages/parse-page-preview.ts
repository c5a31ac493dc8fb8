const maxTitleLength = 150
const maxDescriptionLength = 300
/** The charset is declared at the beginning of a page. */
const charsetSearchBytes = 2048

const metaPattern = /<meta\s[^<>]{1,2000}>/gi
const attributePattern = /\s(property|name|content)\s{0,5}=\s{0,5}(?:"([^"<>]{0,1900})"|'([^'<>]{0,1900})')/gi
const titlePattern = /<title[^<>]{0,200}>([^<]{1,1000})/i
const entityPattern = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi
const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
/** Controls, line breaks, and marks that change the direction of text. */
const hiddenPattern = /[\p{Cc}\p{Cf}\s]{1,500}/gu

/** The title and description of an HTML page, as plain text. */
export function parsePagePreview(page: Buffer): { title: string; description: string } {
  const html = decodePage(page)
  const meta = new Map<string, string>()
  for (const [tag] of html.matchAll(metaPattern)) {
    const attributes = new Map<string, string>()
    for (const [, name = '', double, single] of tag.matchAll(attributePattern))
      attributes.set(name.toLowerCase(), double ?? single ?? '')
    const name = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase()
    const content = attributes.get('content')
    if (name && content && !meta.has(name)) meta.set(name, content)
  }
  const title = meta.get('og:title') ?? titlePattern.exec(html)?.[1] ?? ''
  const description = meta.get('og:description') ?? meta.get('description') ?? ''
  return { title: toPlainText(title, maxTitleLength), description: toPlainText(description, maxDescriptionLength) }
}

function decodePage(page: Buffer): string {
  const isLatin = /charset=["']?(?:iso-8859-1|windows-1252|latin1)/i.test(
    page.subarray(0, charsetSearchBytes).toString('latin1'),
  )
  return new TextDecoder(isLatin ? 'windows-1252' : 'utf-8').decode(page)
}

const toPlainText = (text: string, limit: number): string =>
  [...text.replace(entityPattern, decodeEntity).replace(hiddenPattern, ' ').trim()].slice(0, limit).join('')

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name) return namedEntities[name.toLowerCase()] ?? whole
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
}
