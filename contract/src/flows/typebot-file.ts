import { z } from 'zod'

/** A larger file is not read. */
export const maxTypebotCharacters = 2 * 1024 * 1024
const maxBlocks = 2000

const id = z.string().max(100)
const anyRecord = z.record(z.string(), z.unknown())
/** Read only where a block uses it. */
const unread = z.unknown().optional()
const Item = z.object({ outgoingEdgeId: id.nullish(), content: unread, title: unread, path: unread, percent: unread })
const Block = z.object({
  id,
  type: z.string().max(60),
  outgoingEdgeId: id.nullish(),
  content: anyRecord.optional().catch(undefined),
  options: anyRecord.optional().catch(undefined),
  items: z.array(Item).max(100).optional().catch(undefined),
})
export type TypebotBlock = z.infer<typeof Block>
const Group = z.object({ id, title: z.string().max(500).catch(''), blocks: z.array(Block).max(maxBlocks) })
const Edge = z.object({ id, to: z.object({ groupId: id, blockId: id.nullish() }) })
/** What is read of a file that Typebot exported. */
export const TypebotFile = z.object({
  name: z.string().max(500).catch(''),
  groups: z
    .array(Group)
    .min(1)
    .max(500)
    .refine((groups) => groups.reduce((sum, { blocks }) => sum + blocks.length, 0) <= maxBlocks),
  edges: z.array(Edge).max(5000),
  events: z
    .array(z.object({ type: z.string().max(60), outgoingEdgeId: id.nullish() }))
    .max(50)
    .nullish(),
  variables: z
    .array(z.object({ id, name: z.string().max(200) }))
    .max(500)
    .catch([]),
})
export type TypebotFile = z.infer<typeof TypebotFile>

/** Why something of the file is missing in the flow, or differs. */
export const typebotLossReasons = [
  /** No step does what the block does. */
  'no-such-step',
  /** A value that a program calculates. */
  'calculated',
  /** A comparison that does not exist here. */
  'comparison',
  /** The answer is kept as it was typed. */
  'not-checked',
  /** A picture or film is sent as a link. */
  'sent-as-link',
  /** The customer can choose only one of several options, or only the first ten. */
  'fewer-choices',
  /** The address of a call contains a variable where the server is named. */
  'variable-address',
  /** The text was longer than a message. */
  'cut',
  /** A flow has at most 200 steps. */
  'no-room',
] as const
export type TypebotLoss = { reason: (typeof typebotLossReasons)[number]; group: string; block: string }

/** A block and its place: blocks without a link of their own go on with the next one of their group. */
export type BlockPlace = { group: z.infer<typeof Group>; index: number }
export const blockAt = ({ group, index }: BlockPlace): TypebotBlock | undefined => group.blocks[index]

/** What converting a block needs to know of the file. */
export type OpenTypebot = {
  /** The block, or the first one of the group; null: there is none. */
  find: (groupId: unknown, blockId?: unknown) => BlockPlace | null
  /** The place to which a link leads; null: it leads nowhere. */
  follow: (edgeId: string | null | undefined) => BlockPlace | null
  /** Where a block goes on that has no link of its own. */
  after: (place: BlockPlace) => BlockPlace | null
  /** Our name of a variable; null: the file does not have it. */
  variable: (id: unknown) => string | null
  /** A text with our names of its variables. */
  text: (given: string) => string
  lose: (reason: TypebotLoss['reason'], place: BlockPlace) => void
}
