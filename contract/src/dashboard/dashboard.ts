import { z } from 'zod'
import { optionalDay } from '../contacts.ts'
import { flag, get, isoDateTime, nullableRef, pageReply, ref } from '../endpoint.ts'

/** How many days back a period reaches, today included. */
export const reportPeriodDays = [3, 7, 15, 30, 60, 90] as const
/** The longest period of a report. */
export const maxReportDays = 1100

const days = z.coerce.number().int().min(1).max(maxReportDays).optional().catch(undefined)

/** The sums behind every number of the dashboard. Each is defined once, in docs/reports.md and on the page. */
export const ReportTotals = z.object({
  /** Conversations that started, including reopened ones. */
  came: z.number(),
  again: z.number(),
  resolved: z.number(),
  /** Of the resolved conversations: solved by one agent, and the customer did not return within a week. */
  once: z.number(),
  /** Of the resolved conversations: ended by a bot without any agent. */
  alone: z.number(),
  transferred: z.number(),
  returned: z.number(),
  waits: z.number(),
  waitSeconds: z.number(),
  /** First answers of an agent to a waiting customer. */
  answers: z.number(),
  answerSeconds: z.number(),
  /** Later answers of an agent to customers who wrote again. */
  nexts: z.number(),
  nextSeconds: z.number(),
  talks: z.number(),
  talkSeconds: z.number(),
  rated: z.number(),
  rateSum: z.number(),
  /** Goals of queues, met or missed, for the first answer and for the resolution. */
  answerKept: z.number(),
  answerLate: z.number(),
  resolveKept: z.number(),
  resolveLate: z.number(),
})
export type ReportTotals = z.infer<typeof ReportTotals>

/** Seconds; null where there was nothing to measure. */
const DurationPercentiles = z.object({ median: z.number().nullable(), ninety: z.number().nullable() })
export type DurationPercentiles = z.infer<typeof DurationPercentiles>

const AgentReport = ReportTotals.extend({
  id: z.number(),
  name: z.string(),
  online: z.boolean(),
  /** The agent's current conversations. */
  now: z.number(),
})
export type AgentReport = z.infer<typeof AgentReport>

const QueueReport = ReportTotals.extend({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  /** The queue's goals, in minutes of its opening hours; a priority may have its own. */
  answerGoal: z.number().nullable(),
  resolveGoal: z.number().nullable(),
  /** Tickets that will soon miss a goal, and tickets that have missed it. */
  soonNow: z.number(),
  lateNow: z.number(),
})
export type QueueReport = z.infer<typeof QueueReport>

const Series = z.array(
  z.object({ day: z.string(), hour: z.number().nullable(), came: z.number(), resolved: z.number() }),
)

const DashboardView = z.object({
  /** The first and the last day shown, both included, in the company's time zone. */
  from: z.string(),
  to: z.string(),
  today: z.string(),
  zone: z.string(),
  /** Current values, independent of the days. */
  now: z.object({
    open: z.number(),
    pending: z.number(),
    /** Since when the longest-waiting customer waits for an agent. */
    oldestAt: isoDateTime.nullable(),
  }),
  newContacts: z.number(),
  sums: ReportTotals,
  wait: DurationPercentiles,
  answer: DurationPercentiles,
  next: DurationPercentiles,
  talk: DurationPercentiles,
  /** The same numbers for an equally long period before; null when not requested. */
  before: z
    .object({ from: z.string(), to: z.string(), sums: ReportTotals, newContacts: z.number(), series: Series })
    .nullable(),
  /** The numbers of each day, or of each hour of a single day, including empty ones. */
  series: Series,
  attendants: z.array(AgentReport),
  queues: z.array(QueueReport),
  /** Monday is 1. Hours of the week without events are left out. */
  week: z.array(
    z.object({
      weekday: z.number(),
      hour: z.number(),
      came: z.number(),
      waits: z.number(),
      waitSeconds: z.number(),
    }),
  ),
})
export type DashboardView = z.infer<typeof DashboardView>

/** Filters of all numbers of a view. Without days, the period is the current month until today. */
export const reportFilters = {
  /** The last N days including today, instead of dates. */
  days,
  from: optionalDay,
  to: optionalDay,
  queueId: nullableRef('queue').optional(),
  userId: nullableRef('user').optional(),
  whatsappId: nullableRef('connection').optional(),
  tagId: nullableRef('tag').optional(),
  /** For waits, answers and talks, count only time within the opening hours. */
  hours: flag.optional(),
}
export const reportFactKinds = [
  'came',
  'again',
  'resolved',
  'alone',
  'transferred',
  'returned',
  'wait',
  'answer',
  'next',
  'talk',
  'rate',
  'answerKept',
  'answerLate',
  'resolveKept',
  'resolveLate',
  'once',
  // Bot conversations, handovers and losses; menu answers: first valid one, all, invalid ones, and abandoned
  // menus.
  'botHad',
  'botPassed',
  'botLeft',
  'menuFirst',
  'menuAsked',
  'menuWrong',
  'menuLeft',
  // Closed by a person with a reason, and closed by a bot, a timer or another rule.
  'closedFor',
  'closedItself',
  // Current values, independent of the days.
  'open',
  'pending',
  'soonNow',
  'lateNow',
] as const
export type ReportFactKind = (typeof reportFactKinds)[number]

const ReportFact = z.object({
  /** The key of the counted event, not of the ticket: a ticket may be counted twice in a number. */
  key: z.string(),
  at: isoDateTime,
  /** The seconds that the event took, or has taken so far; or the rating. */
  value: z.number(),
  ticket: z.object({ id: z.number(), number: z.number(), uuid: z.string() }),
  contact: z.object({ id: z.number(), name: z.string() }),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
})
export type ReportFact = z.infer<typeof ReportFact>

const dateRangeQuery = z.object({ initialDate: optionalDay, finalDate: optionalDay })

export const dashboardApi = {
  show: get('/dashboard', {
    about: 'Counters and attendants, of the last days or of a date range',
    access: 'dashboard:view',
    query: z.object({
      days,
      date_from: optionalDay,
      date_to: optionalDay,
    }),
    reply: z.object({
      counters: z.object({
        supportHappening: z.number(),
        supportPending: z.number(),
        supportFinished: z.number(),
        avgSupportTime: z.number().nullable(),
        avgWaitTime: z.number().nullable(),
      }),
      attendants: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          rating: z.number().nullable(),
          avgSupportTime: z.number(),
          tickets: z.number(),
          online: z.boolean(),
        }),
      ),
    }),
  }),
  ticketsUsers: get('/dashboard/ticketsUsers', {
    about: 'How many tickets each user resolved',
    access: 'dashboard:view',
    query: dateRangeQuery,
    reply: z.object({ data: z.array(z.object({ nome: z.string(), quantidade: z.number() })) }),
  }),
  ticketsDay: get('/dashboard/ticketsDay', {
    about: 'How many conversations started each day, or each hour for a single day',
    access: 'dashboard:view',
    query: dateRangeQuery,
    reply: z.object({
      data: z.array(
        z.union([
          z.object({ total: z.number(), horario: z.number() }),
          z.object({ total: z.number(), data: z.string() }),
        ]),
      ),
      count: z.number(),
    }),
  }),
  view: get('/dashboard/view', {
    about: 'All reports of the dashboard, filtered; a supervisor gets their queues, an agent only their own',
    access: 'session',
    query: z.object({ ...reportFilters, compare: flag.optional() }),
    reply: DashboardView,
  }),
  behind: get('/dashboard/tickets', {
    about: 'The tickets behind a number of the dashboard that the caller may see, newest first',
    access: 'session',
    query: z.object({
      ...reportFilters,
      kind: z.enum(reportFactKinds).default('came'),
      /** Only this hour of each day. */
      hour: z.coerce.number().int().min(0).max(23).optional(),
      weekday: z.coerce.number().int().min(1).max(7).optional(),
      /** Only tickets without a queue. */
      noQueue: flag.optional(),
      /** For a menu: only answers at this option, or at the top of the menu. */
      optionId: nullableRef('queueOption').optional(),
      atTop: flag.optional(),
      /** For `closedFor`: only this reason. */
      reasonId: ref('closingReason').optional(),
      pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
    }),
    reply: pageReply('tickets', ReportFact),
  }),
}
