/** How deep lists and links may be nested. */
const maxDepth = 12
const maxCharacters = 20_000

/** The text of a bubble of Typebot as WhatsApp writes it: `*bold*`, `_italic_`, `~struck~`. */
export function typebotText(content: Record<string, unknown> | undefined): string {
  if (!content) return ''
  const { richText, plainText, html } = content
  if (Array.isArray(richText))
    return richText
      .slice(0, 500)
      .map((node) => textOfNode(node, 0))
      .join('\n')
      .trim()
      .slice(0, maxCharacters)
  if (typeof plainText === 'string' && plainText) return plainText.trim().slice(0, maxCharacters)
  return typeof html === 'string' ? textOfHtml(html) : ''
}

function textOfNode(node: unknown, depth: number): string {
  if (typeof node !== 'object' || !node || depth > maxDepth) return ''
  const { text, children, type, url, bold, italic, strikethrough } = node as Record<string, unknown>
  if (typeof text === 'string') return marked(text.slice(0, maxCharacters), { bold, italic, strikethrough })
  if (!Array.isArray(children)) return ''
  const parts = children.slice(0, 500).map((child) => textOfNode(child, depth + 1))
  const inner = parts.join(type === 'ul' || type === 'ol' ? '\n' : '')
  if (type === 'li') return `• ${inner}`
  return type === 'a' && typeof url === 'string' && url !== inner ? `${inner} (${url.slice(0, 500)})` : inner
}

function marked(text: string, { bold, italic, strikethrough }: Record<string, unknown>): string {
  const inner = text.trim()
  if (!inner) return text
  const marks = [bold === true ? '*' : '', italic === true ? '_' : '', strikethrough === true ? '~' : ''].join('')
  const from = text.indexOf(inner)
  return `${text.slice(0, from)}${marks}${inner}${[...marks].reverse().join('')}${text.slice(from + inner.length)}`
}

const textOfHtml = (html: string): string =>
  html
    .slice(0, maxCharacters)
    .replace(/<(br|\/p|\/div)[^<>]{0,200}>/gi, '\n')
    .replace(/<[^<>]{0,500}>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
