import type { LineState } from '../../line.ts'

/** Why a connection ended: the library's number, or our own word where it has none. */
export type ConnectionEnd = {
  code: number
  word?: 'passkey' | 'refused' | 'silent' | 'journal' | 'qr-timeout' | 'pairing' | 'unreachable'
}

/**
 * What follows. `now`: begin again at once. `soon` and `seldom`: after a pause that grows. `over`: a person must ask for
 * it, and where the phone does not know us any more our keys are of no use either.
 */
export type DisconnectDecision =
  | { next: 'now' }
  | { next: 'soon' | 'seldom'; reason: string }
  | { next: 'over'; reason: string; status?: LineState['status']; forget: boolean }

const stopWith = (reason: string, forget = false): DisconnectDecision => ({ next: 'over', reason, forget })

/** WhatsApp's numbers, as its own clients read them. */
const decisionByCode: Record<number, DisconnectDecision> = {
  515: { next: 'now' },
  401: stopWith('unlinked', true),
  411: stopWith('unlinked', true),
  403: stopWith('banned'),
  440: stopWith('replaced'),
  402: { next: 'seldom', reason: 'banned-for-now' },
  405: { next: 'seldom', reason: 'outdated' },
  409: { next: 'seldom', reason: 'outdated' },
}

/** Whether WhatsApp itself said this number; others come of a network that is not there. */
export const isWhatsAppCode = (code: number): boolean => Object.hasOwn(decisionByCode, code)

export function decideAfterDisconnect({ code, word }: ConnectionEnd): DisconnectDecision {
  if (word === 'passkey') return stopWith('passkey', true)
  if (word === 'pairing') return stopWith('pairing-failed', true)
  if (word === 'qr-timeout') return { next: 'over', status: 'TIMEOUT', reason: 'qr-timeout', forget: true }
  if (word === 'refused' || word === 'unreachable') return { next: 'soon', reason: word }
  return (word ? undefined : decisionByCode[code]) ?? { next: 'soon', reason: 'network' }
}
