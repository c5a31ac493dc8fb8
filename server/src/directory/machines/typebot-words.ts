import { z } from 'zod'
import { bounded, most, type Piece } from './reply.ts'

/** Typebot's answer as far as we read it; what it carries besides is for its own pages. */
export const ChatAnswer = z.object({
  sessionId: z.string().min(1).max(200).optional(),
  messages: z.array(z.object({ type: z.string(), content: z.unknown() })).max(500),
  input: z.record(z.string(), z.unknown()).nullish(),
})
export type ChatAnswer = z.infer<typeof ChatAnswer>

/** `#{json}` in a text block: the flow is done, and where the ticket goes. */
export type HandOver = { queueId?: number; userId?: number }

/** What of an answer is for the customer and what is for us. */
export type FlowTurn = {
  pieces: Piece[]
  /** The flow waits for an answer: without this it is over. */
  asks: boolean
  /** It did not understand the last one. */
  lost: boolean
  handOver: HandOver | null
  /** What may be answered, where that is not free; `several`: more than one of them. */
  choices: string[]
  several: boolean
}

/** Flows are nested, and text in them; nobody nests deeper. */
const deepest = 20

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const childrenOf = (node: Node): Node[] => (Array.isArray(node.children) ? node.children.filter(isNode) : [])
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * WhatsApp's marks hug the words and end with the line. Underlined is what flows of the older desks use for struck
 * through: WhatsApp cannot underline.
 */
function marked(text: string, { bold, italic, underline, strikethrough }: Node): string {
  const signs = [bold && '*', italic && '_', (underline || strikethrough) && '~'].filter(Boolean).join('')
  if (!signs) return text
  const mark = (line: string) => {
    const core = line.trim()
    if (!core) return line
    const from = line.indexOf(core)
    return `${line.slice(0, from)}${signs}${core}${[...signs].reverse().join('')}${line.slice(from + core.length)}`
  }
  return text.split('\n').map(mark).join('\n')
}

function inline(node: Node, depth = 0): string {
  if (depth > deepest) return ''
  if (typeof node.text === 'string') return marked(node.text, node)
  const inner = childrenOf(node)
    .map((child) => inline(child, depth + 1))
    .join('')
  if (node.type !== 'a') return inner
  const url = wordOf(node.url)
  return !url || inner.includes(url) ? inner : inner.trim() ? `${inner}: ${url}` : url
}

/** Lists as lines with a dot or a number, deeper ones moved in. */
function blockLines(node: Node, depth = 0): string[] {
  if (depth > deepest) return []
  if (node.type !== 'ul' && node.type !== 'ol') return [inline(node)]
  return childrenOf(node).flatMap((item, n) => {
    const parts = childrenOf(item)
    const lists = parts.filter((part) => part.type === 'ul' || part.type === 'ol')
    const words = parts.filter((part) => !lists.includes(part)).map((part) => inline(part))
    const sign = node.type === 'ol' ? `${n + 1}.` : '•'
    const deeper = lists.flatMap((list) => blockLines(list, depth + 1)).map((line) => `  ${line}`)
    return [`${sign} ${words.join('') || (lists.length ? '' : inline(item))}`, ...deeper]
  })
}

/** Typebot's rich text as WhatsApp writes it. */
export const whatsappText = (richText: unknown): string =>
  (Array.isArray(richText) ? richText.filter(isNode) : []).flatMap((node) => blockLines(node)).join('\n')

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!isNode(content)) return ''
  if (Array.isArray(content.richText)) return whatsappText(content.richText)
  return wordOf(content.markdown) || wordOf(content.plainText)
}

const isWebAddress = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url)

/** What a block shows; null: nothing that can be shown on a phone. */
function pieceOf(type: string, content: unknown): Piece | null {
  if (type === 'text') return { kind: 'text', text: textOf(content) }
  const url = isNode(content) ? wordOf(content.url) : ''
  if (!isWebAddress(url)) return null
  // Videos of the big sites, maps, pages: a phone opens them itself.
  const isFile = type === 'image' || type === 'audio' || (type === 'video' && isPlainVideo(content))
  return isFile ? { kind: 'file', url, text: '' } : { kind: 'text', text: url }
}
const isPlainVideo = (content: unknown) => isNode(content) && (content.type === undefined || content.type === 'url')

const HandOver = z.object({
  stopBot: z.boolean().optional(),
  queueId: z.coerce.number().int().positive().optional(),
  userId: z.coerce.number().int().positive().optional(),
})

/** Where a text block is for us; null: it is for the customer. */
export function handOverIn(text: string): HandOver | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('#') || trimmed.length > 2000) return null
  // Editors put their own quotes in.
  const json = trimmed.slice(1).replace(/[\u201c\u201d]/g, '"')
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return null
  }
  const read = HandOver.safeParse(parsed)
  if (!read.success) return null
  const { stopBot, queueId, userId } = read.data
  if (!stopBot && queueId === undefined && userId === undefined) return null
  return { ...(queueId !== undefined && { queueId }), ...(userId !== undefined && { userId }) }
}

/** What the engine says when it could not read the answer, in the languages of its own. */
const invalid = new Set([
  'invalid message. please, try again.',
  'mensagem inválida. por favor, tente novamente.',
  'mensaje inválido. por favor, inténtalo de nuevo.',
  'message invalide. veuillez réessayer.',
])
const isInvalid = (text: string) => text.length < 200 && invalid.has(text.trim().toLowerCase())

function choicesOf(input: Node): string[] {
  const items = Array.isArray(input.items) ? input.items.filter(isNode) : []
  if (input.type === 'rating input') {
    const length = isNode(input.options) ? Number(input.options.length) : 0
    const stars = Number.isInteger(length) && length > 1 && length <= 10 ? length : 10
    return Array.from({ length: stars }, (_, n) => String(n + 1))
  }
  const titles = items.map((item) => wordOf(item.content) || wordOf(item.title) || wordOf(item.value))
  return titles
    .map((one) => one.trim())
    .filter(Boolean)
    .slice(0, most.choices)
}

/** An answer of Typebot, taken apart. Pure. */
export function flowTurn({ messages, input }: ChatAnswer): FlowTurn {
  const all = messages.map(({ type, content }) => pieceOf(type, content)).filter((piece) => piece !== null)
  const texts = all.map((piece) => (piece.kind === 'text' ? piece.text : ''))
  const handOver = texts.map(handOverIn).find((found) => found !== null) ?? null
  const pieces = bounded(all.filter((_, n) => handOverIn(texts[n] ?? '') === null && !isInvalid(texts[n] ?? '')))
  const choices = input ? choicesOf(input) : []
  const options = input && isNode(input.options) ? input.options : {}
  return {
    pieces: choices.length ? withChoices(pieces, choices) : pieces,
    asks: Boolean(input),
    lost: texts.some(isInvalid) || (Boolean(input) && !all.length),
    handOver,
    choices,
    several: options.isMultipleChoice === true,
  }
}

/** Under the last words, where those are the question. */
function withChoices(pieces: Piece[], choices: string[]): Piece[] {
  const last = pieces.at(-1)
  if (last?.kind !== 'text') return [...pieces, { kind: 'text', text: '', choices }]
  return [...pieces.slice(0, -1), { ...last, choices }]
}
