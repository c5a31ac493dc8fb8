import { trimLink } from '@recado/contract/text/first-link'

/** Text with WhatsApp formatting, and with links to web pages, e-mail addresses and telephones. */
export type RichTextPart =
  | string
  | { mark: 'b' | 'i' | 's' | 'code'; parts: RichTextPart[] }
  | { link: string; text: string }

const marks = { '*': 'b', _: 'i', '~': 's' } as const
// A formatting mark opens before a character and closes after a character, never within a word (5*3*2,
// file_name_2).
const richTextPattern =
  /```([\s\S]+?)```|(?<![\p{L}\p{N}])([*_~])(?!\s|\2)((?:(?!\2)[^\n])*)(?<!\s)\2(?![\p{L}\p{N}])|\b(?:https?:\/\/|www\.)[^\s<>"]+|(?<![\p{L}\p{N}._%+-])[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|(?<![\p{L}\p{N}.,/:+-])[+(]{0,2}\d[\d ()-]{6,20}\d(?![\p{L}\p{N}/]|[.,:-]\d)/gu

export function parseRichText(text: string): RichTextPart[] {
  const parts: RichTextPart[] = []
  let at = 0
  for (const match of text.matchAll(richTextPattern)) {
    const [whole, code, mark, inside] = match
    if (match.index > at) parts.push(text.slice(at, match.index))
    if (code !== undefined) parts.push({ mark: 'code', parts: [code] })
    else if (mark) parts.push({ mark: marks[mark as keyof typeof marks], parts: parseRichText(inside ?? '') })
    else if (/^(?:https?:\/\/|www\.)/.test(whole)) parts.push(...splitLink(whole))
    else parts.push(whole.includes('@') ? linkEmail(whole) : linkPhone(whole))
    at = match.index + whole.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

const linkEmail = (text: string): RichTextPart => ({ link: `mailto:${text}`, text })

/**
 * Links a telephone number. It has a plus, or separators, or ten digits: shorter numbers are orders, documents and
 * amounts.
 */
function linkPhone(text: string): RichTextPart {
  const digits = text.replace(/\D/g, '')
  const hasPlus = text.startsWith('+') || text.startsWith('(+')
  const minDigits = hasPlus ? 8 : /[ ()-]/.test(text) ? 9 : 10
  const isDate = /^\d{1,4}-\d{1,2}-\d{1,4}(?!\d)/.test(text)
  if (digits.length < minDigits || digits.length > 15 || isDate) return text
  return { link: `tel:${hasPlus ? '+' : ''}${digits}`, text }
}

function splitLink(whole: string): RichTextPart[] {
  const found = trimLink(whole)
  if (!found) return [whole]
  const rest = whole.slice(found.text.length)
  return [found, ...(rest ? [rest] : [])]
}

/** The text without formatting, for a one-row preview. */
export const stripFormatting = (text: string): string => parseRichText(text).map(partToText).join('')

const partToText = (part: RichTextPart): string =>
  typeof part === 'string' ? part : 'link' in part ? part.text : part.parts.map(partToText).join('')
