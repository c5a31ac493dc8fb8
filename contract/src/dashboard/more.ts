import { z } from 'zod'
import { lineStatuses, providers } from '../connections.ts'
import { day } from '../contacts.ts'
import { flag, get, iso } from '../kit.ts'
import { narrowed } from './dashboard.ts'

/** What the sections below the first look read, each when it is seen. Defined in docs/figures.md. */
const look = z.object({ ...narrowed, compare: flag.optional() })

const BotCounts = z.object({
  /** Conversations that a bot had. */
  had: z.number(),
  /** Of whose customers some gave a right answer to a menu; null of a queue, where most have answered before. */
  chose: z.number().nullable(),
  alone: z.number(),
  passed: z.number(),
  left: z.number(),
})
export type BotCounts = z.infer<typeof BotCounts>

const MenuPlaceCount = z.object({
  queueId: z.number().nullable(),
  optionId: z.number().nullable(),
  /** Queue and options on the way there; none: the main menu. */
  path: z.array(z.string()),
  right: z.number(),
  wrong: z.number(),
  left: z.number(),
})
export type MenuPlaceCount = z.infer<typeof MenuPlaceCount>

const Bot = z.object({ counts: BotCounts, before: BotCounts.nullable(), places: z.array(MenuPlaceCount) })
export type Bot = z.infer<typeof Bot>

/** How many gave one, two and three. */
const Rates = z.object({ one: z.number(), two: z.number(), three: z.number() })
export type Rates = z.infer<typeof Rates>
const Rating = z.object({
  id: z.number(),
  at: iso,
  rate: z.number(),
  /** What the customer wrote within a quarter of an hour after it; empty: nothing. */
  comment: z.string(),
  ticket: z.object({ id: z.number(), number: z.number(), uuid: z.string() }),
  contact: z.object({ id: z.number(), name: z.string() }),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
})
const Ratings = z.object({
  all: Rates,
  before: Rates.nullable(),
  /** Each day, those without anything too. */
  series: z.array(Rates.extend({ day: z.string() })),
  /** The newest, of which the bad and those with words come first. */
  newest: z.array(Rating),
})
export type Ratings = z.infer<typeof Ratings>

const Volume = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  came: z.number(),
  resolved: z.number(),
  /** The same in the days before; null when it was not asked for. */
  before: z.number().nullable(),
})
export type Volume = z.infer<typeof Volume>

const AgentDay = z.object({
  id: z.number(),
  name: z.string(),
  /** From which minute of the day until which they were there. */
  online: z.array(z.object({ from: z.number(), until: z.number() })),
  /** Of each quarter of an hour, the most conversations they had at once. */
  atOnce: z.array(z.number()),
  /** Of each hour, how often they answered a customer. */
  answers: z.array(z.number()),
})
export type AgentDay = z.infer<typeof AgentDay>

const HourNeed = z.object({
  hour: z.number(),
  /** People who were there, on average of the hour. */
  online: z.number(),
  /** Conversations that were attended or waited for a person, on average of the hour. */
  load: z.number(),
  /** People that takes. */
  needed: z.number(),
  open: z.boolean(),
})
export type HourNeed = z.infer<typeof HourNeed>

const Day = z.object({
  day: z.string(),
  agents: z.array(AgentDay),
  hours: z.array(HourNeed),
  /** Conversations that a person had at once on that day, on average of the time in which they had any. */
  perPerson: z.number(),
  /** Until then; minutes of the day, and all of it when it is over. */
  until: z.number(),
})
export type Day = z.infer<typeof Day>

const CampaignResult = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  startedAt: iso,
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  answered: z.number(),
  failed: z.number(),
  stopped: z.number(),
})
export type CampaignResult = z.infer<typeof CampaignResult>

const LineHealth = z.object({
  id: z.number(),
  name: z.string(),
  number: z.string(),
  provider: z.enum(providers),
  status: z.enum(lineStatuses),
  reason: z.string(),
  /** Since when it is as it is. */
  since: iso,
  /** Share of the days in which it was connected; null where that is not known. */
  up: z.number().nullable(),
  drops: z.number(),
  /** Messages on their way out of it now; counted to 1,000. */
  waiting: z.number(),
  came: z.number(),
  resolved: z.number(),
})
export type LineHealth = z.infer<typeof LineHealth>

/** As the view, they tell a supervisor of their queues and an agent of themselves (docs/figures.md, who sees what). */
export const moreFiguresApi = {
  bot: get('/dashboard/bot', {
    about: 'What bots did by themselves, and where customers left them',
    access: 'tickets:lead',
    query: look,
    reply: Bot,
  }),
  ratings: get('/dashboard/ratings', {
    about: 'How customers rated, day by day, with what they wrote',
    access: 'session',
    query: look,
    reply: Ratings,
  }),
  volumes: get('/dashboard/volumes', {
    about: 'How many conversations each tag and each queue had',
    access: 'tickets:lead',
    query: look,
    reply: z.object({ tags: z.array(Volume), queues: z.array(Volume) }),
  }),
  day: get('/dashboard/day', {
    about: 'One day: who was there, what they had at once, and how many it would have taken',
    access: 'session',
    query: z.object({ ...narrowed, day }),
    reply: Day,
  }),
  campaigns: get('/dashboard/campaigns', {
    about: 'What became of the campaigns that began in these days, newest first, the first fifty',
    access: 'tickets:lead',
    query: look,
    reply: z.object({ campaigns: z.array(CampaignResult) }),
  }),
  lines: get('/dashboard/lines', {
    about: 'How the lines are, and how long they were connected',
    access: 'tickets:lead',
    query: look,
    reply: z.object({ lines: z.array(LineHealth) }),
  }),
}
