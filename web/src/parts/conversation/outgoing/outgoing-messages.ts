import type { Message } from '@recado/contract/messages'
import { useMemo, useSyncExternalStore } from 'react'
import { newClientId } from '../../../lib/client-id.ts'
import { addToMacroTray, type MacroTray } from '../../macros/macro-tray-store.ts'
import type { LocationOrCard } from '../../message/attach/location-or-card.ts'
import { addAttachedFiles } from '../../message/composer/attached-files-store.ts'
import { returnToDraft } from '../../message/composer/drafts.ts'
import { draftKey, trayKey } from './composer-keys.ts'
import { canReturnToComposer, type OutboxEntry, type OutgoingFile } from './outbox-queue.ts'
import { rememberSent } from './sent-recently.ts'
import { createPreviewUrl, outbox, readOutgoingFile, storeOutgoingFile } from './session-outbox.ts'

/** A message being sent. It is shown after the stored messages until a stored message has its `clientId`. */
export type OutgoingMessage = {
  clientId: string
  ticketId: number
  /** The text as it will be stored, with the signature; for a file, its caption. */
  body: string
  quotedMsg: Message['quotedMsg']
  /** `preview` is a local URL, for pictures, videos and audio. */
  file: OutgoingFile | null
  thing: LocationOrCard | null
  /** 0 to 1 during an upload, otherwise null. */
  progress: number | null
  /** `sending` with an `error` waits for the network and is retried automatically. */
  state: 'sending' | 'failed'
  error: unknown
  /** The steps of a macro that run once it is sent. */
  stepCount: number
  createdAt: string
}

/** The pending messages of this ticket, oldest first. */
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
  const stepCount = entry.macro?.steps.length ?? 0
  return { clientId, ticketId, body, quotedMsg, file, thing, progress, state, error, stepCount, createdAt }
}

export type OutgoingDraft = { text: string; body: string; file: File | null; thing?: LocationOrCard }

/** The steps of a macro go with the last of the messages. */
type SendOptions = { undoSeconds?: number | undefined; macro?: MacroTray | null }

/** Queues messages in this order. Resolves when the last message is stored, or with false when a message is refused. */
export async function sendDrafts(
  ticketId: number,
  drafts: OutgoingDraft[],
  quotedMsg: Message['quotedMsg'],
  { undoSeconds = 0, macro: tray }: SendOptions = {},
): Promise<boolean> {
  const entries = drafts.map(({ text, body, file, thing }, i): OutboxEntry => {
    const clientId = newClientId()
    const macro = i === drafts.length - 1 && tray ? tray : undefined
    if (file) storeOutgoingFile(clientId, file)
    if (undoSeconds > 0) rememberSent(clientId, { text, file, macro })
    return {
      clientId,
      ticketId,
      text,
      body,
      // Only the first message has the quote, because WhatsApp shows a quote in one bubble.
      quotedMsg: i === 0 ? quotedMsg : null,
      thing: thing ?? null,
      undoSeconds,
      ...(macro && { macro }),
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
/** The timestamps are strictly increasing, because restored entries are sorted by them. */
function nextUniqueTimestamp(): string {
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1)
  return new Date(lastTimestamp).toISOString()
}

/** Retries a failed message under the same id. */
export const retrySend = (clientId: string): void => outbox.retry(clientId)

/** Discards a message: a running upload is aborted, a failed message removed. */
export function discardSend(clientId: string): void {
  outbox.remove(clientId)
}

/** Removes a failed message from the thread and puts its text and file back into the ticket's composer. */
export async function returnToComposer(clientId: string): Promise<void> {
  const entry = outbox.entries().find((one) => one.clientId === clientId)
  if (!entry || !canReturnToComposer(entry)) return
  const file = entry.file && (await readOutgoingFile(clientId).catch(() => null))
  if (!outbox.remove(clientId)) return
  if (file) addAttachedFiles(trayKey(entry.ticketId), [file])
  if (entry.macro) addToMacroTray(entry.ticketId, entry.macro)
  returnToDraft(draftKey(entry.ticketId, 'reply'), entry.text)
}

/** Notifies of stored messages: the thread inserts them without waiting for the event. */
export const onMessageStored = (listener: (message: Message) => void): (() => void) => outbox.onStored(listener)
