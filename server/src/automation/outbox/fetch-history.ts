import { findLine } from '../../directory/connections/find-line.ts'
import {
  advancePastRun,
  endPastRequest,
  findPastRun,
  listNewestChats,
  type PastRun,
  planPastChats,
} from '../../directory/connections/line-history.ts'
import { publishConnection } from '../../directory/connections/view.ts'
import type { PastChatTodo } from '../../directory/tables.ts'
import { hours } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import type { Line, LineRow, PastCursor } from '../../lines/line.ts'
import { findChatId } from './chat.ts'
import { startWorker, type Worker } from './worker.ts'

/** Conversations per run: more would keep the phone busy for hours. */
const maxChatsPerRun = 100
/** After this many unanswered requests in a row the phone counts as off. */
const maxUnansweredRequests = 3

/** Fetches old messages on request, in parallel with all other work, in the process that runs the line. */
export function makeHistoryFetcher(deps: Deps, log: Log) {
  const workers = new Map<number, Worker>()
  async function end(whatsappId: number): Promise<void> {
    const ending = workers.get(whatsappId)
    workers.delete(whatsappId)
    await ending?.stop()
  }
  return {
    begin(row: LineRow, line: Line): void {
      if (line.unsupported.includes('history')) return
      void end(row.id)
      workers.set(
        row.id,
        startWorker((ended) => fetchHistory(deps, row, line, ended), log, row.id),
      )
    },
    wake: (whatsappId: number): void => workers.get(whatsappId)?.wake(),
    end,
    async close(): Promise<void> {
      await Promise.all([...workers.keys()].map(end))
    },
  }
}

/**
 * Fetches one conversation after the other, until all are done or the run is stopped. If the process ends, a new
 * process resumes.
 */
async function fetchHistory(deps: Deps, row: LineRow, line: Line, ended: AbortSignal): Promise<number | null> {
  const scope = new Scope(deps, { companyId: row.companyId })
  let unanswered = 0
  for (;;) {
    const run = ended.aborted ? undefined : await findPastRun(scope, row.id)
    if (!run) return null
    if (line.requestHistory) return requestPushedHistory(scope, row, line.requestHistory, run, ended)
    if (!run.todo) {
      const todo = await listChatsToFetch(scope, row, line)
      await changeAndPublish(scope, row, (tx) => planPastChats(tx, row.id, todo))
      continue
    }
    const next = run.todo[run.done]
    const isOff = unanswered > 0 && unanswered >= Math.min(maxUnansweredRequests, run.todo.length)
    if (!next || isOff) {
      await changeAndPublish(scope, row, (tx) => endPastRequest(tx, row.id, isOff ? 'silent' : 'done'))
      return null
    }
    unanswered = (await requestChatHistory(scope, row, line, next, ended)) ? 0 : unanswered + 1
    if (!ended.aborted) await changeAndPublish(scope, row, (tx) => advancePastRun(tx, row.id, run))
  }
}

/** A vendor that sent nothing for this long will send nothing. */
const maxPushWaitMs = hours(24)

/** Requests the whole history once. The vendor's events then report the progress (`storePushProgress`). */
async function requestPushedHistory(
  scope: Scope,
  row: LineRow,
  request: NonNullable<Line['requestHistory']>,
  run: PastRun,
  ended: AbortSignal,
): Promise<number | null> {
  if (run.todo) {
    const waitMs = new Date(run.startedAt).getTime() + maxPushWaitMs - scope.now().getTime()
    if (waitMs > 0) return Math.min(waitMs, hours(1))
    await changeAndPublish(scope, row, (tx) => endPastRequest(tx, row.id, 'silent'))
    return null
  }
  const isAccepted = await request(ended)
  await changeAndPublish(scope, row, (tx) =>
    isAccepted ? planPastChats(tx, row.id, []) : endPastRequest(tx, row.id, 'refused'),
  )
  return isAccepted ? hours(1) : null
}

const changeAndPublish = (scope: Scope, row: LineRow, action: (tx: Scope) => Promise<unknown>): Promise<void> =>
  scope.transaction(async (tx) => {
    await action(tx)
    await publishConnection(tx, await findLine(tx, row.id))
  })

/** The newest conversations, whether the desk or only the phone has them. */
async function listChatsToFetch(scope: Scope, row: LineRow, line: Line): Promise<PastChatTodo[]> {
  const known = new Map<string, PastChatTodo & { at: string }>()
  for (const { chat, at } of await line.pastChats()) known.set(chat, { chat, contactId: null, at })
  for (const { contactId, at } of await listNewestChats(scope, row.id, maxChatsPerRun)) {
    const chat = await findChatId(scope, contactId, row.id)
    if (chat) known.set(chat, { chat, contactId, at })
  }
  const newest = [...known.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, maxChatsPerRun)
  return newest.map(({ chat, contactId }) => ({ chat, contactId }))
}

async function requestChatHistory(
  scope: Scope,
  row: LineRow,
  line: Line,
  { chat, contactId }: PastChatTodo,
  ended: AbortSignal,
): Promise<boolean> {
  const oldest = contactId === null ? null : await findOldestMessage(scope, row, contactId)
  return line.fetchPast(chat, oldest, ended)
}

/** The oldest message of the chat that WhatsApp also has; unsent messages and calls exist only here. */
async function findOldestMessage(scope: Scope, row: LineRow, contactId: number): Promise<PastCursor | null> {
  const oldest = await scope.db
    .selectFrom('messages')
    .select(['wid', 'fromMe', 'createdAt'])
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', row.id)
    .where('state', 'in', ['received', 'sent'])
    .where('mediaType', '!=', 'call_log')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return oldest ? { id: oldest.wid, fromMe: oldest.fromMe, at: oldest.createdAt } : null
}
