import { subtractOpenTime } from '@recado/contract/dashboard/open-time'
import { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import type { FlowEvent, FlowEventOf } from '@recado/contract/flows/match-trigger'
import { readDay } from '@recado/contract/flows/read-day'
import { createWallTimeConverter } from '@recado/contract/hours/wall-time-converter'
import { type RawBuilder, sql } from 'kysely'
import { addDays, addMs, hours, minutes, seconds, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { findCalendar, loadRulebook, type Rulebook } from '../rulebook.ts'

/** A trigger that depends on time, of an active flow. */
export type FlowTimer = { id: number; trigger: unknown; doneUntil: Date; afterContactId: number; announced: number }
type TriggerOf<Kind extends FlowTrigger['kind']> = Extract<FlowTrigger, { kind: Kind }>
type WaitTrigger = TriggerOf<'goalNear' | 'unanswered' | 'silent'>
type TimeTrigger = TriggerOf<'daily' | 'weekly' | 'fieldDate'>
type Hit = { ticketId: number; key: string }

/** How often conversations are looked at that wait for something. */
const lookEveryMs = seconds(30)
/** An armed time of day is calculated again this often, because the company's time zone may change. */
const rearmMs = hours(1)
const ticketsPerLook = 1000
/** A time of day starts a flow in so many conversations; the rest are left out. */
export const maxTicketsPerDay = 10_000

/** The timer, locked, if it is due. */
export async function lockFlowTimer(scope: Scope, id: number): Promise<FlowTimer | null> {
  const row = await scope.db
    .selectFrom('flowTimers')
    .select(['id', 'trigger', 'doneUntil', 'afterContactId', 'announced'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('nextAt', '<=', scope.now().toISOString())
    .forUpdate()
    .executeTakeFirst()
  return row ? { ...row, doneUntil: new Date(row.doneUntil) } : null
}

/** Announces what has become due, and sets when to look again. */
export async function announceDueFlows(scope: Scope, timer: FlowTimer): Promise<void> {
  const trigger = FlowTrigger.safeParse(timer.trigger).data
  switch (trigger?.kind) {
    case 'goalNear':
    case 'unanswered':
    case 'silent':
      return announceWaits(scope, timer, trigger)
    case 'daily':
    case 'weekly':
    case 'fieldDate':
      return announceTimeOfDay(scope, timer, trigger)
    default:
      return saveTimer(scope, timer, addMs(scope.now(), rearmMs))
  }
}

async function saveTimer(scope: Scope, timer: FlowTimer, nextAt: Date): Promise<void> {
  const { id, doneUntil, afterContactId, announced } = timer
  await scope.db
    .updateTable('flowTimers')
    .set({ doneUntil, afterContactId, announced, nextAt })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
}

/** The worker of the flows looks at the events after the commit. */
async function insertEvents(scope: Scope, { kind, details }: FlowEvent, hits: Hit[]): Promise<void> {
  if (!hits.length) return
  const { companyId } = scope
  await scope.db
    .insertInto('flowEvents')
    .values(hits.map((hit) => ({ companyId, kind, ...hit, details: JSON.stringify(details), at: scope.now() })))
    .execute()
  await sql`select pg_notify('recado', 'flows')`.execute(scope.db)
}

// ---- how long somebody waits

/** Conversations in the queue (any: of all queues) in which the wait began after `from` and up to `to` have just waited long enough. */
type Window = { queueId: number | null; isAny: boolean; from: Date; to: Date }

/**
 * Announces the conversations that have waited long enough since the last look, each once. After a downtime these are
 * many: then a shorter time is looked at, and the rest in the next look.
 */
async function announceWaits(scope: Scope, timer: FlowTimer, trigger: WaitTrigger): Promise<void> {
  const now = scope.now()
  const rulebook = await loadRulebook(scope)
  const from = timer.doneUntil
  let until = now
  let hits = await findWaits(scope, rulebook, trigger, from, until)
  while (hits.length > ticketsPerLook && until.getTime() - from.getTime() > 1) {
    until = new Date((from.getTime() + until.getTime()) / 2)
    hits = await findWaits(scope, rulebook, trigger, from, until)
  }
  const details =
    trigger.kind === 'goalNear'
      ? { minutes: trigger.minutes }
      : { minutes: trigger.minutes, inOpenHours: trigger.inOpenHours }
  await insertEvents(scope, { kind: trigger.kind, details } as FlowEventOf<WaitTrigger['kind']>, hits)
  await saveTimer(scope, { ...timer, doneUntil: until }, until < now ? now : addMs(now, lookEveryMs))
}

function findWaits(scope: Scope, rulebook: Rulebook, trigger: WaitTrigger, from: Date, to: Date): Promise<Hit[]> {
  if (from >= to) return Promise.resolve([])
  if (trigger.kind === 'goalNear') return findNearGoals(scope, trigger, from, to)
  const windows = makeWindows(rulebook, trigger, from, to).filter((one) => one.from < one.to)
  if (!windows.length) return Promise.resolve([])
  return trigger.kind === 'unanswered' ? findUnanswered(scope, trigger, windows) : findSilent(scope, trigger, windows)
}

/** Queues have opening hours of their own, so the same wait began at different moments. */
function makeWindows(
  rulebook: Rulebook,
  { minutes: length, inOpenHours }: TriggerOf<'unanswered' | 'silent'>,
  from: Date,
  to: Date,
): Window[] {
  const windowOf = (queueId: number | null, isAny: boolean): Window[] => {
    const calendar = inOpenHours ? findCalendar(rulebook, queueId) : null
    const [first, last] = [from, to].map((at) => subtractOpenTime(calendar, at, minutes(length)))
    return last ? [{ queueId, isAny, from: first ?? new Date(0), to: last }] : []
  }
  if (!inOpenHours || rulebook.setting('scheduleType') !== 'queue') return windowOf(null, true)
  return [null, ...rulebook.queues.keys()].flatMap((queueId) => windowOf(queueId, false))
}

const windowsSql = (windows: Window[]) => sql`
  json_to_recordset(${JSON.stringify(windows)}) w ("queueId" int, "isAny" boolean, "from" timestamptz, "to" timestamptz)`
const isInQueueSql = sql`(w."isAny" or t."queueId" is not distinct from w."queueId")`
/** The last part of a key: the length of the wait, because a conversation may reach several. */
const lengthSql = ({ minutes: length, inOpenHours }: TriggerOf<'unanswered' | 'silent'>) =>
  sql`${`:${length}${inOpenHours ? 'o' : ''}:`}::text`

async function findHits(scope: Scope, query: RawBuilder<Hit>): Promise<Hit[]> {
  return (await sql<Hit>`${query} limit ${sql.lit(ticketsPerLook + 1)}`.execute(scope.db)).rows
}

const findUnanswered = (scope: Scope, trigger: TriggerOf<'unanswered'>, windows: Window[]): Promise<Hit[]> =>
  findHits(
    scope,
    sql`
    select t.id as "ticketId", 'unanswered:' || t.id || ${lengthSql(trigger)} || extract(epoch from t."waitingSince") as key
    from ${windowsSql(windows)} join tickets t on t."waitingSince" > w.from and t."waitingSince" <= w.to
    where t."companyId" = ${scope.companyId} and t.status in ('open', 'pending') and not t."isGroup" and ${isInQueueSql}`,
  )

/**
 * Conversations in which we wrote last. The time counts from the last thing that happened in the ticket, as for the
 * expiry of tickets; the key names the message, so a transfer does not announce the same silence again.
 */
const findSilent = (scope: Scope, trigger: TriggerOf<'silent'>, windows: Window[]): Promise<Hit[]> =>
  findHits(
    scope,
    sql`
    select t.id as "ticketId", 'silent:' || t.id || ${lengthSql(trigger)} || l.id as key
    from ${windowsSql(windows)} join tickets t on t."updatedAt" > w.from and t."updatedAt" <= w.to
      and t."updatedMinute" between floor(extract(epoch from w.from) / 60)::int and floor(extract(epoch from w.to) / 60)::int
    join lateral (
      select m.id, m."fromMe" from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id order by m.id desc limit 1
    ) l on l."fromMe"
    where t."companyId" = ${scope.companyId} and t.status in ('open', 'pending') and not t."isGroup" and ${isInQueueSql}`,
  )

/** Goals come near with time, or are near from the beginning. */
const findNearGoals = (
  scope: Scope,
  { minutes: length }: TriggerOf<'goalNear'>,
  from: Date,
  to: Date,
): Promise<Hit[]> => {
  const nearAt = sql`greatest(g."dueAt" - make_interval(mins => ${length}::int), g.since)`
  return findHits(
    scope,
    sql`
    select g."ticketId", 'goalNear:' || g.id || ${`:${length}`}::text as key
    from "ticketGoals" g join tickets t on t."companyId" = g."companyId" and t.id = g."ticketId" and t."queueId" = g."queueId"
    where g."companyId" = ${scope.companyId} and g."endedAt" is null and g."lateAt" is null and g."dueAt" > ${to}
      and ${nearAt} > ${from} and ${nearAt} <= ${to}`,
  )
}

// ---- times of day

type Occurrence = { day: string; at: Date }

/** Announces a time of day in the company's zone in pages. After a downtime only the last one that was missed. */
async function announceTimeOfDay(scope: Scope, timer: FlowTimer, trigger: TimeTrigger): Promise<void> {
  const now = scope.now()
  const rulebook = await loadRulebook(scope)
  const last = findOccurrence(trigger, rulebook.zone, now, -1)
  if (!last || last.at <= timer.doneUntil) return saveTimer(scope, timer, whenToLook(trigger, rulebook, now))
  const { tickets, lastContactId } = await loadPage(scope, timer.afterContactId)
  const hits = trigger.kind === 'fieldDate' ? await keepDated(scope, rulebook, trigger, last, tickets) : tickets
  const some = hits.slice(0, maxTicketsPerDay - timer.announced)
  await insertEvents(
    scope,
    toTimeEvent(trigger, last.day),
    some.map(({ id }) => ({ ticketId: id, key: `${keyOfTime(trigger)}:${id}:${last.day}T${trigger.time}` })),
  )
  const announced = timer.announced + some.length
  if (tickets.length >= ticketsPerLook && announced < maxTicketsPerDay)
    return saveTimer(scope, { ...timer, afterContactId: lastContactId, announced }, now)
  await saveTimer(
    scope,
    { ...timer, doneUntil: last.at, afterContactId: 0, announced: 0 },
    whenToLook(trigger, rulebook, now),
  )
}

function whenToLook(trigger: TimeTrigger, { zone }: Rulebook, now: Date): Date {
  const rearmAt = addMs(now, rearmMs).getTime()
  return new Date(Math.min(findOccurrence(trigger, zone, now, 1)?.at.getTime() ?? rearmAt, rearmAt))
}

/** The last time up to now (-1), or the next one after it (1). */
function findOccurrence(trigger: TimeTrigger, zone: string, now: Date, direction: -1 | 1): Occurrence | null {
  const momentOn = createWallTimeConverter(zone)
  const [hour = 0, minute = 0] = trigger.time.split(':').map(Number)
  const today = toCalendarDay(now, zone)
  for (let n = 0; n <= 7; n++) {
    const day = addDays(today, n * direction)
    if (trigger.kind === 'weekly' && !trigger.days.includes(weekdayOf(day))) continue
    const at = new Date(momentOn(day, hour * 60 + minute))
    if (direction < 0 ? at <= now : at > now) return { day, at }
  }
  return null
}

/** Monday is 0. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

function toTimeEvent(trigger: TimeTrigger, day: string): FlowEvent {
  const { time } = trigger
  if (trigger.kind === 'daily') return { kind: 'daily', details: { time } }
  if (trigger.kind === 'weekly') return { kind: 'weekly', details: { time, day: weekdayOf(day) } }
  const { field, days, yearly } = trigger
  return { kind: 'fieldDate', details: { field, days, time, yearly } }
}

const keyOfTime = (trigger: TimeTrigger): string =>
  trigger.kind === 'fieldDate' ? `fieldDate:${trigger.field}:${trigger.days}${trigger.yearly ? 'y' : ''}` : trigger.kind

type PageTicket = { id: number; contactId: number }

/** The next active conversations, with all of the last contact: the index of active tickets is in the order of contacts. */
async function loadPage(scope: Scope, after: number): Promise<{ tickets: PageTicket[]; lastContactId: number }> {
  const { rows } = await sql<PageTicket>`
    select t.id, t."contactId" from tickets t
    where t."companyId" = ${scope.companyId} and t.status in ('open', 'pending') and not t."isGroup" and t."contactId" > ${after}
    order by t."contactId" fetch first ${sql.lit(ticketsPerLook)} rows with ties`.execute(scope.db)
  return { tickets: rows, lastContactId: rows.at(-1)?.contactId ?? after }
}

/** Those of the tickets whose contact has a date in the field that is so many days ago on this day. */
async function keepDated(
  scope: Scope,
  { language }: Rulebook,
  { field, days, yearly }: TriggerOf<'fieldDate'>,
  { day: today }: Occurrence,
  tickets: PageTicket[],
): Promise<PageTicket[]> {
  const { rows } = await sql<{ contactId: number; value: string }>`
    select f."contactId", left(f.value, 100) as value from "contactFields" f
    where f."companyId" = ${scope.companyId} and f."contactId" = any(${tickets.map(({ contactId }) => contactId)}::int[])
      and fold(trim(f.name)) = fold(${field}::text)`.execute(scope.db)
  const wanted = addDays(today, -days)
  const isMet = (value: string) => {
    const date = readDay(value, { when: 'any', language, today })
    return date !== null && (yearly ? isAnniversary(date, wanted) : date === wanted)
  }
  const contactIds = new Set(rows.flatMap(({ contactId, value }) => (isMet(value) ? [contactId] : [])))
  return tickets.filter(({ contactId }) => contactIds.has(contactId))
}

/** In a year without it, the 29th of February is the 28th. */
function isAnniversary(date: string, day: string): boolean {
  if (date.slice(5) === day.slice(5)) return true
  return date.endsWith('-02-29') && day.endsWith('-02-28') && addDays(day, 1).endsWith('-03-01')
}
