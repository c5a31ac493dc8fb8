import type { Message } from '@recado/contract/messages'
import { useMemo, useSyncExternalStore } from 'react'
import { newClientId } from '../../../lib/client-id.ts'
import type { LocationOrCard } from '../../message/attach/location-or-card.ts'
import { addAttachedFiles } from '../../message/composer/attached-files-store.ts'
import { returnToDraft } from '../../message/composer/drafts.ts'
import { draftKey, trayKey } from './composer-keys.ts'
import { canReturnToComposer, type OutboxEntry, type OutgoingFile } from './outbox-queue.ts'
import { createPreviewUrl, outbox, readOutgoingFile, storeOutgoingFile } from './session-outbox.ts'

/** One message on its way: drawn after the stored ones until one of those carries its `clientId`. */
export type OutgoingMessage = {
  clientId: string
  ticketId: number
  /** As it will be stored, signature included; of a file, its caption. */
  body: string
  quotedMsg: Message['quotedMsg']
  /** `preview` is an address this page may draw, of pictures, films and sounds. */
  file: OutgoingFile | null
  thing: LocationOrCard | null
  /** 0 to 1 while a file goes up, null otherwise. */
  progress: number | null
  /** `sending` with an `error` waits for the network and goes by itself. */
  state: 'sending' | 'failed'
  error: unknown
  createdAt: string
}

/** What is on its way in this ticket, oldest first. */
export function useOutgoingMessages(ticketId: number): OutgoingMessage[] {
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  return useMemo(
    () => entries.filter((entry) => entry.ticketId === ticketId).map(toOutgoingMessage),
    [entries, ticketId],
  )
}

const toOutgoingMessage = (entry: OutboxEntry): OutgoingMessage => {
  const { clientId, ticketId, body, quotedMsg, file, thing = null, progress, phase, error, createdAt } = entry
  const state = phase === 'failed' ? 'failed' : 'sending'
  return { clientId, ticketId, body, quotedMsg, file, thing, progress, state, error, createdAt }
}

export type OutgoingDraft = { text: string; body: string; file: File | null; thing?: LocationOrCard }

/** Hands messages over, in this order. Resolves when the last one is stored; with false when one is refused. */
export async function sendDrafts(
  ticketId: number,
  drafts: OutgoingDraft[],
  quotedMsg: Message['quotedMsg'],
): Promise<boolean> {
  const entries = drafts.map(({ text, body, file, thing }, i): OutboxEntry => {
    const clientId = newClientId()
    if (file) storeOutgoingFile(clientId, file)
    return {
      clientId,
      ticketId,
      text,
      body,
      // WhatsApp quotes in one bubble: the first says what it answers.
      quotedMsg: i === 0 ? quotedMsg : null,
      thing: thing ?? null,
      file: file && { name: file.name, type: file.type, size: file.size, preview: createPreviewUrl(file) },
      progress: null,
      phase: 'waiting',
      unsure: false,
      error: null,
      createdAt: nextUniqueTimestamp(),
    }
  })
  const stored = await Promise.all(outbox.add(entries))
  return stored.every((message) => message !== null)
}

let lastTimestamp = 0
/** Never the same twice: what is taken up again later is put in order by it. */
function nextUniqueTimestamp(): string {
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1)
  return new Date(lastTimestamp).toISOString()
}

/** A failed one, again: it stays the same message. */
export const retrySend = (clientId: string): void => outbox.retry(clientId)

/** Gives one up: an upload is cut off, a failed one forgotten. */
export function discardSend(clientId: string): void {
  outbox.remove(clientId)
}

/** Takes a failed one out of the thread and puts its words and its file back into the composer of its ticket. */
export async function returnToComposer(clientId: string): Promise<void> {
  const entry = outbox.entries().find((one) => one.clientId === clientId)
  if (!entry || !canReturnToComposer(entry)) return
  const file = entry.file && (await readOutgoingFile(clientId).catch(() => null))
  if (!outbox.remove(clientId)) return
  if (file) addAttachedFiles(trayKey(entry.ticketId), [file])
  returnToDraft(draftKey(entry.ticketId, 'reply'), entry.text)
}

/** Tells what the server stored: the thread puts it among its messages without waiting for the live news. */
export const onMessageStored = (listener: (message: Message) => void): (() => void) => outbox.onStored(listener)
