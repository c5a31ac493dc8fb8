import { z } from 'zod'
import {
  color,
  del,
  flag,
  get,
  idParams,
  messageReply,
  optionalText,
  post,
  put,
  ref,
  requiredName,
} from '../endpoint.ts'
import { idList, Ticket, TicketDetail } from '../tickets.ts'

/** How long a move can be undone; a lane's message to the customer waits for this time. */
export const cardMoveUndoMs = 5000
/** The maximum hours after which a lane moves its cards on: a year. */
export const maxLaneCarryHours = 8760

/** A lane is a tag with `kanban = 1`. Its automatic actions are off by default. */
export const Lane = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  position: z.number(),
  /** Sent to the customer each time a card arrives; never in groups and never outside the 24-hour window. */
  say: z.object({ on: z.boolean(), text: z.string() }),
  /** The lane to which a card moves if it was not moved for this many hours. */
  carry: z.object({ on: z.boolean(), hours: z.number(), to: z.number().nullable() }),
})
export type Lane = z.infer<typeof Lane>

const laneName = requiredName(3, 50)
export const LaneWrite = z.object({
  name: laneName.optional(),
  color: color.optional(),
  say: z
    .object({ on: flag, text: optionalText(4000) })
    .refine(({ on, text }) => !on || text !== '', { path: ['text'] })
    .optional(),
  carry: z
    .object({
      on: flag,
      hours: z.coerce.number().int().min(1).max(maxLaneCarryHours),
      to: ref('tag').nullable(),
    })
    .refine(({ on, to }) => !on || to !== null, { path: ['to'] })
    .optional(),
})

/** A ticket on the board. */
export type BoardCard = Ticket

/** The newest cards of a lane. `laneId` null: cards without a board tag. */
const BoardColumn = z.object({
  laneId: z.number().nullable(),
  count: z.number(),
  cards: z.array(Ticket),
  /** The cursor of the next page; null: this is the last page. */
  next: z.string().nullable(),
})
export type BoardColumn = z.infer<typeof BoardColumn>

const BoardQuery = z.object({
  searchParam: z.string().trim().max(200).default(''),
  queueIds: idList('queue'),
  users: idList('user'),
  tags: idList('tag'),
})
export type BoardQuery = z.output<typeof BoardQuery>

/** The lane without a tag has a fixed name, as in older clients. */
const laneRef = z.union([z.literal('lane0'), ref('tag')])
const plan = 'useKanban'
const lane = { access: 'tags-page:kanban', plan } as const

export const boardApi = {
  show: get('/kanban', {
    about: 'The board: its lanes, each with its count and the newest cards the caller may see',
    access: 'session',
    plan,
    query: BoardQuery,
    reply: z.object({ lanes: z.array(Lane), columns: z.array(BoardColumn) }),
  }),
  more: get('/kanban/cards', {
    about: 'The next cards of a lane (`lane0`: without a board tag); `after` is the `next` of the previous page',
    access: 'session',
    plan,
    query: BoardQuery.extend({ laneId: laneRef, after: z.string().max(60).default('') }),
    reply: BoardColumn,
  }),
  move: put('/kanban/cards/:id', {
    about: 'Move a card to a lane atomically; with `from` only if it is still in that lane',
    access: 'session',
    plan,
    params: idParams('ticket'),
    body: z.object({ laneId: laneRef, from: laneRef.optional() }),
    example: { laneId: 'lane0' },
    reply: TicketDetail,
  }),
  create: post('/kanban/lanes', {
    ...lane,
    about: 'Create a lane; an existing tag with that name and colour becomes one',
    body: z.object({ name: laneName, color }),
    example: { name: 'Por cotizar', color: '#1098ad' },
    reply: Lane,
  }),
  update: put('/kanban/lanes/:id', {
    ...lane,
    about: 'Change the name, colour and automation of a lane; absent fields stay unchanged',
    params: idParams('tag'),
    body: LaneWrite,
    example: { name: 'Cotizado', color: '#1098ad', carry: { on: false, hours: 72, to: null } },
    reply: Lane,
  }),
  remove: del('/kanban/lanes/:id', {
    ...lane,
    about: 'Remove a lane from the board; its tag stays',
    params: idParams('tag'),
    reply: messageReply,
  }),
  order: put('/kanban/order', {
    ...lane,
    about: 'Put the lanes in this order; lanes that are not named come last',
    body: z.object({ ids: z.array(ref('tag')).max(500) }),
    example: { ids: [] },
    reply: messageReply,
  }),
}
