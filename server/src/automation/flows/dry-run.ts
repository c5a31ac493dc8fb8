import type { ParsedInput } from '@recado/contract/endpoint'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type DryRun, flowDays, type flowsApi, maxDryRunHits } from '@recado/contract/flows/flows'
import { createWallTimeConverter } from '@recado/contract/hours/wall-time-converter'
import { topics } from '@recado/contract/live'
import { listConditions } from '@recado/contract/views/ticket-conditions'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { addDays, minutes, toCalendarDay } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { AppError, isTransientError } from '../../kernel/errors.ts'
import { asLongRunningJob, type JobHandlers } from '../../kernel/jobs.ts'
import { forEachInTimeSlices } from '../../kernel/time-slices.ts'
import { loadRulebook } from '../rulebook.ts'
import { isFindable, makePast } from './past-events.ts'
import { eventsPerLookup, makePastFacts } from './past-facts.ts'
import type { PastEvent } from './past-messages.ts'
import { makeReplay, type PastStart } from './replay-flow.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'flows:dryRun': { companyId: number; dryRunId: number }
  }
}

/**
 * A dry run looks up what a draft would have done in the last 30 days: events as they are stored, conditions with what
 * is known of that moment and today's values for the rest, limits, and the path up to the first pause. It only reads.
 */
const maxShownHits = 50
type Result = Omit<DryRun, 'id' | 'state'>
type StoredRun = { id: number; state: DryRun['state']; result: Partial<Result> }

/** Starts a dry run; an earlier one of the same user stops. */
export async function startDryRun(
  scope: Scope,
  { document, flowId }: ParsedInput<typeof flowsApi.dryRun>['body'],
): Promise<DryRun> {
  const { companyId } = scope
  const published = flowId === null ? null : await findPublished(scope, flowId)
  await scope.db
    .updateTable('flowDryRuns')
    .set({ state: 'stopped' })
    .where('companyId', '=', companyId)
    .where('userId', '=', scope.actor.id)
    .where('state', '=', 'running')
    .execute()
  const zone = await loadCompanyTimeZone(scope)
  const result: Result = {
    ...{ daysDone: 0, isCapped: false, hits: [], excluded: [] },
    days: listDays(scope, zone).map((day) => ({ day, n: 0, published: published && 0 })),
    unknownTriggers: [...new Set(document.triggers.filter((one) => !isFindable(one)).map(({ kind }) => kind))],
  }
  const row = await scope.db
    .insertInto('flowDryRuns')
    .values({
      ...{ companyId, userId: scope.actor.id, createdAt: scope.now() },
      document: JSON.stringify(withoutHeaders(document)),
      published: published && JSON.stringify(withoutHeaders(published)),
      result: JSON.stringify(result),
    })
    .returning(['id', 'state', 'result'])
    .executeTakeFirstOrThrow()
  // The dry runs of a company take turns, so that many users who edit do not read the past all at once.
  await scope.enqueueJob(
    'flows:dryRun',
    { companyId, dryRunId: row.id },
    { queue: `flow-dry-run:${companyId}`, attempts: 3 },
  )
  return presentDryRun(row)
}

/** No call is sent, so nothing needs its credentials. */
const withoutHeaders = (document: FlowDocument): FlowDocument => ({
  ...document,
  steps: document.steps.map((step) => (step.kind === 'call' ? { ...step, headers: [] } : step)),
})

async function findPublished(scope: Scope, flowId: number): Promise<FlowDocument | null> {
  const row = await scope.db
    .selectFrom('flows as f')
    .leftJoin('flowVersions as v', (join) =>
      join.onRef('v.companyId', '=', 'f.companyId').onRef('v.id', '=', 'f.versionId'),
    )
    .select('v.document')
    .where('f.companyId', '=', scope.companyId)
    .where('f.id', '=', flowId)
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_FLOW_FOUND')
  return row.document
}

/** The last days in the company's time zone, today last. */
function listDays(scope: Scope, zone: string): string[] {
  const today = toCalendarDay(scope.now(), zone)
  return Array.from({ length: flowDays }, (_, n) => addDays(today, n - flowDays + 1))
}

const presentDryRun = ({ id, state, result }: StoredRun): DryRun => ({
  ...{ id, state, daysDone: 0, days: [], isCapped: false, hits: [], excluded: [], unknownTriggers: [] },
  ...result,
})

export async function showDryRun(scope: Scope, id: number): Promise<DryRun> {
  const row = await scope.db
    .selectFrom('flowDryRuns')
    .select(['id', 'state', 'result'])
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_FLOWDRYRUN_FOUND')
  return presentDryRun(row)
}

export async function stopDryRun(scope: Scope, id: number): Promise<{ message: string }> {
  const { state } = await showDryRun(scope, id)
  if (state === 'running') await changeDryRun(scope, id, { state: 'stopped' })
  return { message: 'Dry run stopped' }
}

/** The tickets that a dry run found name customers: all of them are deleted, and whoever wants to know runs it again. */
export async function eraseDryRuns(scope: Scope): Promise<void> {
  await scope.db.deleteFrom('flowDryRuns').where('companyId', '=', scope.companyId).execute()
}

/** Changes a running dry run and publishes it to its author. False: it was stopped. */
async function changeDryRun(
  scope: Scope,
  id: number,
  { state = 'running', result }: { state?: DryRun['state']; result?: Result },
): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('flowDryRuns')
      .set({ state, ...(result && { result: JSON.stringify(result) }) })
      .where('companyId', '=', tx.companyId)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .returning(['id', 'state', 'result', 'userId'])
      .executeTakeFirst()
    if (!row) return false
    tx.live(topics.flowDryRun, { action: 'update', dryRun: presentDryRun(row) }, { users: [row.userId] })
    return true
  })
}

export const flowDryRunJobs = (deps: Deps): Pick<JobHandlers, 'flows:dryRun'> => ({
  'flows:dryRun': asLongRunningJob(({ companyId, dryRunId }) => runDryRun(new Scope(deps, { companyId }), dryRunId)),
})

/** Only reads, so a dry run that was interrupted starts from the beginning. */
async function runDryRun(scope: Scope, id: number): Promise<void> {
  const row = await scope.db
    .selectFrom('flowDryRuns')
    .select(['document', 'published', 'state', 'result'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.state !== 'running') return
  try {
    await replayDays(scope, id, row.document, row.published, row.result.unknownTriggers ?? [])
  } catch (error) {
    if (!isTransientError(error)) await changeDryRun(scope, id, { state: 'failed' })
    throw error
  }
}

/** Replays one day after the other, the newest first, and stores what is known after each. */
async function replayDays(
  scope: Scope,
  id: number,
  document: FlowDocument,
  published: FlowDocument | null,
  unknownTriggers: string[],
): Promise<void> {
  const rulebook = await loadRulebook(scope)
  const dayNames = listDays(scope, rulebook.zone)
  const momentOn = createWallTimeConverter(rulebook.zone)
  const now = scope.now().getTime()
  const documents = published ? [document, published] : [document]
  const past = makePast(scope, {
    ...{ triggers: documents.flatMap(({ triggers }) => triggers), rulebook, now },
    from: momentOn(dayNames[0] as string, 0),
    needsFirst: documents.some(asksForFirst),
    pauseMs: Math.max(...documents.map(({ limits }) => minutes(limits.pauseMinutes ?? 0))),
  })
  const facts = makePastFacts(scope, rulebook)
  const [draftReplay, ...otherReplays] = documents.map(makeReplay) as [Replay, ...Replay[]]
  const replays = [draftReplay, ...otherReplays]
  for (const [n, day] of dayNames.toReversed().entries()) {
    const from = momentOn(day, 0)
    const events = await past.readDay({ from, to: momentOn(addDays(day, 1), 0) })
    for (const replay of replays) replay.startDay()
    await takeEvents(events, replays, facts)
    const drafted = await draftReplay.applyLimits(past.lastAutomaticAt)
    const compared = await otherReplays[0]?.applyLimits(past.lastAutomaticAt)
    const starts = drafted.days.flat()
    const isCapped = starts.length >= maxDryRunHits
    const isLast = isCapped || n === dayNames.length - 1
    const result: Result = {
      ...{ daysDone: n + 1, isCapped, unknownTriggers },
      days: dayNames.map((name, at) => {
        const age = dayNames.length - 1 - at
        const other = compared ? (compared.days[age]?.length ?? 0) : null
        return { day: name, n: drafted.days[age]?.length ?? 0, published: other }
      }),
      hits: starts.slice(0, maxShownHits).map(toHit),
      excluded: [...drafted.excluded].map(([reason, count]) => ({ reason, n: count })).sort((a, b) => b.n - a.n),
    }
    const goesOn = await changeDryRun(scope, id, { result, state: isLast ? 'done' : 'running' })
    if (isLast || !goesOn) return
  }
}

type Replay = ReturnType<typeof makeReplay>

const toHit = ({ at, ...start }: PastStart): DryRun['hits'][number] => ({ ...start, at: new Date(at).toISOString() })

/** Looking up the first message of every contact takes long. */
const asksForFirst = ({ triggers, conditions, steps }: FlowDocument): boolean =>
  triggers.some((trigger) => trigger.kind === 'message' && trigger.first) ||
  [conditions, ...steps.flatMap((step) => (step.kind === 'branch' ? [step.conditions] : []))].some((group) =>
    listConditions(group).some(({ field }) => field === 'firstMessage'),
  )

/** Passes the events that a document waits for to its replay, with what is known about their conversations. */
async function takeEvents(
  events: PastEvent[],
  replays: Replay[],
  facts: ReturnType<typeof makePastFacts>,
): Promise<void> {
  const triggering: PastEvent[] = []
  await forEachInTimeSlices(events, (event) => {
    if (replays.some((replay) => replay.isTriggeredBy(event))) triggering.push(event)
  })
  for (let at = 0; at < triggering.length; at += eventsPerLookup) {
    const some = triggering.slice(at, at + eventsPerLookup)
    const contexts = await facts.load(some)
    await forEachInTimeSlices(some, (event, n) => {
      const context = contexts[n]
      if (context) for (const replay of replays) replay.take(event, context)
    })
  }
}
