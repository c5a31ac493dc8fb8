import type { LineState } from '../../line.ts'

/** Why linking with a passkey ended without a link. */
export type PasskeyEnd = 'passkey-expired' | 'passkey-cancelled' | 'passkey-failed'

/** Why a connection ended: the library's code, or our own reason if it has none. */
export type ConnectionEnd = {
  code: number
  cause?: 'passkey' | PasskeyEnd | 'refused' | 'silent' | 'journal' | 'qr-timeout' | 'pairing' | 'unreachable'
}

/**
 * What follows a disconnect. `now`: reconnect at once. `soon` and `seldom`: reconnect after a growing pause. `over`: a user
 * must start the line again; if the phone has unlinked us, our keys are useless as well.
 */
export type DisconnectDecision =
  | { next: 'now' }
  | { next: 'soon' | 'seldom'; reason: string }
  | { next: 'over'; reason: string; status?: LineState['status']; deletesKeys: boolean }

const stopWith = (reason: string, forget = false): DisconnectDecision => ({ next: 'over', reason, deletesKeys: forget })

/** WhatsApp's disconnect codes, interpreted as its own clients do. */
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

/** Whether WhatsApp itself sent this code; other codes mean that the network failed. */
export const isWhatsAppCode = (code: number): boolean => Object.hasOwn(decisionByCode, code)

/** Whether WhatsApp considers our version too old. */
export const isVersionRefused = ({ code, cause }: ConnectionEnd): boolean => !cause && (code === 405 || code === 409)

export function decideAfterDisconnect({ code, cause }: ConnectionEnd): DisconnectDecision {
  if (cause === 'passkey' || cause === 'passkey-expired') return stopWith(cause, true)
  if (cause === 'passkey-cancelled' || cause === 'passkey-failed') return stopWith(cause, true)
  if (cause === 'pairing') return stopWith('pairing-failed', true)
  if (cause === 'qr-timeout') return { next: 'over', status: 'TIMEOUT', reason: 'qr-timeout', deletesKeys: true }
  if (cause === 'refused' || cause === 'unreachable') return { next: 'soon', reason: cause }
  return (cause ? undefined : decisionByCode[code]) ?? { next: 'soon', reason: 'network' }
}
