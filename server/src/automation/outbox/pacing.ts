import { setTimeout as pause } from 'node:timers/promises'
import { type OutgoingMessage, requeueMessage } from '../../desk/messages/outgoing.ts'
import { publishChangedMessages } from '../../desk/messages/store.ts'
import { strangerBound } from '../../desk/reach-out-hold.ts'
import { countPaceSetback } from '../../directory/connections/pace-days.ts'
import { activeLockUntil, findNextSend, loadSendLimits, recordSend } from '../../directory/connections/pacing.ts'
import { type ConnectionRow, publishConnection } from '../../directory/connections/view.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Line, LineRow } from '../../lines/line.ts'

/**
 * The gate for messages to contacts who did not write to this line within a day. The gate opens at intervals; answers
 * pass at any time. Only the time until which it is shut is kept in memory; sent messages are counted in the database.
 */
export type PacingGate = {
  shutUntil: number
  /** Until when the gate is shut for strangers, because WhatsApp locks the line. */
  strangersShutUntil: number
  hasWaiting: boolean
  typingMs: (words: string) => number
}

/** The gate is checked this often, because an admin may change the limits meanwhile. */
const gatePollMs = 15_000
/** While WhatsApp locks the line, the gate is checked more often: new messages to strangers soon say why they wait. */
const lockPollMs = 5000
/** Messages per live event. */
const maxMessagesPerEvent = 200

export const makePacingGate = (): PacingGate => ({
  shutUntil: 0,
  strangersShutUntil: 0,
  hasWaiting: false,
  // Just long enough for the customer to see the typing indicator, because the line is busy meanwhile.
  typingMs: (words) => Math.min(800, 200 + 10 * words.length),
})

/** Contacts whose reply window ended before this moment have to wait; null: nobody. */
export function coldBefore(gate: PacingGate, now: Date): Date | null {
  if (gate.shutUntil > now.getTime()) return now
  return gate.strangersShutUntil > now.getTime() ? strangerBound(now) : null
}

/** When the gate is checked again; null: it is open. */
export function gateCheckAt({ shutUntil, strangersShutUntil }: PacingGate, now: Date): number | null {
  const moments = [shutUntil, strangersShutUntil].filter((moment) => moment > now.getTime())
  return moments.length ? Math.min(...moments) : null
}

/** Whether it is not this message's turn. The message then waits with its reason, like all others of its kind. */
export async function isHeldBack(
  scope: Scope,
  row: LineRow,
  gate: PacingGate,
  { id, isStranger }: Pick<OutgoingMessage, 'id' | 'isStranger'>,
): Promise<boolean> {
  const line = await findLineRow(scope, row)
  // The line was deleted meanwhile and is about to be stopped.
  if (!line) throw new Error(`line ${row.id} is gone`)
  const now = scope.now()
  const pollAt = now.getTime() + gatePollMs
  const lockedUntil = activeLockUntil(line, now)
  if (lockedUntil && isStranger) {
    gate.strangersShutUntil = Math.min(Date.parse(lockedUntil), now.getTime() + lockPollMs)
    await holdBack(scope, row, line, gate, { id, why: 'locked', coldBefore: strangerBound(now) })
    return true
  }
  const { nextAt, why } = await findNextSend(scope, row.id, await loadSendLimits(scope, line))
  if (!nextAt) return false
  gate.shutUntil = Math.min(nextAt.getTime(), pollAt)
  await holdBack(scope, row, line, gate, { id, why, coldBefore: now, keepsLocked: lockedUntil !== null })
  return true
}

type HoldReason = { id: number; why: string; coldBefore: Date; keepsLocked?: boolean }
async function holdBack(
  scope: Scope,
  row: LineRow,
  line: ConnectionRow,
  gate: PacingGate,
  { id, ...reason }: HoldReason,
): Promise<void> {
  gate.hasWaiting = true
  await scope.transaction(async (tx) => {
    const changed = await requeueMessage(tx, row.id, id, reason)
    for (let from = 0; from < changed.length; from += maxMessagesPerEvent)
      await publishChangedMessages(tx, changed.slice(from, from + maxMessagesPerEvent))
    if (changed.length) await publishConnection(tx, line)
  })
}

const findLineRow = (scope: Scope, row: LineRow) =>
  scope.db
    .selectFrom('whatsapps')
    .selectAll()
    .where('companyId', '=', row.companyId)
    .where('id', '=', row.id)
    .executeTakeFirst()

/** Counts a sent message, in the transaction that marks it as sent. */
export async function countColdSend(
  scope: Scope,
  row: LineRow,
  message: Pick<OutgoingMessage, 'id' | 'contactId'>,
): Promise<void> {
  const line = await findLineRow(scope, row)
  if (line) await recordSend(scope, row.id, await loadSendLimits(scope, line), message)
}

/** With these reasons WhatsApp refuses messages to people who did not write: it is about to lock the line. */
const reachOutRefusals = ['no-token', 'restricted']

/** Counts a message that WhatsApp refused because the line does not know the person. The line then writes to fewer. */
export async function countColdRefusal(scope: Scope, row: LineRow, reason: string): Promise<void> {
  if (reachOutRefusals.includes(reason)) await countPaceSetback(scope, row.id, 'refused')
}

/** Publishes to users who watch the line that no message waits any more. */
export async function publishGateOpened(scope: Scope, row: LineRow, gate: PacingGate): Promise<void> {
  if (!gate.hasWaiting) return
  gate.hasWaiting = false
  await scope.transaction(async (tx) => {
    const line = await findLineRow(tx, row)
    if (line) await publishConnection(tx, line)
  })
}

/** Shows the typing indicator, as when a person types. */
export async function showTypingBeforeSend(
  line: Line,
  chat: string,
  words: string,
  gate: PacingGate,
  ended: AbortSignal,
): Promise<void> {
  const ms = gate.typingMs(words)
  if (!ms) return
  await line.setTyping(chat, true).catch(() => {})
  await pause(ms, undefined, { signal: ended }).catch(() => {})
}
