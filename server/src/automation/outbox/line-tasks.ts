import { sql } from 'kysely'
import { setFileState } from '../../desk/messages/files.ts'
import { deleteLineTask, type LineTask, postponeLineTask } from '../../desk/messages/line-tasks.ts'
import { minutes } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { type ChatId, type Line, LineRefusedError, type LineRow } from '../../lines/line.ts'
import { sendEdit, sendReaction, undoEdit, undoReaction, undoRevoke } from './changes.ts'
import { findChatId } from './chat.ts'
import { downloadMessageMedia } from './media.ts'
import { runLanesInParallel } from './parallel-lanes.ts'
import { fetchProfilePicture } from './picture.ts'
import type { WorkerRound } from './worker.ts'

/** Retries after 1 s, 4 s, 16 s, about a minute, four minutes; then the task is given up, with its reason shown. */
const maxAttempts = 5
const retryDelayMs = (attempts: number) => 1000 * 4 ** attempts
/** Retry interval for a task that only another version of the server supports. */
const unknownTaskRetryMs = minutes(10)

/** Lanes of line tasks: messages to customers, files of incoming messages, and files that agents requested. */
const lanes = { words: 0, files: 1, wanted: 2 }

type TaskContext = { scope: Scope; row: LineRow; line: Line; signal: AbortSignal }
type LineTaskKind = LineTask['kind']
type LineTaskOf<K extends LineTaskKind> = Extract<LineTask, { kind: K }>
type LineTaskHandler<K extends LineTaskKind> = {
  lane: 'words' | 'files'
  run(context: TaskContext, lineTask: LineTaskOf<K>): Promise<void>
  /** Records that the task was given up; most kinds need nothing. */
  giveUp?(context: TaskContext, lineTask: LineTaskOf<K>, reason: string): Promise<void>
}

/** Every kind of line task and its handler. */
const handlerByKind: { [K in LineTaskKind]: LineTaskHandler<K> } = {
  fetch: {
    lane: 'files',
    run: ({ scope, line, signal: ended }, { messageId }) => downloadMessageMedia(scope, line, Number(messageId), ended),
    async giveUp({ scope }, { messageId }, reason) {
      await setFileState(scope, Number(messageId), { mediaState: 'failed', error: reason })
    },
  },
  picture: {
    lane: 'files',
    run: (context, { contactId }) =>
      withChatId(context, contactId, (chat) => fetchProfilePicture(context.scope, context.line, contactId, chat)),
  },
  read: {
    lane: 'words',
    run: (context, { contactId, wids }) => withChatId(context, contactId, (chat) => context.line.markRead(chat, wids)),
  },
  reject: {
    lane: 'words',
    run: (context, { contactId, callId }) =>
      withChatId(context, contactId, (chat) => context.line.rejectCall(chat, callId)),
  },
  revoke: {
    lane: 'words',
    run: (context, { contactId, wid }) => withChatId(context, contactId, (chat) => context.line.revoke(chat, wid)),
    giveUp: ({ scope, row }, { wid }) => undoRevoke(scope, row, wid),
  },
  edit: {
    lane: 'words',
    run: (context, lineTask) =>
      withChatId(context, lineTask.contactId, (chat) =>
        sendEdit(context.scope, context.row, context.line, chat, lineTask),
      ),
    giveUp: ({ scope, row }, lineTask) => undoEdit(scope, row, lineTask),
  },
  react: {
    lane: 'words',
    run: (context, lineTask) =>
      withChatId(context, lineTask.contactId, (chat) =>
        sendReaction(context.scope, context.row, context.line, chat, lineTask),
      ),
    giveUp: ({ scope, row }, lineTask) => undoReaction(scope, row, lineTask),
  },
}

/** Finds the handler of a task. Null: a newer version of the server wrote the task. */
const findHandler = ({ kind }: LineTask): LineTaskHandler<LineTaskKind> | null =>
  Object.hasOwn(handlerByKind, kind) ? (handlerByKind[kind] as unknown as LineTaskHandler<LineTaskKind>) : null

async function withChatId(
  context: TaskContext,
  contactId: number,
  act: (chat: ChatId) => Promise<void>,
): Promise<void> {
  const chat = await findChatId(context.scope, contactId, context.row.id)
  if (chat) await act(chat)
}

const fileTaskKinds = sql.join(
  Object.entries(handlerByKind).flatMap(([kind, { lane }]) => (lane === 'files' ? [sql.lit(kind)] : [])),
)
const laneSql = sql<number>`case when errand ->> 'kind' not in (${fileTaskKinds}) then ${sql.lit(lanes.words)}
  when errand ? 'wanted' then ${sql.lit(lanes.wanted)} else ${sql.lit(lanes.files)} end`

type DueTask = { id: number; errand: LineTask; attempts: number; lane: number }

/**
 * Runs due tasks in order; failed tasks are retried later. A slow task, such as a file request to a phone that does not
 * answer, blocks no other. Returns the milliseconds until the next task is due, or null if none is left.
 */
export async function runLineTasks(
  deps: Deps,
  log: Log,
  row: LineRow,
  line: Line,
  { signal: ended, whenWoken: woken }: WorkerRound,
): Promise<number | null> {
  const scope = new Scope(deps, { companyId: row.companyId })
  await runLanesInParallel<DueTask>({
    ...{ signal: ended, whenWoken: woken, maxParallel: Object.keys(lanes).length },
    laneOf: (one) => one.lane,
    takeNext: (busy) => findNextDue(scope, row, busy),
    async process(one) {
      await runLineTask({ scope, row, line, signal: ended }, log, one)
      return true
    },
  })
  return msUntilNext(scope, row)
}

const selectLineTasks = (scope: Scope, row: LineRow) =>
  scope.db.selectFrom('lineErrands').where('companyId', '=', scope.companyId).where('whatsappId', '=', row.id)

async function findNextDue(scope: Scope, row: LineRow, busy: number[]): Promise<DueTask | undefined> {
  const due = await selectLineTasks(scope, row)
    .select(['id', 'errand', 'attempts'])
    .select(laneSql.as('lane'))
    .where('notBefore', '<=', scope.now().toISOString())
    .where(sql<boolean>`${laneSql} <> all(${busy}::int[])`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return due && { ...due, errand: due.errand as unknown as LineTask }
}

async function msUntilNext(scope: Scope, row: LineRow): Promise<number | null> {
  const next = await selectLineTasks(scope, row).select('notBefore').orderBy('notBefore').limit(1).executeTakeFirst()
  return next ? Math.max(10, Date.parse(next.notBefore) - scope.now().getTime()) : null
}

async function runLineTask(context: TaskContext, log: Log, one: DueTask): Promise<void> {
  const { scope, signal: ended } = context
  const task = findHandler(one.errand)
  if (!task) {
    log.error({ errand: one.id, kind: one.errand.kind }, 'nobody here knows this errand; it is kept')
    return postponeLineTask(scope, one, unknownTaskRetryMs)
  }
  try {
    await task.run(context, one.errand)
  } catch (error) {
    // Aborted by our shutdown: the next process that runs the line performs the task.
    if (ended.aborted) return
    const reason = permanentReason(error)
    if (!reason && one.attempts + 1 < maxAttempts) return postponeLineTask(scope, one, retryDelayMs(one.attempts))
    await task.giveUp?.(context, one.errand, reason ?? 'unreachable')
  }
  await deleteLineTask(scope, one)
}

/** Why a retry would not help; null if it may help. */
const permanentReason = (error: unknown): string | null =>
  error instanceof LineRefusedError ? error.reason : error instanceof AppError ? error.code : null
