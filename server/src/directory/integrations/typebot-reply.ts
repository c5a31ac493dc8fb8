import { z } from 'zod'
import { limitPieces, type ReplyPiece, replyLimits } from './bot-reply.ts'

/** The fields of Typebot's answer that are used here; the others are for Typebot's own pages. */
export const TypebotChatAnswer = z.object({
  sessionId: z.string().min(1).max(200).optional(),
  messages: z.array(z.object({ type: z.string(), content: z.unknown() })).max(500),
  input: z.record(z.string(), z.unknown()).nullish(),
})
export type TypebotChatAnswer = z.infer<typeof TypebotChatAnswer>

/** `#{json}` in a text block: the flow is done, and the JSON names the queue or user that gets the ticket. */
export type TypebotHandOver = { queueId?: number; userId?: number }

/** A parsed answer: messages for the customer, and instructions for the desk. */
export type TypebotTurn = {
  pieces: ReplyPiece[]
  /** Whether the flow waits for an answer; otherwise it is over. */
  waitsForAnswer: boolean
  /** Whether the flow did not understand the customer's last answer. */
  notUnderstood: boolean
  handOver: TypebotHandOver | null
  /** The allowed answers, empty for free text. `allowsMultiple`: more than one may be chosen. */
  choices: string[]
  allowsMultiple: boolean
}

/** Maximum depth of nested flows and rich text. */
const maxDepth = 20

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const childrenOf = (node: Node): Node[] => (Array.isArray(node.children) ? node.children.filter(isNode) : [])
const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * WhatsApp's formatting characters must touch the words and end before a line break. Flows of older desks use underline
 * for strikethrough, because WhatsApp cannot underline.
 */
function applyMarks(text: string, { bold, italic, underline, strikethrough }: Node): string {
  const chars = [bold && '*', italic && '_', (underline || strikethrough) && '~'].filter(Boolean).join('')
  if (!chars) return text
  const mark = (line: string) => {
    const core = line.trim()
    if (!core) return line
    const from = line.indexOf(core)
    return `${line.slice(0, from)}${chars}${core}${[...chars].reverse().join('')}${line.slice(from + core.length)}`
  }
  return text.split('\n').map(mark).join('\n')
}

function renderInline(node: Node, depth = 0): string {
  if (depth > maxDepth) return ''
  if (typeof node.text === 'string') return applyMarks(node.text, node)
  const inner = childrenOf(node)
    .map((child) => renderInline(child, depth + 1))
    .join('')
  if (node.type !== 'a') return inner
  const url = asText(node.url)
  return !url || inner.includes(url) ? inner : inner.trim() ? `${inner}: ${url}` : url
}

/** Renders a list as rows of text with a bullet or a number; nested lists are indented. */
function renderBlock(node: Node, depth = 0): string[] {
  if (depth > maxDepth) return []
  if (node.type !== 'ul' && node.type !== 'ol') return [renderInline(node)]
  return childrenOf(node).flatMap((item, n) => {
    const parts = childrenOf(item)
    const lists = parts.filter((part) => part.type === 'ul' || part.type === 'ol')
    const words = parts.filter((part) => !lists.includes(part)).map((part) => renderInline(part))
    const sign = node.type === 'ol' ? `${n + 1}.` : '•'
    const deeper = lists.flatMap((list) => renderBlock(list, depth + 1)).map((line) => `  ${line}`)
    return [`${sign} ${words.join('') || (lists.length ? '' : renderInline(item))}`, ...deeper]
  })
}

/** Converts Typebot's rich text to WhatsApp formatting. */
export const toWhatsAppText = (richText: unknown): string =>
  (Array.isArray(richText) ? richText.filter(isNode) : []).flatMap((node) => renderBlock(node)).join('\n')

function readText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!isNode(content)) return ''
  if (Array.isArray(content.richText)) return toWhatsAppText(content.richText)
  return asText(content.markdown) || asText(content.plainText)
}

const isWebAddress = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url)

/** The content of a block; null: a phone cannot show any of it. */
function toPiece(type: string, content: unknown): ReplyPiece | null {
  if (type === 'text') return { kind: 'text', text: readText(content) }
  const url = isNode(content) ? asText(content.url) : ''
  if (!isWebAddress(url)) return null
  // Videos of big sites, maps and pages are sent as links, which a phone opens itself.
  const isFile = type === 'image' || type === 'audio' || (type === 'video' && isPlainVideo(content))
  return isFile ? { kind: 'file', url, text: '' } : { kind: 'text', text: url }
}
const isPlainVideo = (content: unknown) => isNode(content) && (content.type === undefined || content.type === 'url')

const TypebotHandOver = z.object({
  stopBot: z.boolean().optional(),
  queueId: z.coerce.number().int().positive().optional(),
  userId: z.coerce.number().int().positive().optional(),
})

/** The handover in a text block; null: it is text for the customer. */
export function parseHandOver(text: string): TypebotHandOver | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('#') || trimmed.length > 2000) return null
  // Editors replace quotes in the JSON by typographic quotes.
  const json = trimmed.slice(1).replace(/[\u201c\u201d]/g, '"')
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return null
  }
  const read = TypebotHandOver.safeParse(parsed)
  if (!read.success) return null
  const { stopBot, queueId, userId } = read.data
  if (!stopBot && queueId === undefined && userId === undefined) return null
  return { ...(queueId !== undefined && { queueId }), ...(userId !== undefined && { userId }) }
}

/** Typebot's messages for an invalid answer, in each of its languages. */
const invalidTexts = new Set([
  'invalid message. please, try again.',
  'mensagem inválida. por favor, tente novamente.',
  'mensaje inválido. por favor, inténtalo de nuevo.',
  'message invalide. veuillez réessayer.',
])
const isInvalidText = (text: string) => text.length < 200 && invalidTexts.has(text.trim().toLowerCase())

function readChoices(input: Node): string[] {
  const items = Array.isArray(input.items) ? input.items.filter(isNode) : []
  if (input.type === 'rating input') {
    const length = isNode(input.options) ? Number(input.options.length) : 0
    const stars = Number.isInteger(length) && length > 1 && length <= 10 ? length : 10
    return Array.from({ length: stars }, (_, n) => String(n + 1))
  }
  const titles = items.map((item) => asText(item.content) || asText(item.title) || asText(item.value))
  return titles
    .map((one) => one.trim())
    .filter(Boolean)
    .slice(0, replyLimits.choices)
}

/** Parses an answer of Typebot. A pure function. */
export function parseTypebotTurn({ messages, input }: TypebotChatAnswer): TypebotTurn {
  const all = messages.map(({ type, content }) => toPiece(type, content)).filter((piece) => piece !== null)
  const texts = all.map((piece) => (piece.kind === 'text' ? piece.text : ''))
  const handOver = texts.map(parseHandOver).find((found) => found !== null) ?? null
  const pieces = limitPieces(
    all.filter((_, n) => parseHandOver(texts[n] ?? '') === null && !isInvalidText(texts[n] ?? '')),
  )
  const choices = input ? readChoices(input) : []
  const options = input && isNode(input.options) ? input.options : {}
  return {
    pieces: choices.length ? withChoices(pieces, choices) : pieces,
    waitsForAnswer: Boolean(input),
    notUnderstood: texts.some(isInvalidText) || (Boolean(input) && !all.length),
    handOver,
    choices,
    allowsMultiple: options.isMultipleChoice === true,
  }
}

/** Adds the choices to the last text, if that is the question. */
function withChoices(pieces: ReplyPiece[], choices: string[]): ReplyPiece[] {
  const last = pieces.at(-1)
  if (last?.kind !== 'text') return [...pieces, { kind: 'text', text: '', choices }]
  return [...pieces.slice(0, -1), { ...last, choices }]
}
