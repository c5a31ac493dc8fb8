import type { MacroTray } from '../../macros/macro-tray-store.ts'
import { outbox } from './session-outbox.ts'

/** What the composer held when a message was sent, so that taking the message back restores it. */
export type SentContent = { text: string; file: File | null; macro: MacroTray | undefined }
type RecentSend = SentContent & { storedAt: number | null }

/** Longer than any message can be taken back after it was stored. */
const memoryMs = 60_000
const recentSends = new Map<string, RecentSend>()

export function rememberSent(clientId: string, content: SentContent): void {
  recentSends.set(clientId, { ...content, storedAt: null })
}

export const recallSent = (clientId: string | null): RecentSend | undefined => recentSends.get(clientId ?? '')

outbox.onStored(({ clientId }) => {
  const sent = recallSent(clientId)
  if (!sent || clientId === null) return
  sent.storedAt = Date.now()
  setTimeout(() => recentSends.delete(clientId), memoryMs)
})
