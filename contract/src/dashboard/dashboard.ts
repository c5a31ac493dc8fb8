import { z } from 'zod'
import { optionalDay } from '../contacts.ts'
import { flag, get, isoDateTime, nullableRef, pageReply } from '../endpoint.ts'

/** How many days back a period reaches, today included. */
export const reportPeriodDays = [3, 7, 15, 30, 60, 90] as const
/** The longest time that is looked at. */
export const maxReportDays = 1100

const days = z.coerce.number().int().min(1).max(maxReportDays).optional().catch(undefined)

/** What every figure is summed from. Each is defined once, in docs/figures.md and on the page. */
export const ReportTotals = z.object({
  /** Conversations that began, those that came back to life among them. */
  came: z.number(),
  again: z.number(),
  resolved: z.number(),
  /** Of these, at first contact: by one person alone, and the customer did not come again within a week. */
  once: z.number(),
  /** Of these, ended by a bot without any person. */
  alone: z.number(),
  transferred: z.number(),
  returned: z.number(),
  waits: z.number(),
  waitSeconds: z.number(),
  /** First things that a person said to somebody who had waited. */
  answers: z.number(),
  answerSeconds: z.number(),
  /** And what a person said to customers who wrote again. */
  nexts: z.number(),
  nextSeconds: z.number(),
  talks: z.number(),
  talkSeconds: z.number(),
  rated: z.number(),
  rateSum: z.number(),
  /** What queues promised, kept or late: the first answer, and the end. */
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
  /** Conversations they have at this moment. */
  now: z.number(),
})
export type AgentReport = z.infer<typeof AgentReport>

const QueueReport = ReportTotals.extend({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  /** What it promises, in minutes of its opening hours. */
  answerGoal: z.number().nullable(),
  resolveGoal: z.number().nullable(),
  /** Tickets of which at this moment a promise is nearly late, or late. */
  soonNow: z.number(),
  lateNow: z.number(),
})
export type QueueReport = z.infer<typeof QueueReport>

const Series = z.array(
  z.object({ day: z.string(), hour: z.number().nullable(), came: z.number(), resolved: z.number() }),
)

const DashboardView = z.object({
  /** The days that are shown, both included, by the calendar of the company. */
  from: z.string(),
  to: z.string(),
  today: z.string(),
  zone: z.string(),
  /** At this moment, whatever the days. */
  now: z.object({
    open: z.number(),
    pending: z.number(),
    /** Since when the one waits who waits longest for a person. */
    oldestAt: isoDateTime.nullable(),
  }),
  newContacts: z.number(),
  sums: ReportTotals,
  wait: DurationPercentiles,
  answer: DurationPercentiles,
  next: DurationPercentiles,
  talk: DurationPercentiles,
  /** The same of as many days before; null when it was not asked for. */
  before: z
    .object({ from: z.string(), to: z.string(), sums: ReportTotals, newContacts: z.number(), series: Series })
    .nullable(),
  /** Each day, or each hour when it is one day; those without anything, too. */
  series: Series,
  attendants: z.array(AgentReport),
  queues: z.array(QueueReport),
  /** Monday is 1. Hours of the week in which nothing happened are not here. */
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

/** What all figures of a view are narrowed by. Without days it is the month until today. */
export const reportFilters = {
  /** So many days until today, in place of dates. */
  days,
  from: optionalDay,
  to: optionalDay,
  queueId: nullableRef('queue').optional(),
  userId: nullableRef('user').optional(),
  whatsappId: nullableRef('connection').optional(),
  tagId: nullableRef('tag').optional(),
  /** Of waits, answers and talks only the time within the opening hours. */
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
  // What bots had, passed on and lost, and answers to their menus: the first right one, all, wrong ones, and none any more.
  'botHad',
  'botPassed',
  'botLeft',
  'menuFirst',
  'menuAsked',
  'menuWrong',
  'menuLeft',
  // At this moment, whatever the days.
  'open',
  'pending',
  'soonNow',
  'lateNow',
] as const
export type ReportFactKind = (typeof reportFactKinds)[number]

const ReportFact = z.object({
  /** Of the fact, not of the ticket: one may be behind a number twice. */
  key: z.string(),
  at: isoDateTime,
  /** Seconds it took, or has taken so far; or the rate. */
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
    about: 'Counters and attendants, of some days back or from one day to another',
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
    about: 'How many tickets each person resolved',
    access: 'dashboard:view',
    query: dateRangeQuery,
    reply: z.object({ data: z.array(z.object({ nome: z.string(), quantidade: z.number() })) }),
  }),
  ticketsDay: get('/dashboard/ticketsDay', {
    about: 'How many conversations began each day, or each hour when it is one day',
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
    about: 'Everything the dashboard shows, narrowed as asked; a supervisor gets their queues, an agent themselves',
    access: 'session',
    query: z.object({ ...reportFilters, compare: flag.optional() }),
    reply: DashboardView,
  }),
  behind: get('/dashboard/tickets', {
    about: 'The tickets behind a number of it that this person may see, newest first',
    access: 'session',
    query: z.object({
      ...reportFilters,
      kind: z.enum(reportFactKinds).default('came'),
      /** Of each of these days only this hour. */
      hour: z.coerce.number().int().min(0).max(23).optional(),
      weekday: z.coerce.number().int().min(1).max(7).optional(),
      /** Only what has no queue. */
      noQueue: flag.optional(),
      /** Of a menu: only answers at this option of it, or at its top. */
      optionId: nullableRef('queueOption').optional(),
      atTop: flag.optional(),
      pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
    }),
    reply: pageReply('tickets', ReportFact),
  }),
}
