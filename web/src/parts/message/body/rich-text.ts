/** Text with WhatsApp formatting and links. */
export type RichTextPart =
  | string
  | { mark: 'b' | 'i' | 's' | 'code'; parts: RichTextPart[] }
  | { link: string; text: string }

const marks = { '*': 'b', _: 'i', '~': 's' } as const
// A formatting mark opens before a character and closes after a character, never within a word (5*3*2,
// file_name_2).
const richTextPattern =
  /```([\s\S]+?)```|(?<![\p{L}\p{N}])([*_~])(?!\s|\2)((?:(?!\2)[^\n])*)(?<!\s)\2(?![\p{L}\p{N}])|\b(?:https?:\/\/|www\.)[^\s<>"]+/gu
/** Trailing punctuation does not belong to the URL before it. */
const trailingPunctuation = new Set(".,;:!?)]}'*_~")

export function parseRichText(text: string): RichTextPart[] {
  const parts: RichTextPart[] = []
  let at = 0
  for (const match of text.matchAll(richTextPattern)) {
    const [whole, code, mark, inside] = match
    if (match.index > at) parts.push(text.slice(at, match.index))
    if (code !== undefined) parts.push({ mark: 'code', parts: [code] })
    else if (mark) parts.push({ mark: marks[mark as keyof typeof marks], parts: parseRichText(inside ?? '') })
    else parts.push(...splitLink(whole))
    at = match.index + whole.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

function splitLink(whole: string): RichTextPart[] {
  let end = whole.length
  while (trailingPunctuation.has(whole[end - 1] ?? '')) end--
  const text = whole.slice(0, end)
  const link = text.startsWith('www.') ? `https://${text}` : text
  const rest = whole.slice(text.length)
  return URL.canParse(link) ? [{ link, text }, ...(rest ? [rest] : [])] : [whole]
}

/** The text without formatting, for a one-row preview. */
export const stripFormatting = (text: string): string => parseRichText(text).map(partToText).join('')

const partToText = (part: RichTextPart): string =>
  typeof part === 'string' ? part : 'link' in part ? part.text : part.parts.map(partToText).join('')
