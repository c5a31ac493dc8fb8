import { z } from 'zod'
import { lineProviders, lineStatuses } from '../connections.ts'
import { optionalDay } from '../contacts.ts'
import { flag, get, isoDateTime } from '../endpoint.ts'
import { reportFilters } from './dashboard.ts'

/** Queries of the sections below the first view, each loaded when it is visible. Defined in docs/reports.md. */
const reportQuery = z.object({ ...reportFilters, compare: flag.optional() })

const BotCounts = z.object({
  /** Conversations with a bot. */
  had: z.number(),
  /** Of these, with a right menu answer; null for a queue, where most have answered before. */
  chose: z.number().nullable(),
  alone: z.number(),
  passed: z.number(),
  left: z.number(),
})
export type BotCounts = z.infer<typeof BotCounts>

const MenuPositionCount = z.object({
  queueId: z.number().nullable(),
  optionId: z.number().nullable(),
  /** Queue and options on the path; empty: the main menu. */
  path: z.array(z.string()),
  right: z.number(),
  wrong: z.number(),
  left: z.number(),
})
export type MenuPositionCount = z.infer<typeof MenuPositionCount>

const BotReport = z.object({ counts: BotCounts, before: BotCounts.nullable(), places: z.array(MenuPositionCount) })
export type BotReport = z.infer<typeof BotReport>

/** Counts of the ratings one, two and three. */
const RatingCounts = z.object({ one: z.number(), two: z.number(), three: z.number() })
export type RatingCounts = z.infer<typeof RatingCounts>
const Rating = z.object({
  id: z.number(),
  at: isoDateTime,
  rate: z.number(),
  /** What the customer wrote within 15 minutes after it; empty: nothing. */
  comment: z.string(),
  ticket: z.object({ id: z.number(), number: z.number(), uuid: z.string() }),
  contact: z.object({ id: z.number(), name: z.string() }),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
})
const RatingsReport = z.object({
  all: RatingCounts,
  before: RatingCounts.nullable(),
  /** Each day, including empty ones. */
  series: z.array(RatingCounts.extend({ day: z.string() })),
  /** The newest; bad ratings and those with a comment come first. */
  newest: z.array(Rating),
})
export type RatingsReport = z.infer<typeof RatingsReport>

const VolumeRow = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  came: z.number(),
  resolved: z.number(),
  /** The same in the days before; null when not requested. */
  before: z.number().nullable(),
})
export type VolumeRow = z.infer<typeof VolumeRow>

const AgentDay = z.object({
  id: z.number(),
  name: z.string(),
  /** When they were online, in minutes of the day. */
  online: z.array(z.object({ from: z.number(), until: z.number() })),
  /** For each 15 minutes, their maximum of parallel conversations. */
  atOnce: z.array(z.number()),
  /** For each hour, how often they answered a customer. */
  answers: z.array(z.number()),
})
export type AgentDay = z.infer<typeof AgentDay>

const HourStaffing = z.object({
  hour: z.number(),
  /** Agents online, on average of the hour. */
  online: z.number(),
  /** Conversations open or waiting for an agent, on average of the hour. */
  load: z.number(),
  /** Agents needed for that. */
  needed: z.number(),
  open: z.boolean(),
})
export type HourStaffing = z.infer<typeof HourStaffing>

const StaffingDay = z.object({
  day: z.string(),
  agents: z.array(AgentDay),
  hours: z.array(HourStaffing),
  /** Parallel conversations per agent on that day, on average of the time in which they had any. */
  perPerson: z.number(),
  /** The end of the data, in minutes of the day; the whole day when it is over. */
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
  /** Since when it has this state. */
  since: isoDateTime,
  /** Share of the days in which it was connected; null if unknown. */
  up: z.number().nullable(),
  drops: z.number(),
  /** Messages waiting to be sent; counted to 1,000. */
  waiting: z.number(),
  came: z.number(),
  resolved: z.number(),
})
export type LineReport = z.infer<typeof LineReport>

/** Like the view, limited to their queues for a supervisor and to themselves for an agent (docs/reports.md, who sees what). */
export const reportSectionsApi = {
  bot: get('/dashboard/bot', {
    about: 'Bot activity, and where customers abandoned the bots',
    access: 'tickets:lead',
    query: reportQuery,
    reply: BotReport,
  }),
  ratings: get('/dashboard/ratings', {
    about: 'Customer ratings by day, with their comments',
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
    about:
      'One day: who was present, how many conversations they had at once, and how many agents would have been needed',
    access: 'session',
    query: z.object({ ...reportFilters, day: optionalDay }),
    reply: StaffingDay,
  }),
  campaigns: get('/dashboard/campaigns', {
    about: 'Results of the campaigns that started in this period, newest first, at most fifty',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ campaigns: z.array(CampaignResult) }),
  }),
  lines: get('/dashboard/lines', {
    about: 'The status of the lines, and how long they were connected',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ lines: z.array(LineReport) }),
  }),
}
