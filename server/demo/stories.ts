import type { Language } from '@recado/contract/users'
import { addMs, days, hours, minutes } from '../src/kernel/clock.ts'
import { isBeforeWork, listPastDays, localMidnight, localWeekday } from './calendar.ts'
import { type DemoCustomer, makeCustomer, makeCustomers, vocabularyByLanguage } from './customers.ts'
import { demoStaff } from './demo-company.ts'
import { makeMenuStories } from './menu-stories.ts'
import { makeStoryRandom, type StoryRandom } from './random.ts'
import { type ConversationScript, parseScripts } from './script.ts'
import { addTransfers, customersKnownBy } from './segments.ts'
import {
  chooseAgent,
  makeStory,
  makeTextLine,
  type Story,
  type StoryMessage,
  shiftToEndAt,
  storyEnd,
  storyStart,
} from './story.ts'
import { todayScripts } from './texts/today-scripts.ts'

/** How many weeks of history the demo has, and the random seed. */
const defaults = { weeks: 6, seed: 20_260_214 }
const newCustomersToday = 4
const activeTicketCounts = { open: 16, pending: 7, withMenu: 3 }

/** Every conversation of the last weeks and of today, oldest first. The same seed and day give the same conversations. */
export function makeStories(now: Date, weeks = defaults.weeks): Story[] {
  const random = makeStoryRandom(defaults.seed)
  const customers = makeCustomers(random)
  const scriptOf = makeScriptPicker(random)
  const busyUntil = new Map<DemoCustomer, number>()
  const waiting = customers.splice(
    0,
    activeTicketCounts.open + activeTicketCounts.pending + activeTicketCounts.withMenu,
  )
  // Most customers who write today have also written before.
  const regulars = [...waiting.slice(newCustomersToday), ...customers]
  const told = [...listPastDays(now, weeks), localMidnight(now)]
  const past = told.flatMap((day, n) => {
    // A customer with an open conversation had no other conversation in the last days.
    const who = day.getTime() < now.getTime() - days(3) ? regulars : customers
    return makeClosedStories(day, now, {
      random: random,
      regulars: customersKnownBy(who, n / told.length),
      scriptOf,
      busyUntil,
    })
  })
  const all = [
    ...[...past, ...makeActiveStories(now, random, waiting, scriptOf), ...makeTodayStories(now, random, scriptOf)],
    ...makeMenuStories(now, weeks, customersKnownBy(regulars, 0)),
  ]
  return addTransfers(all).sort((a, b) => storyStart(a).getTime() - storyStart(b).getTime())
}

/** Returns the scripts of a language in turn, in a new order every round. */
function makeScriptPicker(random: StoryRandom): (language: Language) => ConversationScript {
  const all = Object.fromEntries(
    Object.entries(vocabularyByLanguage).map(([language, { scripts }]) => [language, parseScripts(scripts)]),
  )
  const rest: Record<string, ConversationScript[]> = {}
  return (language) => {
    if (!rest[language]?.length) rest[language] = random.shuffle(all[language] as ConversationScript[])
    return rest[language]?.pop() as ConversationScript
  }
}

type StoryContext = {
  random: StoryRandom
  regulars: DemoCustomer[]
  scriptOf: (language: Language) => ConversationScript
  busyUntil: Map<DemoCustomer, number>
}

/** Busy hours: most customers write before noon, many after lunch. */
const busyHours: [number, number][] = [
  [8.5, 10],
  [10, 12.2],
  [10, 12.2],
  [10, 12.2],
  [14.5, 16.8],
  [14.5, 16.8],
  [12.2, 18.5],
]

/** The closed conversations that began on one day: fewer at the weekend, none at night. */
function makeClosedStories(day: Date, now: Date, { random, regulars, scriptOf, busyUntil }: StoryContext): Story[] {
  const weekend = [0, 6].includes(localWeekday(day))
  // The last day also has the open conversations, so it gets fewer closed ones: its bar must not stand out.
  const lastDay = localMidnight(now).getTime() - (isBeforeWork(now) ? days(1) : 0)
  const isLast = day.getTime() >= lastDay
  const count = isLast ? random.integer(1, 2) : weekend ? random.integer(6, 9) : random.integer(12, 17)
  return Array.from({ length: count }).flatMap(() => {
    const start = addMs(day, hours(random.between(...random.pick(busyHours))))
    const customer = random.pick(regulars)
    if ((busyUntil.get(customer) ?? 0) > start.getTime()) return []
    const script = scriptOf(customer.language)
    const told = makeStory(random, { customer, agent: chooseAgent(random, customer, script.queue), script, start })
    const end = storyEnd(told)
    // A conversation that would not have ended by now is omitted.
    if (end.getTime() > now.getTime() - hours(0.5)) return []
    busyUntil.set(customer, end.getTime() + days(1))
    return [closeStory(random, told)]
  })
}

function closeStory(random: StoryRandom, story: Story): Story {
  const asked = random.withProbability(0.55)
  const answer = asked && random.withProbability(0.75) ? random.pick([3, 3, 3, 2, 2, 1]) : null
  const { rating, thanks } = vocabularyByLanguage[story.customer.language]
  const says: { text: string; after: number; bot: StoryMessage['bot'] }[] = []
  if (asked) says.push({ text: rating, after: 3, bot: 'rating' })
  if (answer) says.push({ text: String(answer), after: 5, bot: null })
  // The farewell follows the rating; if the customer gives no rating, the rating request is the last message.
  if (answer || !asked) says.push({ text: thanks, after: asked ? 0.1 : 3, bot: 'completion' })
  // An unsatisfied customer says why.
  if (answer === 1) says.push({ text: complaints[story.customer.language], after: 2, bot: null })
  let at = storyEnd(story).getTime()
  const messages = says.map(({ text, after, bot }) => {
    at += minutes(after)
    return { ...makeTextLine(bot ? 'house' : 'customer', text), at: new Date(at), member: null, bot }
  })
  return { ...story, status: 'closed', rating: answer, messages: [...story.messages, ...messages] }
}

const complaints: Record<Language, string> = {
  es: 'Tuve que contar lo mismo dos veces.',
  pt: 'Tive que explicar tudo duas vezes.',
  en: 'I had to explain it all twice.',
}

/** Nobody works at night: moves the time back into the preceding working hours. */
function moveToWorkingHours(random: StoryRandom, at: Date): Date {
  const midnight = localMidnight(at)
  const hour = (at.getTime() - midnight.getTime()) / hours(1)
  if (hour > 9 && hour < 19) return at
  return addMs(midnight, (hour < 9 ? -days(1) : 0) + hours(random.between(10, 18)))
}

/** Open conversations and waiting customers; the newest wrote a few minutes ago. */
function makeActiveStories(
  now: Date,
  random: StoryRandom,
  waiting: DemoCustomer[],
  scriptOf: StoryContext['scriptOf'],
): Story[] {
  return waiting.map((customer, i) => {
    const script = scriptOf(customer.language)
    const agent = chooseAgent(random, customer, script.queue)
    const ends = (maxLines: number) => addMs(now, -minutes(random.between(3, maxLines)))
    // At night only the newest customers have just written; the others have waited since the day before.
    const sinceEvening = (hoursBefore: number, just: Date) =>
      isBeforeWork(now) && hoursBefore > 0 ? addMs(localMidnight(now), -hours(hoursBefore)) : just
    if (i < activeTicketCounts.open) {
      const maxLines = random.integer(2, Math.min(7, script.lines.length))
      return shiftToEndAt(
        makeStory(random, { customer, agent, script, start: now, maxLines: maxLines }),
        moveToWorkingHours(random, ends(60 * 84)),
      )
    }
    const first = script.lines.findIndex((line) => line.by === 'agent')
    const told = makeStory(random, { customer, agent, script, start: now, maxLines: Math.max(1, first) })
    const alone: Story = { ...told, status: 'pending', agent: null, tags: [], notes: [] }
    // In order of waiting time: the first has just arrived, the last has breached its queue's SLA.
    const place = i - activeTicketCounts.open
    if (place < activeTicketCounts.pending)
      return shiftToEndAt(alone, sinceEvening(place > 1 ? place * 1.3 : 0, ends(4 + place * 3)))
    const menu = {
      ...makeTextLine('house', vocabularyByLanguage[customer.language].menu),
      at: storyEnd(told),
      member: null,
      bot: 'menu' as const,
    }
    return shiftToEndAt(
      { ...alone, queue: null, chatbot: true, messages: [...alone.messages, menu] },
      sinceEvening((place - activeTicketCounts.pending) * 2.5, ends(20)),
    )
  })
}

/**
 * Today's stories, which the admin sees first: all are assigned to her. Customers who are single persons have also
 * written before.
 */
function makeTodayStories(now: Date, random: StoryRandom, scriptOf: StoryContext['scriptOf']): Story[] {
  const agent = demoStaff[0] as (typeof demoStaff)[number]
  return todayScripts.flatMap(({ language, name, members, script }, i) => {
    const one = makeCustomer(random, language, name, 452 + i * 3)
    const others = (members ?? []).map((member, m) => makeCustomer(random, language, member, 501 + (i * 10 + m) * 3))
    const customer = members
      ? { ...one, number: '120363000000000101', email: '', fields: [], isGroup: true, members: others }
      : one
    const [only] = parseScripts(script)
    const told = makeStory(random, { customer, agent, script: only as ConversationScript, start: now })
    const story = shiftToEndAt(told, addMs(now, -minutes(2 + i * 9)))
    const start = addMs(now, -days(16 + i * 9))
    const before = { customer, agent, script: scriptOf(language), start }
    return members ? [story] : [closeStory(random, makeStory(random, before)), story]
  })
}
