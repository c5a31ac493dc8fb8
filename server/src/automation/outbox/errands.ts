import { sql } from 'kysely'
import { type Errand, endErrand, postponeErrand } from '../../desk/messages/errands.ts'
import { setFile } from '../../desk/messages/files.ts'
import { changeMessage } from '../../desk/messages/store.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Line, LineRefusal, type LineRow } from '../../lines/line.ts'
import { carryAbreast } from './abreast.ts'
import { correct, sendReaction, undoEdit, undoReaction } from './changes.ts'
import { chatOfContact } from './chat.ts'
import { fetchMedia } from './media.ts'
import type { Call } from './worker.ts'
import { takePicture } from './picture.ts'

/** 1 s, 4 s, 16 s, about a minute, four minutes: then it is given up, with its reason shown. */
const maxAttempts = 5
const backOff = (attempts: number) => 1000 * 4 ** attempts

/** What is said to customers, files that come with what they write, and files that somebody of the desk wants to see. */
const lanes = { words: 0, files: 1, wanted: 2 }
const lane = sql<number>`case when errand ->> 'kind' not in ('fetch', 'picture') then ${sql.lit(lanes.words)}
  when errand ? 'wanted' then ${sql.lit(lanes.wanted)} else ${sql.lit(lanes.files)} end`

type One = { id: number; errand: Errand; attempts: number; lane: number }

/**
 * Runs what is due, in order; what fails comes again later. What takes its time, as a phone that does not answer for a
 * file, keeps nothing else from happening. Returns in how many milliseconds there is more, null when nothing waits.
 */
export async function runErrands(
  means: Means,
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
      await runOne(scope, row, line, ended, one)
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

async function runOne(scope: Scope, row: LineRow, line: Line, ended: AbortSignal, one: One): Promise<void> {
  try {
    await perform(scope, row, line, ended, one.errand)
  } catch (error) {
    // Not its fault: whoever runs the line next does it.
    if (ended.aborted) return
    const reason = reasonOf(error)
    if (!reason && one.attempts + 1 < maxAttempts) return postponeErrand(scope, one, backOff(one.attempts))
    await giveUp(scope, row, one.errand, reason ?? 'unreachable')
  }
  await endErrand(scope, one)
}

/** Why trying again would not help; null where it may. */
const reasonOf = (error: unknown): string | null =>
  error instanceof LineRefusal ? error.reason : error instanceof AppError ? error.code : null

async function perform(scope: Scope, row: LineRow, line: Line, ended: AbortSignal, errand: Errand): Promise<void> {
  if (errand.kind === 'fetch') return fetchMedia(scope, line, Number(errand.messageId), ended)
  const chat = await chatOfContact(scope, errand.contactId, row.id)
  if (!chat) return
  if (errand.kind === 'read') await line.markRead(chat, errand.wids)
  if (errand.kind === 'reject') await line.rejectCall(chat, errand.callId)
  if (errand.kind === 'revoke') await line.revoke(chat, errand.wid)
  if (errand.kind === 'edit') await correct(scope, row, line, chat, errand)
  if (errand.kind === 'react') await sendReaction(scope, row, line, chat, errand)
  if (errand.kind === 'picture') await takePicture(scope, line, errand.contactId, chat)
}

/** Honest about what was not done: the file will not come, and what could not be taken back still stands there. */
async function giveUp(scope: Scope, row: LineRow, errand: Errand, reason: string): Promise<void> {
  if (errand.kind === 'fetch') await setFile(scope, Number(errand.messageId), { mediaState: 'failed', error: reason })
  if (errand.kind === 'edit') await undoEdit(scope, row, errand)
  if (errand.kind === 'react') await undoReaction(scope, row, errand)
  if (errand.kind !== 'revoke') return
  const message = await scope.db
    .selectFrom('messages')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', errand.wid)
    .where('state', '=', 'sent')
    .executeTakeFirst()
  if (message)
    await scope.transaction((tx) => changeMessage(tx, message.id, { isDeleted: false, error: 'not-deleted' }))
}
