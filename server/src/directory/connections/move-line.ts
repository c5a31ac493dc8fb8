import { lineTraits } from '@recado/contract/line-traits'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import { moveUsersToLine } from '../../accounts/move-user-lines.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { findLine, listLineQueues, lockLine } from './find-line.ts'
import { publishConnection, publishLineSession } from './view.ts'
import {
  assertGreeting,
  restartValues,
  saveConnection,
  setDefaultLine,
  setQueues,
  unlinkPhone,
} from './write-connection.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** A line gave its conversations to another one. */
    'line.moved': { companyId: number; fromId: number; toId: number }
  }
}

type LineRow = Awaited<ReturnType<typeof findLine>>

/** A number moves between a linked phone and the official API, in either direction. */
export async function findLinesOfMove(
  scope: Scope,
  fromId: number,
  toId: number,
): Promise<{ from: LineRow; to: LineRow }> {
  const [from, to] = [await findLine(scope, fromId), await findLine(scope, toId)]
  const [a, b] = [lineTraits[from.provider], lineTraits[to.provider]]
  if (a.test || b.test || a.account === b.account) throw new AppError('ERR_LINE_MOVE_KIND')
  return { from, to }
}

/** The queues of the first line that the second does not have yet. */
export async function listQueuesToMove(scope: Scope, fromId: number, toId: number): Promise<number[]> {
  const idsOf = async (id: number) => (await listLineQueues(scope, id)).map((queue) => queue.id)
  const existing = new Set(await idsOf(toId))
  return (await idsOf(fromId)).filter((id) => !existing.has(id))
}

const copiedTexts = ['greetingMessage', 'complationMessage', 'outOfHoursMessage', 'ratingMessage'] as const

/**
 * Gives queues, agents and the texts that are missing there to the other line, and disconnects this one. Its
 * conversations follow in the background (`line.moved`).
 */
export async function handOverLine(scope: Scope, fromId: number, toId: number): Promise<void> {
  await lockInCompany(scope, 'connections')
  const [from, to] = [await lockLine(scope, fromId), await lockLine(scope, toId)]
  const ownQueues = (await listLineQueues(scope, toId)).map((queue) => queue.id)
  const queueIds = [...ownQueues, ...(await listQueuesToMove(scope, fromId, toId))]
  const texts = Object.fromEntries(copiedTexts.map((key) => [key, to[key] || from[key]]))
  assertGreeting(queueIds, to.greetingMessage || from.greetingMessage)
  await setQueues(scope, toId, queueIds)
  const taken = await saveConnection(scope, toId, { ...texts, movedTo: null })
  await publishConnection(scope, taken)
  if (from.isDefault) await setDefaultLine(scope, toId)
  await moveUsersToLine(scope, fromId, toId)
  await unlinkPhone(scope, from)
  const off = { ...restartValues(from), wanted: false, status: 'DISCONNECTED' as const, reason: 'off' }
  const left = await saveConnection(scope, fromId, { ...off, movedTo: toId })
  await publishLineSession(scope, left, from.status)
  await writeAudit(scope, 'line.moved', fromId, `${from.name} → ${to.name}`)
  await scope.emit('line.moved', { companyId: scope.companyId, fromId, toId })
  await scope.signal('lines')
}

/** Whether the conversations of the first line still belong to the second: nobody moved them back meanwhile. */
export async function isStillMoved(scope: Scope, fromId: number, toId: number): Promise<boolean> {
  const moved = await scope.db
    .selectFrom('whatsapps as line')
    .innerJoin('whatsapps as target', (join) =>
      join.onRef('target.companyId', '=', 'line.companyId').onRef('target.id', '=', 'line.movedTo'),
    )
    .select('target.id')
    .where('line.companyId', '=', scope.companyId)
    .where('line.id', '=', fromId)
    .where('target.id', '=', toId)
    .executeTakeFirst()
  return moved !== undefined
}
