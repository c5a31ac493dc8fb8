import { fold } from '../text/fold.ts'
import { type FlowDocument, maxFlowSteps, noLimits } from './flow-document.ts'
import { type FlowStep, listWaysOut } from './flow-steps.ts'
import { isVariableName } from './flow-variables.ts'
import { convertBlock, isPassed } from './typebot-blocks.ts'
import {
  type BlockPlace,
  blockAt,
  type OpenTypebot,
  type TypebotBlock,
  type TypebotFile,
  type TypebotLoss,
} from './typebot-file.ts'

export type ImportedTypebot = { name: string; document: FlowDocument; losses: TypebotLoss[] }

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
      given.replace(/\{\{([^{}]{1,200})\}\}/g, (all, inner) => {
        const name = names.get(inner.trim())
        return name === undefined ? all : `{{${name}}}`
      }),
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
      .replace(/^_|_$/g, '')
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
