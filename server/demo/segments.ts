import type { SegmentEnd } from '../src/desk/tickets/base/tracking.ts'
import { addMs, hours, minutes } from '../src/kernel/clock.ts'
import { demoStaff, type StaffMember } from './demo-company.ts'
import { makeStoryRandom } from './random.ts'
import type { DemoQueueName } from './script.ts'
import { type Story, type StoryMessage, storyEnd, storyStart } from './story.ts'

/** After this long without messages a ticket counts as resolved, and a new message reopens it. */
const sessionGapMs = hours(3)
/** The time from the menu's question to the transfer to an agent. */
const menuDurationMs = 12_000
/** The time between accepting a ticket and the first reply, and between the last message and resolving it. */
const acceptLeadMs = 20_000
const resolveDelayMs = minutes(2)

/** One segment, as the desk would have stored it (desk/tickets/base/tracking.ts). */
export type StorySegment = {
  by: StaffMember | null
  queue: DemoQueueName | null
  began: 'new' | 'again' | null
  queuedAt: Date
  chatbotAt: Date | null
  startedAt: Date | null
  answeredAt: Date | null
  finishedAt: Date | null
  endedBy: SegmentEnd | null
}

/** The agent who wrote a message of a story: before a transfer it is the first agent. */
export const authorOfMessage = ({ agent, transfer: handed }: Story, message: StoryMessage): StaffMember | null =>
  handed && handed.how !== 'returned' && message.at < handed.at ? handed.by : agent

/** When the ticket was resolved: the rating request and the farewell are sent after that. */
const closedAt = (story: Story): Date | null =>
  story.status === 'closed'
    ? (story.messages.find(({ bot }) => bot === 'rating' || bot === 'completion')?.at ?? storyEnd(story))
    : null

/** Splits the messages into sessions, from opening to resolving. A group never ends. */
export function splitIntoSessions(story: Story): StoryMessage[][] {
  const endedAt = closedAt(story)
  const sessions: StoryMessage[][] = []
  for (const message of story.messages) {
    if (endedAt && message.at >= endedAt && message !== story.messages[0]) break
    const last = sessions.at(-1)
    const before = last?.at(-1)
    if (!last || (before && !story.customer.isGroup && message.at.getTime() - before.at.getTime() > sessionGapMs))
      sessions.push([message])
    else last.push(message)
  }
  return sessions
}

const isByAgent = (message: StoryMessage) => message.by === 'agent'
/** Whether the story is closed and its menu had transferred the customer to an agent. */
const wasHandedByMenu = (story: Story): boolean =>
  story.status === 'closed' && story.agent !== null && !story.customer.isGroup && story.messages.some(isByAgent)

/** When the menu ended for the customer of this story. */
function menuEndedAt(story: Story): Date {
  const first = story.messages.find(isByAgent)?.at ?? storyStart(story)
  if (!wasHandedByMenu(story)) return storyStart(story)
  return new Date(
    Math.max(
      storyStart(story).getTime(),
      Math.min(storyStart(story).getTime() + menuDurationMs, first.getTime() - acceptLeadMs),
    ),
  )
}

/** The segments of a story: when an agent was needed, who accepted and replied, and how the segment ended. */
export function makeSegments(story: Story): StorySegment[] {
  const { agent, queue, transfer: handed } = story
  const start = storyStart(story)
  const plain: StorySegment = {
    ...{ by: agent, queue, began: 'new', queuedAt: start, chatbotAt: story.chatbot ? start : null },
    ...{ startedAt: null, answeredAt: null, finishedAt: closedAt(story), endedBy: closedAt(story) ? 'resolved' : null },
  }
  if (story.menu) return [{ ...plain, by: null, chatbotAt: start }]
  const passed = wasHandedByMenu(story)
  const menu: StorySegment = {
    ...plain,
    by: null,
    queue: handed?.queue ?? queue,
    chatbotAt: start,
    finishedAt: menuEndedAt(story),
    endedBy: 'bot',
  }
  const sessions = splitIntoSessions(story)
  const segments = sessions.flatMap((message, n): StorySegment[] => {
    const isLast = n === sessions.length - 1
    const endedAt = isLast ? closedAt(story) : addMs(message.at(-1)?.at ?? start, resolveDelayMs)
    const segment = {
      ...plain,
      ...attendanceTimes(story, message, n === 0 ? menuEndedAt(story) : null),
      finishedAt: endedAt,
      endedBy: endedAt ? ('resolved' as const) : null,
    }
    const began = n > 0 ? 'again' : passed ? null : 'new'
    return handed && n === 0 ? splitAtTransfer(story, { ...segment, began }, message) : [{ ...segment, began }]
  })
  return passed ? [menu, ...segments] : segments
}

/** If the customer wrote first, the customer waits for an agent; if we wrote first, nobody waits. */
function attendanceTimes(
  { agent, status }: Story,
  message: StoryMessage[],
  since: Date | null,
): Pick<StorySegment, 'queuedAt' | 'startedAt' | 'answeredAt'> {
  const [first] = message as [StoryMessage]
  const answer = message.find(isByAgent)?.at ?? null
  const queuedAt = since ?? first.at
  if (!agent) return { queuedAt, startedAt: null, answeredAt: null }
  // An agent has accepted the ticket but has not replied yet.
  const taken = since === null || status === 'open'
  if (!answer) return { queuedAt, startedAt: taken ? addMs(queuedAt, minutes(1)) : null, answeredAt: null }
  const startedAt = new Date(Math.max(queuedAt.getTime(), answer.getTime() - acceptLeadMs))
  return since === null && first.by === 'agent'
    ? { queuedAt: startedAt, startedAt, answeredAt: null }
    : { queuedAt, startedAt, answeredAt: answer }
}

/**
 * Splits a segment at a transfer: the first agent gets a segment of their own; an agent to whom the ticket is assigned
 * directly has no waiting time.
 */
function splitAtTransfer({ transfer: handed }: Story, segment: StorySegment, message: StoryMessage[]): StorySegment[] {
  if (!handed) return [segment]
  const { by, how, at, queue } = handed
  const answer = message.find((one) => isByAgent(one) && one.at > at)?.at ?? null
  const isReturned = how === 'returned'
  const endedBy = isReturned ? ('returned' as const) : ('transferred' as const)
  const before: StorySegment = {
    ...{ ...segment, by, queue, finishedAt: at, endedBy },
    ...(isReturned && { startedAt: handed.since, answeredAt: null }),
  }
  const toPerson = how === 'to-person'
  const startedAt = toPerson || !answer ? at : new Date(Math.max(at.getTime(), answer.getTime() - acceptLeadMs))
  return [before, { ...segment, began: null, queuedAt: at, startedAt, answeredAt: toPerson ? null : answer }]
}

const seed = 20_260_502
/** Transfers some closed stories: to another agent, to another queue, or back to their own queue. */
export function addTransfers(stories: Story[]): Story[] {
  const random = makeStoryRandom(seed)
  return stories.map((story) => {
    const how = random.withProbability(0.12)
      ? random.withProbability(0.5)
        ? 'to-person'
        : 'to-queue'
      : random.withProbability(0.05)
        ? 'returned'
        : null
    const picked = random.between(0, 1)
    return how && wasHandedByMenu(story) ? addTransfer(story, how, picked) : story
  })
}

function addTransfer(story: Story, how: NonNullable<Story['transfer']>['how'], picked: number): Story {
  const { agent, queue, customer } = story
  const [message = []] = splitIntoSessions(story)
  const [first, second] = message.filter(isByAgent)
  const since = menuEndedAt(story).getTime()
  if (!agent || !queue || !first || !second || first.at.getTime() - since < minutes(2)) return story
  const others = demoStaff.filter((one) => one !== agent && one.spokenLanguages.includes(customer.language))
  const elsewhere = (one: StaffMember) => one.queues.filter((name) => name !== queue)
  const fit = others.filter((one) => (how === 'to-queue' ? elsewhere(one).length : one.queues.includes(queue)))
  const by = fit[Math.floor(picked * fit.length)]
  if (!by) return story
  const before = how === 'to-queue' ? (elsewhere(by)[0] ?? queue) : queue
  const gap = second.at.getTime() - first.at.getTime()
  const at =
    how === 'returned'
      ? new Date(since + (first.at.getTime() - since) * 0.6)
      : addMs(first.at, Math.min(minutes(1), gap / 3))
  const handed = { by, how, queue: before, since: new Date(since + (at.getTime() - since) * 0.5), at }
  const named = (text: string) => text.replaceAll(firstName(agent), firstName(by))
  const spoken = story.messages.map((one) =>
    isByAgent(one) && one.at < at ? { ...one, text: named(one.text), attachment: named(one.attachment) } : one,
  )
  return { ...story, transfer: handed, messages: spoken }
}
const firstName = ({ name }: StaffMember): string => name.split(' ')[0] ?? name

/** The customers who have written by a certain day: some from the first day on, others later. */
export const customersKnownBy = <T>(people: T[], share: number): T[] =>
  people.slice(0, Math.ceil(people.length * (0.4 + 0.6 * share)))
