import { sql } from 'kysely'
import { type Errand, endErrand, postponeErrand } from '../../desk/messages/errands.ts'
import { setFile } from '../../desk/messages/files.ts'
import { minutes } from '../../kernel/clock.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { type ChatId, type Line, LineRefusal, type LineRow } from '../../lines/line.ts'
import { carryAbreast } from './abreast.ts'
import { correct, sendReaction, undoEdit, undoReaction, undoRevoke } from './changes.ts'
import { chatOfContact } from './chat.ts'
import { fetchMedia } from './media.ts'
import { takePicture } from './picture.ts'
import type { Call } from './worker.ts'

/** 1 s, 4 s, 16 s, about a minute, four minutes: then it is given up, with its reason shown. */
const maxAttempts = 5
const backOff = (attempts: number) => 1000 * 4 ** attempts
/** So often somebody is reminded of one that only another version knows. */
const unknownMs = minutes(10)

/** What is said to customers, files that come with what they write, and files that somebody of the desk wants to see. */
const lanes = { words: 0, files: 1, wanted: 2 }

type At = { scope: Scope; row: LineRow; line: Line; ended: AbortSignal }
type Kind = Errand['kind']
type Of<K extends Kind> = Extract<Errand, { kind: K }>
type Task<K extends Kind> = {
  lane: 'words' | 'files'
  run(at: At, errand: Of<K>): Promise<void>
  /** Honest about what was not done; most is not worth a word. */
  giveUp?(at: At, errand: Of<K>, reason: string): Promise<void>
}

/** Every kind of errand and what is done for it. */
const tasks: { [K in Kind]: Task<K> } = {
  fetch: {
    lane: 'files',
    run: ({ scope, line, ended }, { messageId }) => fetchMedia(scope, line, Number(messageId), ended),
    async giveUp({ scope }, { messageId }, reason) {
      await setFile(scope, Number(messageId), { mediaState: 'failed', error: reason })
    },
  },
  picture: {
    lane: 'files',
    run: (at, { contactId }) => inChat(at, contactId, (chat) => takePicture(at.scope, at.line, contactId, chat)),
  },
  read: {
    lane: 'words',
    run: (at, { contactId, wids }) => inChat(at, contactId, (chat) => at.line.markRead(chat, wids)),
  },
  reject: {
    lane: 'words',
    run: (at, { contactId, callId }) => inChat(at, contactId, (chat) => at.line.rejectCall(chat, callId)),
  },
  revoke: {
    lane: 'words',
    run: (at, { contactId, wid }) => inChat(at, contactId, (chat) => at.line.revoke(chat, wid)),
    giveUp: ({ scope, row }, { wid }) => undoRevoke(scope, row, wid),
  },
  edit: {
    lane: 'words',
    run: (at, errand) => inChat(at, errand.contactId, (chat) => correct(at.scope, at.row, at.line, chat, errand)),
    giveUp: ({ scope, row }, errand) => undoEdit(scope, row, errand),
  },
  react: {
    lane: 'words',
    run: (at, errand) => inChat(at, errand.contactId, (chat) => sendReaction(at.scope, at.row, at.line, chat, errand)),
    giveUp: ({ scope, row }, errand) => undoReaction(scope, row, errand),
  },
}

/** Null: whoever wrote it down knows more than this process. */
const taskOf = ({ kind }: Errand): Task<Kind> | null =>
  Object.hasOwn(tasks, kind) ? (tasks[kind] as unknown as Task<Kind>) : null

async function inChat(at: At, contactId: number, act: (chat: ChatId) => Promise<void>): Promise<void> {
  const chat = await chatOfContact(at.scope, contactId, at.row.id)
  if (chat) await act(chat)
}

const ofFiles = sql.join(Object.entries(tasks).flatMap(([kind, { lane }]) => (lane === 'files' ? [sql.lit(kind)] : [])))
const lane = sql<number>`case when errand ->> 'kind' not in (${ofFiles}) then ${sql.lit(lanes.words)}
  when errand ? 'wanted' then ${sql.lit(lanes.wanted)} else ${sql.lit(lanes.files)} end`

type One = { id: number; errand: Errand; attempts: number; lane: number }

/**
 * Runs what is due, in order; what fails comes again later. What takes its time, as a phone that does not answer for a
 * file, keeps nothing else from happening. Returns in how many milliseconds there is more, null when nothing waits.
 */
export async function runErrands(
  means: Means,
  log: Log,
  row: LineRow,
  line: Line,
  { ended, woken }: Call,
): Promise<number | null> {
  const scope = new Scope(means, { companyId: row.companyId })
  await carryAbreast<One>({
    ...{ ended, woken, most: Object.keys(lanes).length },
    laneOf: (one) => one.lane,
    take: (busy) => nextDue(scope, row, busy),
    async carry(one) {
      await runOne({ scope, row, line, ended }, log, one)
      return true
    },
  })
  return untilNext(scope, row)
}

const waitingFor = (scope: Scope, row: LineRow) =>
  scope.db.selectFrom('lineErrands').where('companyId', '=', scope.companyId).where('whatsappId', '=', row.id)

async function nextDue(scope: Scope, row: LineRow, busy: number[]): Promise<One | undefined> {
  const due = await waitingFor(scope, row)
    .select(['id', 'errand', 'attempts'])
    .select(lane.as('lane'))
    .where('notBefore', '<=', scope.now().toISOString())
    .where(sql<boolean>`${lane} <> all(${busy}::int[])`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return due && { ...due, errand: due.errand as unknown as Errand }
}

async function untilNext(scope: Scope, row: LineRow): Promise<number | null> {
  const next = await waitingFor(scope, row).select('notBefore').orderBy('notBefore').limit(1).executeTakeFirst()
  return next ? Math.max(10, Date.parse(next.notBefore) - scope.now().getTime()) : null
}

async function runOne(at: At, log: Log, one: One): Promise<void> {
  const { scope, ended } = at
  const task = taskOf(one.errand)
  if (!task) {
    log.error({ errand: one.id, kind: one.errand.kind }, 'nobody here knows this errand; it is kept')
    return postponeErrand(scope, one, unknownMs)
  }
  try {
    await task.run(at, one.errand)
  } catch (error) {
    // Not its fault: whoever runs the line next does it.
    if (ended.aborted) return
    const reason = reasonOf(error)
    if (!reason && one.attempts + 1 < maxAttempts) return postponeErrand(scope, one, backOff(one.attempts))
    await task.giveUp?.(at, one.errand, reason ?? 'unreachable')
  }
  await endErrand(scope, one)
}

/** Why trying again would not help; null where it may. */
const reasonOf = (error: unknown): string | null =>
  error instanceof LineRefusal ? error.reason : error instanceof AppError ? error.code : null
