import { sql } from 'kysely'
import type { Errand } from '../../desk/messages/errands.ts'
import { announceChange } from '../../desk/messages/store.ts'
import { later } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Means, Scope } from '../../kernel/scope.ts'
import { type Line, LineRefusal, type LineRow } from '../../lines/line.ts'
import { chatOf } from './chat.ts'

/** 1 s, 4 s, 16 s, about a minute, four minutes: then it is given up, with its reason shown. */
const maxAttempts = 5
const backOff = (attempts: number) => 1000 * 4 ** attempts

/** Runs what is due, in order; what fails comes again later. Returns in how many milliseconds, null when nothing waits. */
export async function runErrands(
  means: Means,
  row: LineRow,
  line: Line,
  stopped: () => boolean,
): Promise<number | null> {
  const scope = new Scope(means, { companyId: row.companyId })
  for (;;) {
    const due = await scope.db
      .selectFrom('lineErrands')
      .select(['id', 'errand', 'attempts'])
      .where('companyId', '=', row.companyId)
      .where('whatsappId', '=', row.id)
      .where('notBefore', '<=', scope.now().toISOString())
      .orderBy('id')
      .limit(20)
      .execute()
    if (!due.length) return untilNext(scope, row)
    for (const { id, errand, attempts } of due) {
      if (stopped()) return null
      await runOne(scope, row, line, { id, errand: errand as unknown as Errand, attempts })
    }
  }
}

async function untilNext(scope: Scope, row: LineRow): Promise<number | null> {
  const next = await scope.db
    .selectFrom('lineErrands')
    .select('notBefore')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .orderBy('notBefore')
    .limit(1)
    .executeTakeFirst()
  return next ? Math.max(10, Date.parse(next.notBefore) - scope.now().getTime()) : null
}

async function runOne(
  scope: Scope,
  row: LineRow,
  line: Line,
  one: { id: number; errand: Errand; attempts: number },
): Promise<void> {
  const gone = () =>
    scope.db.deleteFrom('lineErrands').where('companyId', '=', row.companyId).where('id', '=', one.id).execute()
  try {
    await perform(scope, line, one.errand)
    await gone()
  } catch (error) {
    const final = error instanceof LineRefusal || error instanceof AppError || one.attempts + 1 >= maxAttempts
    if (final) {
      await giveUp(
        scope,
        one.errand,
        error instanceof LineRefusal ? error.reason : error instanceof AppError ? error.code : 'unreachable',
      )
      await gone()
    } else {
      const notBefore = later(scope.now(), backOff(one.attempts))
      await scope.db
        .updateTable('lineErrands')
        .set({ attempts: one.attempts + 1, notBefore })
        .where('companyId', '=', row.companyId)
        .where('id', '=', one.id)
        .execute()
    }
  }
}

async function perform(scope: Scope, line: Line, errand: Errand): Promise<void> {
  if (errand.kind === 'fetch') return fetchMedia(scope, line, Number(errand.messageId))
  const chat = await chatOfContact(scope, errand.contactId)
  if (!chat) return
  if (errand.kind === 'read') await line.markRead(chat, errand.wids)
  if (errand.kind === 'revoke') await line.revoke(chat, errand.wid)
  if (errand.kind === 'picture') {
    const profilePicUrl = await line.profilePicture(chat)
    await scope.db
      .updateTable('contacts')
      .set({ profilePicUrl })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', errand.contactId)
      .execute()
  }
}

async function chatOfContact(scope: Scope, contactId: number): Promise<string | null> {
  const { rows } = await sql<Parameters<typeof chatOf>[0]>`
    select c.number, c."isGroup", coalesce((select json_agg(json_build_object('kind', i.kind, 'value', i.value)) from "contactIdentities" i
      where i."companyId" = c."companyId" and i."contactId" = c.id), '[]') as identities
    from contacts c where c."companyId" = ${scope.companyId} and c.id = ${contactId}`.execute(scope.db)
  return rows[0] ? chatOf(rows[0]) : null
}

/** The message shows at once; the file follows here, sniffed and sized like any upload. */
async function fetchMedia(scope: Scope, line: Line, messageId: number): Promise<void> {
  const row = await scope.db
    .selectFrom('messages')
    .select(['mediaKey', 'mediaName', 'mediaState'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row?.mediaKey || row.mediaState !== 'pending') return
  const { stream, name } = await line.fetchMedia(row.mediaKey)
  const { files } = scope.means
  const stored = await files.keep(scope.companyId, await files.receive(stream, row.mediaName ?? name))
  await scope.db
    .updateTable('messages')
    .set({ mediaPath: stored.mediaPath, mediaName: stored.mediaName, mediaState: 'ready', error: null })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', messageId)
    .execute()
  await announceChange(scope, [messageId])
}

/** Honest about what will not come. */
async function giveUp(scope: Scope, errand: Errand, reason: string): Promise<void> {
  if (errand.kind !== 'fetch') return
  const id = Number(errand.messageId)
  await scope.db
    .updateTable('messages')
    .set({ mediaState: 'failed', error: reason })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  await announceChange(scope, [id])
}
