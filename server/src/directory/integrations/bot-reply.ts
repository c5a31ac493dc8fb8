import { z } from 'zod'
import { truncateChars } from './external-call.ts'

/** One message for the customer, independent of the service's protocol. */
export type ReplyPiece =
  /** `choices`: the answers that the customer may give, in order. */
  { kind: 'text'; text: string; choices?: string[] } | { kind: 'file'; url: string; text: string }

/**
 * What an integration requests. The ids in it are looked up in the integration's own company, so it cannot reach another.
 */
export type BotReply = {
  pieces: ReplyPiece[]
  /** Transfers the ticket to a queue, to an agent, or (empty) to the agents of the ticket's queue. */
  transfer?: { queueId?: number; userId?: number }
  tagIds: number[]
  /** Whether the ticket is closed. */
  closesTicket: boolean
}

/** Limits of an answer: pieces, characters, choices. */
export const replyLimits = { pieces: 20, signs: 4000, choices: 20, title: 200, tags: 20 } as const

/** Applies `replyLimits`. Empty pieces are left out. */
export function limitPieces(pieces: ReplyPiece[]): ReplyPiece[] {
  const shown = pieces.filter((piece) => piece.kind === 'file' || piece.text.trim() || piece.choices?.length)
  return shown.slice(0, replyLimits.pieces).map((piece) => {
    const text = truncateChars(piece.text.trim(), replyLimits.signs)
    if (piece.kind === 'file') return { ...piece, text }
    const choices = (piece.choices ?? [])
      .slice(0, replyLimits.choices)
      .map((title) => truncateChars(title.trim(), replyLimits.title))
    return { kind: 'text', text, ...(choices.length && { choices: choices.filter(Boolean) }) }
  })
}

const id = z.coerce.number().int().min(1).max(2_147_483_647)
const title = z.string().trim().min(1).max(replyLimits.title)
const text = z.string().trim().max(replyLimits.signs)
const SayItem = z.union([
  text.min(1),
  z.object({ text, choices: z.array(title).max(replyLimits.choices).optional() }),
  z.object({ media: z.url({ protocol: /^https?$/ }).max(2000), text: text.optional() }),
])
const oneOrMany = <T extends z.ZodType>(of: T, max: number) =>
  z.union([of.transform((one) => [one]), z.array(of).max(max)]).optional()

/** The format of a webhook answer and of a DialogFlow payload: version 1, see docs/bots.md. */
export const ReplyActions = z.object({
  say: oneOrMany(SayItem, replyLimits.pieces),
  transfer: z
    .union([z.literal('people').transform(() => ({})), z.object({ queueId: id.optional(), userId: id.optional() })])
    .optional(),
  tag: oneOrMany(id, replyLimits.tags),
  close: z.boolean().optional(),
})

export function toBotReply({ say = [], transfer, tag = [], close = false }: z.output<typeof ReplyActions>): BotReply {
  const pieces = say.map((one): ReplyPiece => {
    if (typeof one === 'string') return { kind: 'text', text: one }
    if ('media' in one) return { kind: 'file', url: one.media, text: one.text ?? '' }
    return { kind: 'text', text: one.text, ...(one.choices && { choices: one.choices }) }
  })
  return {
    pieces: limitPieces(pieces),
    ...(transfer && { transfer: withoutUndefined(transfer) }),
    tagIds: [...new Set(tag)],
    closesTicket: close,
  }
}

const withoutUndefined = ({ queueId, userId }: { queueId?: number | undefined; userId?: number | undefined }) => ({
  ...(queueId !== undefined && { queueId }),
  ...(userId !== undefined && { userId }),
})
