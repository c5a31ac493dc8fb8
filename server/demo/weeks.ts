import type { Language } from '@recado/contract/users'
import { days, hours, later, minutes } from '../src/kernel/clock.ts'
import { isNight, midnightOf, pastDays, weekdayOf } from './calendar.ts'
import { type Chance, makeChance } from './chance.ts'
import { type Customer, makeCustomer, makeCustomers, vocabularies } from './customers.ts'
import { staff } from './firm.ts'
import { menuWeeks } from './menu-weeks.ts'
import { readScripts, type Script } from './script.ts'
import { agentFor, endingAt, endOf, plainly, type Spoken, type Story, startOf, tell } from './story.ts'
import { knownBy, throughHands } from './way.ts'
import { today } from './words/today.ts'

/** How far back it goes, and from where chance begins. */
const usual = { weeks: 6, seed: 20_260_214 }
const newToday = 4
const living = { open: 16, pending: 7, withMenu: 3 }

/** Every conversation of the last weeks and of today, oldest first. The same seed and day tell the same. */
export function tellWeeks(now: Date, weeks = usual.weeks): Story[] {
  const chance = makeChance(usual.seed)
  const customers = makeCustomers(chance)
  const scriptOf = scriptsInTurn(chance)
  const busyUntil = new Map<Customer, number>()
  const waiting = customers.splice(0, living.open + living.pending + living.withMenu)
  // Most of who writes today has written before, too.
  const regulars = [...waiting.slice(newToday), ...customers]
  const told = [...pastDays(now, weeks), midnightOf(now)]
  const past = told.flatMap((day, n) => {
    // Who writes now had nothing else going on the day before.
    const who = day.getTime() < now.getTime() - days(3) ? regulars : customers
    return pastOf(day, now, { chance, regulars: knownBy(who, n / told.length), scriptOf, busyUntil })
  })
  const all = [
    ...[...past, ...livingNow(now, chance, waiting, scriptOf), ...todayTold(now, chance, scriptOf)],
    ...menuWeeks(now, weeks, knownBy(regulars, 0)),
  ]
  return throughHands(all).sort((a, b) => startOf(a).getTime() - startOf(b).getTime())
}

/** Each language's scripts one after the other, in a new order every round. */
function scriptsInTurn(chance: Chance): (language: Language) => Script {
  const all = Object.fromEntries(
    Object.entries(vocabularies).map(([language, { scripts }]) => [language, readScripts(scripts)]),
  )
  const rest: Record<string, Script[]> = {}
  return (language) => {
    if (!rest[language]?.length) rest[language] = chance.shuffle(all[language] as Script[])
    return rest[language]?.pop() as Script
  }
}

type Ground = {
  chance: Chance
  regulars: Customer[]
  scriptOf: (language: Language) => Script
  busyUntil: Map<Customer, number>
}

/** When people write, from one hour to another: most of them before noon, many after lunch. */
const rushes: [number, number][] = [
  [8.5, 10],
  [10, 12.2],
  [10, 12.2],
  [10, 12.2],
  [14.5, 16.8],
  [14.5, 16.8],
  [12.2, 18.5],
]

/** The closed conversations that began on one day: fewer at the weekend, none at night. */
function pastOf(day: Date, now: Date, { chance, regulars, scriptOf, busyUntil }: Ground): Story[] {
  const weekend = [0, 6].includes(weekdayOf(day))
  // Of the last day there are those besides who are still there: its bar must not stand out from all others.
  const lastDay = midnightOf(now).getTime() - (isNight(now) ? days(1) : 0)
  const isLast = day.getTime() >= lastDay
  const count = isLast ? chance.whole(1, 2) : weekend ? chance.whole(6, 9) : chance.whole(12, 17)
  return Array.from({ length: count }).flatMap(() => {
    const start = later(day, hours(chance.between(...chance.pick(rushes))))
    const customer = chance.pick(regulars)
    if ((busyUntil.get(customer) ?? 0) > start.getTime()) return []
    const script = scriptOf(customer.language)
    const told = tell(chance, { customer, agent: agentFor(chance, customer, script.queue), script, start })
    const end = endOf(told)
    // What would still be going on is not past.
    if (end.getTime() > now.getTime() - hours(0.5)) return []
    busyUntil.set(customer, end.getTime() + days(1))
    return [closed(chance, told)]
  })
}

function closed(chance: Chance, story: Story): Story {
  const asked = chance.often(0.55)
  const answer = asked && chance.often(0.75) ? chance.pick([3, 3, 3, 2, 2, 1]) : null
  const { rating, thanks } = vocabularies[story.customer.language]
  const says: { text: string; after: number; bot: Spoken['bot'] }[] = []
  if (asked) says.push({ text: rating, after: 3, bot: 'rating' })
  if (answer) says.push({ text: String(answer), after: 5, bot: null })
  // Who was asked is thanked for the answer; without one it ends with the question.
  if (answer || !asked) says.push({ text: thanks, after: asked ? 0.1 : 3, bot: 'completion' })
  // Who was not content says why.
  if (answer === 1) says.push({ text: complaints[story.customer.language], after: 2, bot: null })
  let at = endOf(story).getTime()
  const spoken = says.map(({ text, after, bot }) => {
    at += minutes(after)
    return { ...plainly(bot ? 'house' : 'customer', text), at: new Date(at), member: null, bot }
  })
  return { ...story, status: 'closed', rating: answer, spoken: [...story.spoken, ...spoken] }
}

const complaints: Record<Language, string> = {
  es: 'Tuve que contar lo mismo dos veces.',
  pt: 'Tive que explicar tudo duas vezes.',
  en: 'I had to explain it all twice.',
}

/** At night nobody was there: it was said in the working hours before it. */
function byDay(chance: Chance, at: Date): Date {
  const midnight = midnightOf(at)
  const hour = (at.getTime() - midnight.getTime()) / hours(1)
  if (hour > 9 && hour < 19) return at
  return later(midnight, (hour < 9 ? -days(1) : 0) + hours(chance.between(10, 18)))
}

/** Conversations that go on, and people who wait: the newest a few minutes ago. */
function livingNow(now: Date, chance: Chance, waiting: Customer[], scriptOf: Ground['scriptOf']): Story[] {
  return waiting.map((customer, i) => {
    const script = scriptOf(customer.language)
    const agent = agentFor(chance, customer, script.queue)
    const ends = (most: number) => later(now, -minutes(chance.between(3, most)))
    // At night the newest alone have just come; the others wait since the day before.
    const sinceEvening = (hoursBefore: number, just: Date) =>
      isNight(now) && hoursBefore > 0 ? later(midnightOf(now), -hours(hoursBefore)) : just
    if (i < living.open) {
      const most = chance.whole(2, Math.min(7, script.lines.length))
      return endingAt(tell(chance, { customer, agent, script, start: now, most }), byDay(chance, ends(60 * 84)))
    }
    const first = script.lines.findIndex((line) => line.by === 'agent')
    const told = tell(chance, { customer, agent, script, start: now, most: Math.max(1, first) })
    const alone: Story = { ...told, status: 'pending', agent: null, tags: [], notes: [] }
    // One after the other: the first has just come, the last is late by what its queue promised.
    const place = i - living.open
    if (place < living.pending) return endingAt(alone, sinceEvening(place > 1 ? place * 1.3 : 0, ends(4 + place * 3)))
    const menu = {
      ...plainly('house', vocabularies[customer.language].menu),
      at: endOf(told),
      member: null,
      bot: 'menu' as const,
    }
    return endingAt(
      { ...alone, queue: null, chatbot: true, spoken: [...alone.spoken, menu] },
      sinceEvening((place - living.pending) * 2.5, ends(20)),
    )
  })
}

/** Today's own, all of them the admin's: what she sees first. Who writes alone has been here before. */
function todayTold(now: Date, chance: Chance, scriptOf: Ground['scriptOf']): Story[] {
  const agent = staff[0] as (typeof staff)[number]
  return today.flatMap(({ language, name, members, script }, i) => {
    const one = makeCustomer(chance, language, name, 452 + i * 3)
    const others = (members ?? []).map((member, m) => makeCustomer(chance, language, member, 501 + (i * 10 + m) * 3))
    const customer = members
      ? { ...one, number: '120363000000000101', email: '', fields: [], isGroup: true, members: others }
      : one
    const [only] = readScripts(script)
    const told = tell(chance, { customer, agent, script: only as Script, start: now })
    const story = endingAt(told, later(now, -minutes(2 + i * 9)))
    const start = later(now, -days(16 + i * 9))
    const before = { customer, agent, script: scriptOf(language), start }
    return members ? [story] : [closed(chance, tell(chance, before)), story]
  })
}
