import type { LegEnd } from '../src/desk/tickets/track.ts'
import { hours, later, minutes } from '../src/kernel/clock.ts'
import { makeChance } from './chance.ts'
import { type Staff, staff } from './firm.ts'
import type { QueueName } from './script.ts'
import { endOf, type Spoken, type Story, startOf } from './story.ts'

/** Who says nothing for so long had been resolved, and comes back to life. */
const restMs = hours(3)
/** A menu led on to a person so soon after it was asked. */
const menuMs = 12_000
/** So long before they write, somebody has taken it; so long after the last word it is resolved. */
const takenMs = 20_000
const resolvedMs = minutes(2)

/** One attendance, as the desk would have kept it (desk/tickets/track.ts). */
export type Leg = {
  by: Staff | null
  queue: QueueName | null
  began: 'new' | 'again' | null
  queuedAt: Date
  chatbotAt: Date | null
  startedAt: Date | null
  answeredAt: Date | null
  finishedAt: Date | null
  endedBy: LegEnd | null
}

/** Who wrote it: before it was handed on, somebody else. */
export const authorOf = ({ agent, handed }: Story, said: Spoken): Staff | null =>
  handed && handed.how !== 'returned' && said.at < handed.at ? handed.by : agent

/** When it was resolved: the house asks and thanks only then. */
const closedAt = (story: Story): Date | null =>
  story.status === 'closed'
    ? (story.spoken.find(({ bot }) => bot === 'rating' || bot === 'completion')?.at ?? endOf(story))
    : null

/** What was said, sitting by sitting. A group never ends. */
export function sittingsOf(story: Story): Spoken[][] {
  const over = closedAt(story)
  const sittings: Spoken[][] = []
  for (const said of story.spoken) {
    if (over && said.at >= over && said !== story.spoken[0]) break
    const last = sittings.at(-1)
    const before = last?.at(-1)
    if (!last || (before && !story.customer.isGroup && said.at.getTime() - before.at.getTime() > restMs))
      sittings.push([said])
    else last.push(said)
  }
  return sittings
}

const byAgent = (said: Spoken) => said.by === 'agent'
/** Over that a menu led to a person. */
const wasPassed = (story: Story): boolean =>
  story.status === 'closed' && story.agent !== null && !story.customer.isGroup && story.spoken.some(byAgent)

/** When the menu was done with them. */
function ledAt(story: Story): Date {
  const first = story.spoken.find(byAgent)?.at ?? startOf(story)
  if (!wasPassed(story)) return startOf(story)
  return new Date(
    Math.max(startOf(story).getTime(), Math.min(startOf(story).getTime() + menuMs, first.getTime() - takenMs)),
  )
}

/** From when on it was waited for a person, who took it and answered, and how it ended: from the first word to the last. */
export function legsOf(story: Story): Leg[] {
  const { agent, queue, handed } = story
  const start = startOf(story)
  const plain: Leg = {
    ...{ by: agent, queue, began: 'new', queuedAt: start, chatbotAt: story.chatbot ? start : null },
    ...{ startedAt: null, answeredAt: null, finishedAt: closedAt(story), endedBy: closedAt(story) ? 'resolved' : null },
  }
  if (story.menu) return [{ ...plain, by: null, chatbotAt: start }]
  const passed = wasPassed(story)
  const menu: Leg = {
    ...plain,
    by: null,
    queue: handed?.queue ?? queue,
    chatbotAt: start,
    finishedAt: ledAt(story),
    endedBy: 'bot',
  }
  const sittings = sittingsOf(story)
  const legs = sittings.flatMap((said, n): Leg[] => {
    const isLast = n === sittings.length - 1
    const over = isLast ? closedAt(story) : later(said.at(-1)?.at ?? start, resolvedMs)
    const leg = {
      ...plain,
      ...attended(story, said, n === 0 ? ledAt(story) : null),
      finishedAt: over,
      endedBy: over ? ('resolved' as const) : null,
    }
    const began = n > 0 ? 'again' : passed ? null : 'new'
    return handed && n === 0 ? inTwo(story, { ...leg, began }, said) : [{ ...leg, began }]
  })
  return passed ? [menu, ...legs] : legs
}

/** Who asks waits; where we wrote first, nobody did. */
function attended(
  { agent, status }: Story,
  said: Spoken[],
  since: Date | null,
): Pick<Leg, 'queuedAt' | 'startedAt' | 'answeredAt'> {
  const [first] = said as [Spoken]
  const answer = said.find(byAgent)?.at ?? null
  const queuedAt = since ?? first.at
  if (!agent) return { queuedAt, startedAt: null, answeredAt: null }
  // Somebody has it who has not said anything yet.
  const taken = since === null || status === 'open'
  if (!answer) return { queuedAt, startedAt: taken ? later(queuedAt, minutes(1)) : null, answeredAt: null }
  const startedAt = new Date(Math.max(queuedAt.getTime(), answer.getTime() - takenMs))
  return since === null && first.by === 'agent'
    ? { queuedAt: startedAt, startedAt, answeredAt: null }
    : { queuedAt, startedAt, answeredAt: answer }
}

/** Handed on: the first has their share of it, and whoever is given it at once waited for nobody. */
function inTwo({ handed }: Story, leg: Leg, said: Spoken[]): Leg[] {
  if (!handed) return [leg]
  const { by, how, at, queue } = handed
  const answer = said.find((one) => byAgent(one) && one.at > at)?.at ?? null
  const isReturned = how === 'returned'
  const endedBy = isReturned ? ('returned' as const) : ('transferred' as const)
  const before: Leg = {
    ...{ ...leg, by, queue, finishedAt: at, endedBy },
    ...(isReturned && { startedAt: handed.since, answeredAt: null }),
  }
  const toPerson = how === 'to-person'
  const startedAt = toPerson || !answer ? at : new Date(Math.max(at.getTime(), answer.getTime() - takenMs))
  return [before, { ...leg, began: null, queuedAt: at, startedAt, answeredAt: toPerson ? null : answer }]
}

const seed = 20_260_502
/** Of what is over some was handed on: to somebody else, to another queue, or back to its own. */
export function throughHands(stories: Story[]): Story[] {
  const chance = makeChance(seed)
  return stories.map((story) => {
    const how = chance.often(0.12)
      ? chance.often(0.5)
        ? 'to-person'
        : 'to-queue'
      : chance.often(0.05)
        ? 'returned'
        : null
    const picked = chance.between(0, 1)
    return how && wasPassed(story) ? handedOn(story, how, picked) : story
  })
}

function handedOn(story: Story, how: NonNullable<Story['handed']>['how'], picked: number): Story {
  const { agent, queue, customer } = story
  const [said = []] = sittingsOf(story)
  const [first, second] = said.filter(byAgent)
  const since = ledAt(story).getTime()
  if (!agent || !queue || !first || !second || first.at.getTime() - since < minutes(2)) return story
  const others = staff.filter((one) => one !== agent && one.speaks.includes(customer.language))
  const elsewhere = (one: Staff) => one.queues.filter((name) => name !== queue)
  const fit = others.filter((one) => (how === 'to-queue' ? elsewhere(one).length : one.queues.includes(queue)))
  const by = fit[Math.floor(picked * fit.length)]
  if (!by) return story
  const before = how === 'to-queue' ? (elsewhere(by)[0] ?? queue) : queue
  const gap = second.at.getTime() - first.at.getTime()
  const at =
    how === 'returned'
      ? new Date(since + (first.at.getTime() - since) * 0.6)
      : later(first.at, Math.min(minutes(1), gap / 3))
  const handed = { by, how, queue: before, since: new Date(since + (at.getTime() - since) * 0.5), at }
  const named = (text: string) => text.replaceAll(firstName(agent), firstName(by))
  const spoken = story.spoken.map((one) =>
    byAgent(one) && one.at < at ? { ...one, text: named(one.text), thing: named(one.thing) } : one,
  )
  return { ...story, handed, spoken }
}
const firstName = ({ name }: Staff): string => name.split(' ')[0] ?? name

/** How many of them are known on a day: some from the first on, and others come to it. */
export const knownBy = <T>(people: T[], share: number): T[] =>
  people.slice(0, Math.ceil(people.length * (0.4 + 0.6 * share)))
