import { z } from 'zod'
import { cut } from './call-out.ts'

/** One thing to be said to the customer, in whatever language the machine speaks with us. */
export type Piece =
  /** `choices`: what the customer may answer with, one after the other. */
  { kind: 'text'; text: string; choices?: string[] } | { kind: 'file'; url: string; text: string }

/**
 * What a machine wants. It is a wish: its ids are looked up in the company that asked, and nothing of it reaches further.
 */
export type Reply = {
  pieces: Piece[]
  /** To a queue, to a person, or (empty) to the people of the queue in which the ticket waits. */
  transfer?: { queueId?: number; userId?: number }
  tagIds: number[]
  /** Nothing is left to do: the ticket is closed. */
  ends: boolean
}

/** A machine that talks without end is cut off here: so many pieces, of so many signs, with so many choices. */
export const most = { pieces: 20, signs: 4000, choices: 20, title: 200, tags: 20 } as const

/** Within what a phone shows and a person reads. Empty ones are left out. */
export function bounded(pieces: Piece[]): Piece[] {
  const shown = pieces.filter((piece) => piece.kind === 'file' || piece.text.trim() || piece.choices?.length)
  return shown.slice(0, most.pieces).map((piece) => {
    const text = cut(piece.text.trim(), most.signs)
    if (piece.kind === 'file') return { ...piece, text }
    const choices = (piece.choices ?? []).slice(0, most.choices).map((title) => cut(title.trim(), most.title))
    return { kind: 'text', text, ...(choices.length && { choices: choices.filter(Boolean) }) }
  })
}

const id = z.coerce.number().int().min(1).max(2_147_483_647)
const title = z.string().trim().min(1).max(most.title)
const text = z.string().trim().max(most.signs)
const Said = z.union([
  text.min(1),
  z.object({ text, choices: z.array(title).max(most.choices).optional() }),
  z.object({ media: z.url({ protocol: /^https?$/ }).max(2000), text: text.optional() }),
])
const list = <T extends z.ZodType>(of: T, max: number) =>
  z.union([of.transform((one) => [one]), z.array(of).max(max)]).optional()

/** What the answer to a webhook may carry, and a DialogFlow payload: version 1, see docs/bots.md. */
export const Actions = z.object({
  say: list(Said, most.pieces),
  transfer: z
    .union([z.literal('people').transform(() => ({})), z.object({ queueId: id.optional(), userId: id.optional() })])
    .optional(),
  tag: list(id, most.tags),
  close: z.boolean().optional(),
})

export function replyOf({ say = [], transfer, tag = [], close = false }: z.output<typeof Actions>): Reply {
  const pieces = say.map((one): Piece => {
    if (typeof one === 'string') return { kind: 'text', text: one }
    if ('media' in one) return { kind: 'file', url: one.media, text: one.text ?? '' }
    return { kind: 'text', text: one.text, ...(one.choices && { choices: one.choices }) }
  })
  return {
    pieces: bounded(pieces),
    ...(transfer && { transfer: definite(transfer) }),
    tagIds: [...new Set(tag)],
    ends: close,
  }
}

const definite = ({ queueId, userId }: { queueId?: number | undefined; userId?: number | undefined }) => ({
  ...(queueId !== undefined && { queueId }),
  ...(userId !== undefined && { userId }),
})
