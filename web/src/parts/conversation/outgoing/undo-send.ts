import { type Message, messagesApi } from '@recado/contract/messages'
import { parseSignature } from '@recado/contract/text/signature'
import { callApi } from '../../../lib/api.ts'
import { mediaSrc } from '../../../lib/media-src.ts'
import { readStoredText } from '../../../lib/storage.ts'
import { addToMacroTray } from '../../macros/macro-tray-store.ts'
import { addAttachedFiles } from '../../message/composer/attached-files-store.ts'
import { returnToDraft } from '../../message/composer/drafts.ts'
import { draftKey, trayKey } from './composer-keys.ts'
import { recallSent } from './sent-recently.ts'
import { outbox } from './session-outbox.ts'
import { removeStoredEntry } from './stored-entries.ts'

/**
 * Until when the message can be taken back, by the clock of this device; null if it cannot. The clocks of server and
 * device may differ, so for a message sent here the time runs from its storing.
 */
export function undoDeadline(
  { fromMe, bot, user, heldUntil, createdAt, clientId }: Message,
  userId: number,
): number | null {
  if (!heldUntil || !fromMe || bot !== null || user?.id !== userId) return null
  const storedAt = recallSent(clientId)?.storedAt
  return storedAt ? storedAt + Date.parse(heldUntil) - Date.parse(createdAt) : Date.parse(heldUntil)
}

/** Takes a message back: its text and its file return to the composer. */
export async function undoSend(ticketId: number, message: Message): Promise<void> {
  const { id, clientId } = message
  const sent = recallSent(clientId)
  // A message that another device sent: its file is only on the server, which deletes it with the message.
  const file = sent ? sent.file : await downloadFile(message)
  await callApi(messagesApi.undo, { params: { id } })
  if (clientId) {
    // Otherwise another tab could send it again, which took over the messages of a closed tab.
    removeStoredEntry(Number(readStoredText('userId')), clientId)
    outbox.forget(clientId)
  }
  if (file) addAttachedFiles(trayKey(ticketId), [file])
  if (sent?.macro) addToMacroTray(ticketId, sent.macro)
  const isTyped = message.mediaType !== 'locationMessage' && message.mediaType !== 'contactMessage'
  returnToDraft(draftKey(ticketId, 'reply'), sent?.text ?? (isTyped ? parseSignature(message.body).text : ''))
}

async function downloadFile({ mediaUrl, mediaName }: Message): Promise<File | null> {
  if (!mediaUrl) return null
  try {
    const blob = await (await fetch(mediaSrc(mediaUrl))).blob()
    return new File([blob], mediaName ?? 'file', { type: blob.type })
  } catch {
    return null
  }
}

export const sendNow = ({ id }: Message): Promise<Message> => callApi(messagesApi.sendNow, { params: { id } })
