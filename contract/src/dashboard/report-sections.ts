import { z } from 'zod'
import { lineProviders, lineStatuses } from '../connections.ts'
import { optionalDay } from '../contacts.ts'
import { flag, get, isoDateTime } from '../endpoint.ts'
import { reportFilters } from './dashboard.ts'

/** What the sections below the first look read, each when it is seen. Defined in docs/figures.md. */
const reportQuery = z.object({ ...reportFilters, compare: flag.optional() })

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

const MenuPositionCount = z.object({
  queueId: z.number().nullable(),
  optionId: z.number().nullable(),
  /** Queue and options on the way there; none: the main menu. */
  path: z.array(z.string()),
  right: z.number(),
  wrong: z.number(),
  left: z.number(),
})
export type MenuPositionCount = z.infer<typeof MenuPositionCount>

const BotReport = z.object({ counts: BotCounts, before: BotCounts.nullable(), places: z.array(MenuPositionCount) })
export type BotReport = z.infer<typeof BotReport>

/** How many gave one, two and three. */
const RatingCounts = z.object({ one: z.number(), two: z.number(), three: z.number() })
export type RatingCounts = z.infer<typeof RatingCounts>
const Rating = z.object({
  id: z.number(),
  at: isoDateTime,
  rate: z.number(),
  /** What the customer wrote within a quarter of an hour after it; empty: nothing. */
  comment: z.string(),
  ticket: z.object({ id: z.number(), number: z.number(), uuid: z.string() }),
  contact: z.object({ id: z.number(), name: z.string() }),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
})
const RatingsReport = z.object({
  all: RatingCounts,
  before: RatingCounts.nullable(),
  /** Each day, those without anything too. */
  series: z.array(RatingCounts.extend({ day: z.string() })),
  /** The newest, of which the bad and those with words come first. */
  newest: z.array(Rating),
})
export type RatingsReport = z.infer<typeof RatingsReport>

const VolumeRow = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  came: z.number(),
  resolved: z.number(),
  /** The same in the days before; null when it was not asked for. */
  before: z.number().nullable(),
})
export type VolumeRow = z.infer<typeof VolumeRow>

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

const HourStaffing = z.object({
  hour: z.number(),
  /** People who were there, on average of the hour. */
  online: z.number(),
  /** Conversations that were attended or waited for a person, on average of the hour. */
  load: z.number(),
  /** People that takes. */
  needed: z.number(),
  open: z.boolean(),
})
export type HourStaffing = z.infer<typeof HourStaffing>

const StaffingDay = z.object({
  day: z.string(),
  agents: z.array(AgentDay),
  hours: z.array(HourStaffing),
  /** Conversations that a person had at once on that day, on average of the time in which they had any. */
  perPerson: z.number(),
  /** Until then; minutes of the day, and all of it when it is over. */
  until: z.number(),
})
export type StaffingDay = z.infer<typeof StaffingDay>

const CampaignResult = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  startedAt: isoDateTime,
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  answered: z.number(),
  failed: z.number(),
  stopped: z.number(),
})
export type CampaignResult = z.infer<typeof CampaignResult>

const LineReport = z.object({
  id: z.number(),
  name: z.string(),
  number: z.string(),
  provider: z.enum(lineProviders),
  status: z.enum(lineStatuses),
  reason: z.string(),
  /** Since when it is as it is. */
  since: isoDateTime,
  /** Share of the days in which it was connected; null where that is not known. */
  up: z.number().nullable(),
  drops: z.number(),
  /** Messages on their way out of it now; counted to 1,000. */
  waiting: z.number(),
  came: z.number(),
  resolved: z.number(),
})
export type LineReport = z.infer<typeof LineReport>

/** As the view, they tell a supervisor of their queues and an agent of themselves (docs/figures.md, who sees what). */
export const reportSectionsApi = {
  bot: get('/dashboard/bot', {
    about: 'What bots did by themselves, and where customers left them',
    access: 'tickets:lead',
    query: reportQuery,
    reply: BotReport,
  }),
  ratings: get('/dashboard/ratings', {
    about: 'How customers rated, day by day, with what they wrote',
    access: 'session',
    query: reportQuery,
    reply: RatingsReport,
  }),
  volumes: get('/dashboard/volumes', {
    about: 'How many conversations each tag and each queue had',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ tags: z.array(VolumeRow), queues: z.array(VolumeRow) }),
  }),
  day: get('/dashboard/day', {
    about: 'One day: who was there, what they had at once, and how many it would have taken',
    access: 'session',
    query: z.object({ ...reportFilters, day: optionalDay }),
    reply: StaffingDay,
  }),
  campaigns: get('/dashboard/campaigns', {
    about: 'What became of the campaigns that began in these days, newest first, the first fifty',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ campaigns: z.array(CampaignResult) }),
  }),
  lines: get('/dashboard/lines', {
    about: 'How the lines are, and how long they were connected',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ lines: z.array(LineReport) }),
  }),
}
