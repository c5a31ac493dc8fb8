import { z } from 'zod'
import { fold } from '../text/fold.ts'
import { type FlowDocument, maxFlowSteps, noLimits } from './flow-document.ts'
import { type FlowStep, listWaysOut } from './flow-steps.ts'
import { isVariableName } from './flow-variables.ts'
import { convertBlock, isPassed } from './typebot-blocks.ts'

/** A larger file is not read. */
export const maxTypebotCharacters = 2 * 1024 * 1024
const maxBlocks = 2000

const id = z.string().max(100)
const anyRecord = z.record(z.string(), z.unknown())
const any = z.unknown().optional()
const Item = z.object({ outgoingEdgeId: id.nullish(), content: any, title: any, path: any, percent: any })
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
    .array(z.object({ type: z.string(), outgoingEdgeId: id.nullish() }))
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

export type ImportedTypebot = { name: string; document: FlowDocument; losses: TypebotLoss[] }

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

/** A file that Typebot exported, as far as its blocks exist here. */
export function importTypebot(bot: TypebotFile): ImportedTypebot {
  const losses: TypebotLoss[] = []
  const file = openFile(bot, losses)
  const { first, steps } = convertAll(file, startOf(bot, file))
  return {
    name: bot.name.trim().slice(0, 80),
    losses,
    document: {
      ...{ kind: 'flow', triggers: [{ kind: 'ticketOpened' }], conditions: { match: 'all', of: [] } },
      ...{ first, steps, limits: noLimits },
    },
  }
}

function openFile({ groups, edges, variables }: TypebotFile, losses: TypebotLoss[]): OpenTypebot {
  const groupById = new Map(groups.map((group) => [group.id, group]))
  const edgeById = new Map(edges.map((edge) => [edge.id, edge]))
  const names = nameVariables(variables.map(({ name }) => name))
  const nameById = new Map(variables.map((one) => [one.id, names.get(one.name) ?? null]))
  const find: OpenTypebot['find'] = (groupId, blockId) => {
    const group = typeof groupId === 'string' ? groupById.get(groupId) : undefined
    if (!group?.blocks.length) return null
    return {
      group,
      index: Math.max(
        0,
        group.blocks.findIndex((block) => block.id === blockId),
      ),
    }
  }
  const follow: OpenTypebot['follow'] = (edgeId) => {
    const to = edgeId ? edgeById.get(edgeId)?.to : undefined
    return to ? find(to.groupId, to.blockId) : null
  }
  return {
    find,
    follow,
    after: (place) => {
      const edgeId = blockAt(place)?.outgoingEdgeId
      if (edgeId) return follow(edgeId)
      return place.index + 1 < place.group.blocks.length ? { ...place, index: place.index + 1 } : null
    },
    variable: (variableId) => (typeof variableId === 'string' ? (nameById.get(variableId) ?? null) : null),
    text: (given) =>
      given.replace(/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, (all, name) =>
        names.has(name) ? `{{${names.get(name)}}}` : all,
      ),
    lose: (reason, place) => {
      const group = place.group.title.trim()
      const block = blockAt(place)?.type ?? ''
      const isKnown = losses.some((one) => one.reason === reason && one.group === group && one.block === block)
      if (!isKnown) losses.push({ reason, group, block })
    },
  }
}

/** Names as they are allowed here, each once. */
function nameVariables(names: string[]): Map<string, string> {
  const named = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    const letters = fold(name)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 34)
    const base = isVariableName(letters) ? letters : `v_${letters || 'value'}`
    let free = base
    for (let n = 2; taken.has(free); n++) free = `${base}_${n}`
    taken.add(free)
    if (!named.has(name)) named.set(name, free)
  }
  return named
}

/** Newer files begin with an event, older ones with a block. */
function startOf({ events, groups }: TypebotFile, { follow, after }: OpenTypebot): BlockPlace | null {
  const event = events?.find(({ type }) => type === 'start')
  if (event) return follow(event.outgoingEdgeId)
  const group = groups.find(({ blocks }) => blocks[0]?.type === 'start')
  if (group) return after({ group, index: 0 })
  return groups[0]?.blocks.length ? { group: groups[0], index: 0 } : null
}

/** Room for the steps of one block, for the end and for the person. */
const roomForBlock = 24

function convertAll(file: OpenTypebot, start: BlockPlace | null): { first: string | null; steps: FlowStep[] } {
  const steps: FlowStep[] = []
  const ids = new Map<TypebotBlock, string>()
  const open: BlockPlace[] = []
  const end = 'end'
  const person = 'person'
  const idOf = (place: BlockPlace | null): string => {
    const reached = place && skipPassed(file, place)
    const block = reached && blockAt(reached)
    if (!block) return end
    const known = ids.get(block)
    if (known) return known
    if (ids.size + steps.length > maxFlowSteps - roomForBlock) {
      file.lose('no-room', reached)
      return person
    }
    const stepId = `step-${ids.size + 1}`
    ids.set(block, stepId)
    open.push(reached)
    return stepId
  }
  const first = start ? idOf(start) : null
  for (const place of open) {
    const stepId = ids.get(blockAt(place) as TypebotBlock) as string
    steps.push(...convertBlock(file, place, { id: stepId, idOf, person }))
  }
  const reached = new Set([first, ...steps.flatMap((step) => listWaysOut(step).map(({ to }) => to))])
  const last: FlowStep[] = [
    ...(reached.has(end) ? [{ kind: 'end' as const, id: end, title: '' }] : []),
    ...(reached.has(person) ? [{ kind: 'person' as const, id: person, title: '', queueId: null, text: '' }] : []),
  ]
  return { first, steps: [...steps, ...last] }
}

/** Follows blocks that have no step here, up to one that has; null: nothing follows. */
function skipPassed(file: OpenTypebot, from: BlockPlace): BlockPlace | null {
  const passed = new Set<TypebotBlock>()
  let place: BlockPlace | null = from
  for (let block = blockAt(from); place && block && isPassed(file, place); block = place ? blockAt(place) : undefined) {
    if (passed.has(block)) return null
    passed.add(block)
    place = nextOfPassed(file, place)
  }
  return place
}

function nextOfPassed(file: OpenTypebot, place: BlockPlace): BlockPlace | null {
  const block = blockAt(place)
  return block?.type === 'Jump' ? file.find(block.options?.groupId, block.options?.blockId) : file.after(place)
}
