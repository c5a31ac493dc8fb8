import { type Message, messagesApi } from '@recado/contract/messages'
import { ApiError, callApi, type FailureCode, uploadFiles } from '../../../lib/api.ts'
import { voiceOf } from '../../../lib/voices.ts'
import type { SendProgress } from './outbox.ts'
import type { OutboxEntry } from './outbox-queue.ts'

/** A message without a response for this long counts as lost; upload progress restarts the time. */
const sendTimeoutMs = 30_000

/** Sends one message. A missing response is reported as an unreachable server. */
export async function sendEntry(entry: OutboxEntry, file: File | null, progress: SendProgress): Promise<Message> {
  const cut = new AbortController()
  const stop = () => cut.abort()
  progress.signal.addEventListener('abort', stop)
  let silence = setTimeout(stop, sendTimeoutMs)
  const onProgress = (share: number) => {
    clearTimeout(silence)
    silence = setTimeout(stop, sendTimeoutMs)
    progress.onProgress(share)
  }
  try {
    const reply = await (file ? sendFile(entry, file, cut.signal, onProgress) : sendText(entry, cut.signal))
    const [message] = reply.messages
    if (!message) throw new ApiError('ERR_CREATING_MESSAGE', 500)
    return message
  } catch (error) {
    if (cut.signal.aborted && !progress.signal.aborted) throw new ApiError('ERR_OFFLINE', 0)
    throw error
  } finally {
    clearTimeout(silence)
    progress.signal.removeEventListener('abort', stop)
  }
}

/** The request body. The local body of a location or card is only for display: the server creates its own body. */
const toMessageBody = ({ body, thing }: OutboxEntry) => {
  if (thing?.kind === 'locationMessage') return { body: [''], location: thing.location }
  if (thing?.kind === 'contactMessage') return { body: [''], contactCard: thing.contactCard }
  return { body: [body] }
}

function sendText(entry: OutboxEntry, signal: AbortSignal) {
  const { ticketId, quotedMsg, clientId, undoSeconds, macro } = entry
  const quoted = quotedMsg && { id: quotedMsg.id }
  return callApi(
    messagesApi.send,
    { params: { ticketId }, body: { ...toMessageBody(entry), quotedMsg: quoted, clientId, undoSeconds, macro } },
    { signal },
  )
}

async function sendFile(entry: OutboxEntry, file: File, signal: AbortSignal, onProgress: (share: number) => void) {
  const { ticketId, body, quotedMsg, clientId, undoSeconds, macro } = entry
  const fields = {
    body,
    clientId,
    ...(undoSeconds && { undoSeconds: String(undoSeconds) }),
    ...(macro && { macro: JSON.stringify(macro) }),
    ...(quotedMsg && { quotedMsg: JSON.stringify({ id: quotedMsg.id }) }),
  }
  const form = { params: { ticketId }, fields, files: [file], signal, onProgress }
  const voice = voiceOf(file)
  if (!voice) return uploadFiles(messagesApi.send, form)
  try {
    const measured = { ...fields, waveform: JSON.stringify(voice.waveform) }
    return await uploadFiles(messagesApi.send, { ...form, fields: measured, secondFile: voice.file })
  } catch (error) {
    // The server cannot read this browser's voice version: send the plain recording instead.
    if (error instanceof ApiError && voiceFileRejections.includes(error.code))
      return uploadFiles(messagesApi.send, form)
    throw error
  }
}
const voiceFileRejections: FailureCode[] = ['ERR_FILE_TYPE', 'ERR_FILESIZE_OVER_LIMIT']

/**
 * Transient failures: the network, a starting server, rate limits, an expired session. The message is sent
 * later. Other refusals are shown to the agent.
 */
export const isTransientSendError = (error: unknown): boolean =>
  error instanceof ApiError && [0, 401, 403, 429, 502, 503, 504].includes(error.status)
