import { traits } from '@recado/contract/traits'
import { addErrand, type Errand } from '../../desk/messages/errands.ts'
import { settle, takeWaiting, type Waiting } from '../../desk/messages/outgoing.ts'
import { announceChange } from '../../desk/messages/store.ts'
import { tellUnsent } from '../../desk/notices.ts'
import { minutes } from '../../kernel/clock.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { traced } from '../../kernel/trace.ts'
import { type Line, LineBusy, LineRefusal, type LineRow } from '../../lines/line.ts'
import { carryAbreast } from './abreast.ts'
import { chatOf } from './chat.ts'
import { outbound } from './outbound.ts'
import { counted, type Gate, isShut, mustWait, noneWaits, seemToType } from './pacing.ts'
import type { Call } from './worker.ts'

/** A message that a connected line fails to send for so long is the fault: it must not hold the rest. */
const patienceMs = minutes(1)
/**
 * Which messages fail, and since when, while the same line lives; until when the vendor wants the line to be still, and
 * which contacts.
 */
export type Failing = {
  since: Map<number, number>
  stillUntil: number
  resting: Map<number, number>
  /** For which of them we have been seen typing. */
  typed: Set<number>
  gate: Gate
  /** Hears what became of each: the reason of a refusal, or null. */
  told(id: number, error: string | null): void
}

/** Sends what waits. A refusal marks that message and goes on; a broken line stops and keeps the rest. */
export async function sendQueued(
  means: Means,
  row: LineRow,
  line: Line,
  failing: Failing,
  { ended, woken, wakeAfter }: Call,
): Promise<number | null> {
  const scope = new Scope(means, { companyId: row.companyId })
  const { gate } = failing
  const left = () => failing.stillUntil - means.clock.now().getTime()
  // Who stored something new has woken us too early.
  if (left() > 0) return left()
  await carryAbreast<Waiting>({
    ...{ ended, woken, most: traits[row.provider].atOnce },
    laneOf: ({ contactId }) => contactId,
    async take(underWay) {
      const now = scope.now()
      const others = [...awake(means, failing).keys(), ...underWay]
      const { window: hasWindow, paced: isPaced } = traits[row.provider]
      return takeWaiting(means, row, { others, hasWindow, isPaced, coldWait: isShut(gate, now), now })
    },
    carry: (message) => traced(message.trace, () => carried(message)),
  })
  return left() > 0 ? left() : restOf(scope, row, failing)

  async function carried(message: Waiting): Promise<boolean> {
    if (message.isCold && !message.isDeleted) {
      if (await mustWait(scope, row, gate, message.id)) return true
      await seemToType(line, chatOf(message, row.provider), message.body, gate, ended)
    }
    if (mustType(means, row, line, message, failing, wakeAfter)) return true
    const outcome = message.isDeleted ? 'deleted' : await attempt(means, row, line, message, failing)
    if (!(outcome instanceof LineBusy)) {
      if (!message.isDeleted) failing.told(message.id, outcome)
      await scope.transaction((tx) => follow(tx, row, message, outcome))
    } else if (outcome.chatOnly) {
      failing.resting.set(message.contactId, means.clock.now().getTime() + outcome.afterMs)
      wakeAfter(outcome.afterMs)
    } else failing.stillUntil = Math.max(failing.stillUntil, means.clock.now().getTime() + outcome.afterMs)
    return left() <= 0
  }
}

/** True where they are to see us type first: their conversation rests for so long, and others go on. */
function mustType(
  means: Means,
  row: LineRow,
  line: Line,
  message: Waiting,
  { typed, resting }: Failing,
  wakeAfter: Call['wakeAfter'],
): boolean {
  const ms = message.sendAs?.typeMs
  if (!ms || message.isDeleted || typed.delete(message.id)) return false
  typed.add(message.id)
  // A courtesy: where it cannot be shown, the pause stays.
  if (!line.cannot.includes('typing')) line.typing(chatOf(message, row.provider), true).catch(() => {})
  resting.set(message.contactId, means.clock.now().getTime() + ms)
  wakeAfter(ms)
  return true
}

/** In how many milliseconds somebody may be written to again. */
async function restOf(scope: Scope, row: LineRow, { resting, gate }: Failing): Promise<number | null> {
  const now = scope.now()
  const shut = isShut(gate, now)
  if (!shut) await noneWaits(scope, row, gate)
  const moments = [...resting.values(), ...(shut ? [gate.shutUntil] : [])]
  return moments.length ? Math.max(10, Math.min(...moments) - now.getTime()) : null
}

/** Whose rest is over is forgotten; their messages come in their turn again. */
function awake(means: Means, { resting }: Failing): Failing['resting'] {
  const now = means.clock.now().getTime()
  for (const [contactId, until] of resting) if (until <= now) resting.delete(contactId)
  return resting
}

/** The reason of a refusal, null when it went well, or a pause that the vendor asks for. */
async function attempt(
  means: Means,
  row: LineRow,
  line: Line,
  message: Waiting,
  failing: Failing,
): Promise<string | null | LineBusy> {
  // The vendor would only tell the same later: a text that comes too late must not wait for ever either.
  const { windowEndsAt, sendAs } = message
  if (windowEndsAt && !sendAs?.template && Date.parse(windowEndsAt) <= means.clock.now().getTime())
    return 'window-closed'
  try {
    await line.send(outbound(means, row, message))
    failing.since.delete(message.id)
    return null
  } catch (error) {
    if (error instanceof LineRefusal) return error.reason
    if (error instanceof LineBusy) return error
    const now = means.clock.now().getTime()
    const since = failing.since.get(message.id) ?? now
    failing.since.set(message.id, since)
    if (now - since < patienceMs) throw error
    failing.since.delete(message.id)
    return 'unreachable'
  }
}

/** What follows from how it went. */
async function follow(scope: Scope, row: LineRow, message: Waiting, error: string | null): Promise<void> {
  const { id, wid, contactId } = message
  const now = await settle(scope, id, error)
  if (message.isCold && !error) await counted(scope, row)
  if (!now) return
  // Deleted while it was leaving: what may have arrived is taken back.
  if (now.isDeleted) await addErrand(scope, row.id, { kind: 'revoke', contactId, wid })
  // Edited while it was leaving, or before it left once more: a phone that had it keeps the words that came first.
  else if (!error && (message.isEdited || now.body !== message.body))
    await addErrand(scope, row.id, correction(message, now.body))
  await announceChange(scope, [id])
  if (error) await tellUnsent(scope, [id])
}

const correction = ({ contactId, wid, body }: Waiting, now: string): Errand => ({
  kind: 'edit',
  contactId,
  wid,
  body: now,
  was: { body, isEdited: false },
})
