import { z } from 'zod'
import { lineProviders, lineStatuses } from '../connections.ts'
import { optionalDay } from '../contacts.ts'
import { flag, get, isoDateTime, pageReply } from '../endpoint.ts'
import { MessageCost } from '../money/message-prices.ts'
import { reportFilters } from './dashboard.ts'

/** Queries of the dashboard sections below the first view; each loads when visible. Defined in docs/reports.md. */
const reportQuery = z.object({ ...reportFilters, compare: flag.optional() })

const BotCounts = z.object({
  /** Conversations with a bot. */
  had: z.number(),
  /**
   * Of the bot conversations: those with a valid menu answer. Null for a queue, because most customers answered before
   * they reached it.
   */
  chose: z.number().nullable(),
  alone: z.number(),
  passed: z.number(),
  left: z.number(),
})
export type BotCounts = z.infer<typeof BotCounts>

const MenuPositionCount = z.object({
  queueId: z.number().nullable(),
  optionId: z.number().nullable(),
  /** The queue and the menu options on the path; empty: the main menu. */
  path: z.array(z.string()),
  right: z.number(),
  wrong: z.number(),
  left: z.number(),
})
export type MenuPositionCount = z.infer<typeof MenuPositionCount>

const BotReport = z.object({ counts: BotCounts, before: BotCounts.nullable(), places: z.array(MenuPositionCount) })
export type BotReport = z.infer<typeof BotReport>

/** Counts of the ratings one, two and three; those of other scales count as toRateOfThree says. */
const RatingCounts = z.object({ one: z.number(), two: z.number(), three: z.number() })
export type RatingCounts = z.infer<typeof RatingCounts>
const Rating = z.object({
  id: z.number(),
  at: isoDateTime,
  /** From 1 to 3, for every scale. */
  rate: z.number(),
  /** The answer on its own scale: 1 to 3, 1 to 5, or 0 to 10. */
  scale: z.number(),
  score: z.number(),
  /** What the customer answered when asked why, or wrote within 15 minutes after the rating; empty: nothing. */
  comment: z.string(),
  ticket: z.object({ id: z.number(), number: z.number(), uuid: z.string() }),
  contact: z.object({ id: z.number(), name: z.string() }),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
})
const RatingsReport = z.object({
  all: RatingCounts,
  before: RatingCounts.nullable(),
  /** The answers of each scale that was used, apart. */
  scales: z.array(
    z.object({
      scale: z.union([z.literal(3), z.literal(5), z.literal(10)]),
      /** How often each score was given; the index is the score. */
      counts: z.array(z.number()),
      average: z.number().nullable(),
      /** Promoters minus detractors, in percent, of the scale 0 to 10. */
      nps: z.number().nullable(),
    }),
  ),
  /** Each day, including empty ones. */
  series: z.array(RatingCounts.extend({ day: z.string() })),
  /** The newest ratings; bad ratings and ratings with a comment come first. */
  newest: z.array(Rating),
})
export type RatingsReport = z.infer<typeof RatingsReport>

const VolumeRow = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  came: z.number(),
  resolved: z.number(),
  /** The same number for the period before; null when not requested. */
  before: z.number().nullable(),
})
export type VolumeRow = z.infer<typeof VolumeRow>

const ClosingReasonCount = z.object({
  id: z.number(),
  name: z.string(),
  /** Whether agents cannot choose it any more. */
  isArchived: z.boolean(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
  count: z.number(),
  /** The number for the period before; null when not requested. */
  before: z.number().nullable(),
})
const ClosingReport = z.object({
  /** Conversations that were closed in these days, and those of them that closed by themselves. */
  resolved: z.number(),
  byItself: z.number(),
  /** Most first, at most two hundred. */
  reasons: z.array(ClosingReasonCount),
  /** The agents who gave most reasons, at most fifty, each with their three most frequent reasons. */
  users: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      count: z.number(),
      reasons: z.array(z.object({ id: z.number(), name: z.string(), count: z.number() })),
    }),
  ),
})
export type ClosingReport = z.infer<typeof ClosingReport>

const AgentDay = z.object({
  id: z.number(),
  name: z.string(),
  /** When the agent was online, in minutes of the day. */
  online: z.array(z.object({ from: z.number(), until: z.number() })),
  /** The parts of that time in which the agent was on a break or away, in minutes of the day. */
  absences: z.array(
    z.object({ from: z.number(), until: z.number(), availability: z.enum(['break', 'away']), reason: z.string() }),
  ),
  /** For each 15 minutes, the agent's maximum of parallel conversations. */
  atOnce: z.array(z.number()),
  /** For each hour, how often the agent answered a customer. */
  answers: z.array(z.number()),
})
export type AgentDay = z.infer<typeof AgentDay>

const HourStaffing = z.object({
  hour: z.number(),
  /** The average number of agents online in the hour. */
  online: z.number(),
  /** The average number of conversations in the hour that were open or waiting for an agent. */
  load: z.number(),
  /** Agents needed for that load. */
  needed: z.number(),
  open: z.boolean(),
})
export type HourStaffing = z.infer<typeof HourStaffing>

const StaffingDay = z.object({
  day: z.string(),
  agents: z.array(AgentDay),
  hours: z.array(HourStaffing),
  /** The average number of parallel conversations per agent on that day, over the time in which the agent had any. */
  perPerson: z.number(),
  /** Where the data ends, in minutes of the day; the whole day once it is over. */
  until: z.number(),
})
export type StaffingDay = z.infer<typeof StaffingDay>

const AdResult = z.object({
  id: z.number(),
  title: z.string(),
  url: z.string(),
  /** Conversations that began with the ad in this period, and those of them that are resolved. */
  conversations: z.number(),
  resolved: z.number(),
})
export type AdResult = z.infer<typeof AdResult>

const CostsReport = z.object({
  total: MessageCost,
  /** The last twelve months with costs, newest first, as `2026-11`. */
  months: z.array(MessageCost.extend({ month: z.string() })),
  /** By template within these days; empty: messages without a template. */
  templates: z.array(MessageCost.extend({ template: z.string() })),
  /** Whether the prices are the example that comes with Recado. */
  isExample: z.boolean(),
})
export type CostsReport = z.infer<typeof CostsReport>

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
  /** Since when the line has this state. */
  since: isoDateTime,
  /** Share of the period in which the line was connected; null if unknown. */
  up: z.number().nullable(),
  drops: z.number(),
  /** Messages waiting to be sent; counted to 1,000. */
  waiting: z.number(),
  came: z.number(),
  resolved: z.number(),
})
export type LineReport = z.infer<typeof LineReport>

/** As in the first view, a supervisor sees only their queues, and an agent only their own numbers (docs/reports.md). */
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
  comments: get('/dashboard/comments', {
    about: 'What customers answered when asked why they rated so, newest first',
    access: 'session',
    query: z.object({
      ...reportFilters,
      pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
    }),
    reply: pageReply('ratings', Rating),
  }),
  volumes: get('/dashboard/volumes', {
    about: 'How many conversations each tag and each queue had',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ tags: z.array(VolumeRow), queues: z.array(VolumeRow) }),
  }),
  closing: get('/dashboard/closing', {
    about: 'Why conversations were closed: by reason, queue and agent',
    access: 'tickets:lead',
    query: reportQuery,
    reply: ClosingReport,
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
  ads: get('/dashboard/ads', {
    about: 'Conversations by the ad that brought the customer, most first, at most fifty ads',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ ads: z.array(AdResult) }),
  }),
  costs: get('/dashboard/costs', {
    about: 'What Meta charges for messages of official lines: these days by template, and the last months',
    access: 'dashboard:view',
    query: reportQuery,
    reply: CostsReport,
  }),
  lines: get('/dashboard/lines', {
    about: 'The status of the lines, and how long they were connected',
    access: 'tickets:lead',
    query: reportQuery,
    reply: z.object({ lines: z.array(LineReport) }),
  }),
}
