import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import type { FlowEvent } from '@recado/contract/flows/match-trigger'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Rulebook } from '../rulebook.ts'
import { isFindableSilence, makePastMessages, type PastEvent } from './past-messages.ts'

type Kind = FlowTrigger['kind']
type Moments = { from: number; to: number }
type EventRow = { ticketId: number; contactId: number; at: number; details: FlowEvent['details'] }

const messageKinds: readonly Kind[] = ['message', 'campaignAnswered', 'silent']
/** More events of one kind and day are not read: a dry run counts fewer. */
const maxEventsPerRead = 10_000

const join = sql`join tickets t on t."companyId" = x."companyId" and t.id = x."ticketId" and not t."isGroup"`
/** What the database remembers of each kind: its table, when it happened, and what else is required. */
const sources: {
  [K in Kind]?: { from: RawBuilder<unknown>; at: string; where: RawBuilder<unknown>; details: RawBuilder<unknown> }
} = {
  ticketOpened: {
    from: sql`"ticketTracking" x ${join}`,
    at: 'createdAt',
    where: sql`x.began is not null`,
    details: sql`'{}'::json`,
  },
  resolved: {
    from: sql`"ticketTracking" x ${join}`,
    at: 'finishedAt',
    where: sql`x."endedBy" = 'resolved'`,
    details: sql`json_build_object('closingReasonId', x."closingReasonId")`,
  },
  // Tickets that an automation moved while they waited are not among them: nothing is stored about that.
  ticketMoved: {
    from: sql`"ticketTracking" x ${join} cross join lateral (
      select n."queueId" from "ticketTracking" n where n."companyId" = x."companyId" and n."ticketId" = x."ticketId" and n.id > x.id
      order by n.id limit 1) next`,
    at: 'finishedAt',
    where: sql`next."queueId" is not null
      and (x."endedBy" = 'bot' or (x."endedBy" = 'transferred' and next."queueId" is distinct from x."queueId"))`,
    details: sql`json_build_object('queueId', next."queueId")`,
  },
  rated: {
    from: sql`"userRatings" x ${join}`,
    at: 'createdAt',
    where: sql`true`,
    details: sql`json_build_object('rate', coalesce(x.score, x.rate))`,
  },
  goalMissed: { from: sql`"ticketGoals" x ${join}`, at: 'lateAt', where: sql`true`, details: sql`'{}'::json` },
}

/** Whether the past tells when this trigger would have fired. */
export const isFindable = (trigger: FlowTrigger): boolean =>
  trigger.kind === 'silent'
    ? isFindableSilence(trigger)
    : messageKinds.includes(trigger.kind) || trigger.kind in sources

type PastOptions = {
  triggers: FlowTrigger[]
  rulebook: Rulebook
  from: number
  now: number
  needsFirst: boolean
  pauseMs: number
}

/** Reads what happened, from the newest day back. */
export function makePast(scope: Scope, options: PastOptions) {
  const triggers = options.triggers.filter(isFindable)
  const kinds = new Set(triggers.map(({ kind }) => kind))
  const silences = triggers.filter((trigger) => trigger.kind === 'silent')
  const needsMessages = options.pauseMs > 0 || messageKinds.some((kind) => kinds.has(kind))
  const messages = makePastMessages(scope, { ...options, silences })

  async function readSource(kind: Kind, moments: Moments): Promise<PastEvent[]> {
    const source = sources[kind]
    if (!source) return []
    const at = sql.raw(`x."${source.at}"`)
    const { rows } = await sql<EventRow>`
      select x."ticketId", t."contactId", (extract(epoch from ${at}) * 1000)::float8 as at, ${source.details} as details
      from ${source.from}
      where x."companyId" = ${scope.companyId} and ${at} >= ${new Date(moments.from)} and ${at} < ${new Date(moments.to)} and ${source.where}
      order by ${at} desc limit ${sql.lit(maxEventsPerRead)}`.execute(scope.db)
    return rows.map(({ details, ...row }) => ({ ...row, text: '', event: { kind, details } as FlowEvent }))
  }

  return {
    /** The events of a day; to be called with one day after the other, the newest first. */
    async readDay(moments: Moments): Promise<PastEvent[]> {
      const events = needsMessages ? await messages.readSince(moments.from) : []
      for (const kind of kinds) events.push(...(await readSource(kind, moments)))
      return events.filter(({ event }) => kinds.has(event.kind))
    },
    lastAutomaticAt: messages.lastAutomaticAt,
  }
}
