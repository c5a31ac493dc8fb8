import { minutes } from '../src/kernel/clock.ts'
import { type DemoCustomer, vocabularyByLanguage } from './customers.ts'
import { type DemoLineName, demoStaff, lineForLanguage, type StaffMember } from './demo-company.ts'
import type { StoryRandom } from './random.ts'
import type { ConversationScript, DemoQueueName, ScriptLine } from './script.ts'

/** A message with its time and author. */
export type StoryMessage = ScriptLine & {
  at: Date
  member: DemoCustomer | null
  /** The automation that sends the message; null for people. */
  bot: 'menu' | 'rating' | 'completion' | null
}
/** A conversation with its times. */
export type Story = {
  customer: DemoCustomer
  line: DemoLineName
  queue: DemoQueueName | null
  status: 'pending' | 'open' | 'closed'
  agent: StaffMember | null
  tags: string[]
  messages: StoryMessage[]
  notes: { at: Date; text: string }[]
  /** The customer's rating. */
  rating: number | null
  /** The customer is still in the menu. */
  chatbot: boolean
  /**
   * Another agent had the ticket since `since` and transferred it at `at`; `queue` is the queue before the transfer.
   */
  transfer?: {
    by: StaffMember
    how: 'to-person' | 'to-queue' | 'returned'
    queue: DemoQueueName
    since: Date
    at: Date
  }
  /** The result of the menu; if absent, no menu is recorded. */
  menu?: StoryMenu
}
/** A customer's answer to the menu. `option` is the number of the chosen option in its queue. */
export type StoryMenuStep = {
  at: Date
  queue: DemoQueueName | null
  option: number | null
  kind: 'right' | 'wrong' | 'left'
}
export type StoryMenu = { steps: StoryMenuStep[]; end: 'passed' | 'alone' | 'left'; until: Date }

/** Chooses a member of the queue who speaks the customer's language; the admin speaks both languages. */
export function chooseAgent(random: StoryRandom, customer: DemoCustomer, queue: DemoQueueName): StaffMember {
  const fit = demoStaff.filter((one) => one.spokenLanguages.includes(customer.language) && one.queues.includes(queue))
  // The admin only helps out; the other agents handle most conversations.
  const often = fit.filter((one) => one.profile !== 'admin')
  return random.pick(often.length && random.withProbability(0.8) ? often : fit)
}

/** The placeholder values of a story: the same places and prices throughout. */
function makePlaceholders(random: StoryRandom, customer: DemoCustomer, agent: StaffMember): Record<string, string> {
  const words = vocabularyByLanguage[customer.language]
  const price = random.integer(9, 32) * 10
  return {
    first: customer.name.split(' ')[0] as string,
    agent: agent.name.split(' ')[0] as string,
    lodge: random.pick(words.lodges),
    trip: random.pick(words.trips),
    day: random.pick(words.days),
    n: String(random.integer(2, 8)),
    price: String(price),
    half: String(price / 2),
    code: `VB-${random.integer(1000, 9999)}`,
  }
}
const fillPlaceholders = (text: string, slots: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => slots[name] ?? whole)

/** Ranges of response times in minutes: for a follow-up message, an agent's reply, and a customer's return. */
const replyDelays = { follows: [0.2, 1.5], answers: [0.6, 7], comesBack: [0.8, 16] } as const
function delayBefore(random: StoryRandom, said: ScriptLine, before: ScriptLine | null): number {
  if (said.delayMinutes !== null) return said.delayMinutes + random.between(0, 20)
  if (!before) return 0
  const pace =
    before.by === said.by ? replyDelays.follows : said.by === 'customer' ? replyDelays.comesBack : replyDelays.answers
  return random.between(pace[0], pace[1])
}

type StoryInput = {
  customer: DemoCustomer
  agent: StaffMember
  script: ConversationScript
  start: Date
  maxLines?: number
}

/** Makes a story from a script; `maxLines` cuts it off after this many messages. */
export function makeStory(random: StoryRandom, { customer, agent, script, start, maxLines: most }: StoryInput): Story {
  const slots = makePlaceholders(random, customer, agent)
  const story: Story = {
    customer,
    line: lineForLanguage(customer.language),
    queue: script.queue,
    status: 'open',
    agent,
    tags: script.tags,
    messages: [],
    notes: [],
    rating: null,
    chatbot: false,
  }
  let at = start.getTime()
  let before: ScriptLine | null = null
  for (const line of script.lines.slice(0, most)) {
    if (line.by === 'note') {
      at += minutes(random.between(0.3, 2))
      story.notes.push({ at: new Date(at), text: fillPlaceholders(line.text, slots) })
      continue
    }
    at += minutes(delayBefore(random, line, before))
    before = line
    const text = fillPlaceholders(line.text, slots)
    story.messages.push({
      ...line,
      ...parseGroupMember(customer, text, fillPlaceholders(line.attachment, slots)),
      at: new Date(at),
      bot: null,
    })
  }
  return story
}

/** In a group, `@1` marks a message of its second member. */
function parseGroupMember(
  customer: DemoCustomer,
  text: string,
  thing: string,
): Pick<StoryMessage, 'text' | 'attachment' | 'member'> {
  const named = /^@(\d) /.exec(thing || text)
  const member = named ? (customer.members[Number(named[1])] ?? null) : null
  return { text: text.replace(/^@\d /, ''), attachment: thing.replace(/^@\d /, ''), member }
}

/** The same story, shifted so that its last message is at another time. */
export function shiftToEndAt(story: Story, end: Date): Story {
  const last = story.messages.at(-1)?.at ?? end
  const shift = (at: Date) => new Date(at.getTime() + end.getTime() - last.getTime())
  return {
    ...story,
    messages: story.messages.map((one) => ({ ...one, at: shift(one.at) })),
    notes: story.notes.map((one) => ({ ...one, at: shift(one.at) })),
  }
}

export const storyEnd = (story: Story): Date => story.messages.at(-1)?.at ?? new Date(0)
export const storyStart = (story: Story): Date => story.messages[0]?.at ?? new Date(0)

/** A plain text message. */
export const makeTextLine = (by: ScriptLine['by'], text: string): ScriptLine => ({
  by,
  kind: 'text',
  text,
  attachment: '',
  quotedOffset: null,
  reaction: null,
  fate: null,
  delayMinutes: null,
})
