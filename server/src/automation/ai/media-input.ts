import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { storeTranscript } from '../../desk/messages/transcript.ts'
import type { ModelMessage } from '../../directory/ai/model/chat.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type HistoryMessage, loadHistory, messageToText, toChatMessage, unansweredMessages } from './history.ts'

/** Why the prompt cannot process a message, which then goes to agents. */
export type UnreadableReason = 'cannot-hear' | 'cannot-see' | 'cannot-read' | 'file-missing'
type ModelAbilities = { canHear: boolean; canSee: boolean; maxMessages: number }
export type TranscribeVoice = (voice: { bytes: Buffer; name: string; type: string }) => Promise<string>

/** Size limits of the AI endpoints for recordings and pictures. */
const maxMediaBytes = { voice: 24 * 1024 * 1024, picture: 8 * 1024 * 1024 }
const maxPictures = 3
const supportedImages = /^image\/(png|jpeg|gif|webp)$/
/** How long to wait for a file, which arrives after its message. */
const fileTimeoutMs = 20_000
const filePollMs = 500

/**
 * The conversation for a model: the customer's messages since our last one are transcribed and shown, where the prompt
 * allows it; earlier ones are given as text.
 */
export async function buildModelInput(
  scope: Scope,
  ticketId: number,
  able: ModelAbilities,
  transcribe: TranscribeVoice,
  signal: AbortSignal,
): Promise<ModelMessage[] | UnreadableReason> {
  const lines = await waitForFiles(scope, ticketId, able, signal)
  const fresh = unansweredMessages(lines)
  const said: ModelMessage[] = lines.slice(0, lines.length - fresh.length).map(toChatMessage)
  let pictures = 0
  for (const line of fresh) {
    const one = await toModelMessage(scope, line, able, transcribe, pictures < maxPictures)
    if (typeof one === 'string') return one
    if (Array.isArray(one.content)) pictures++
    said.push(one)
  }
  return said.filter((one) => one.content !== '')
}

async function toModelMessage(
  scope: Scope,
  line: HistoryMessage,
  able: ModelAbilities,
  transcribe: TranscribeVoice,
  pollTimer: boolean,
): Promise<ModelMessage | UnreadableReason> {
  const { mediaType } = line
  if (mediaType === 'audio') {
    if (line.transcript !== null) return toChatMessage(line)
    if (!able.canHear) return 'cannot-hear'
    const bytes = await readMediaFile(scope, line, maxMediaBytes.voice)
    if (!bytes) return 'file-missing'
    const type = scope.deps.files.typeOf(line.mediaPath ?? '')
    const name = `voice${/\.[a-z0-9]+$/.exec(line.mediaPath ?? '')?.[0] ?? '.ogg'}`
    const transcript = await transcribe({ bytes, name, type })
    await storeTranscript(scope, line.id, transcript)
    return toChatMessage({ ...line, transcript })
  }
  if (mediaType === 'image') {
    const type = scope.deps.files.typeOf(line.mediaPath ?? '')
    if (!able.canSee || !pollTimer || !supportedImages.test(type)) return 'cannot-see'
    const bytes = await readMediaFile(scope, line, maxMediaBytes.picture)
    if (!bytes) return 'file-missing'
    const url = `data:${type};base64,${bytes.toString('base64')}`
    return {
      role: 'user',
      content: [
        { type: 'text', text: messageToText(line) },
        { type: 'image_url', image_url: { url } },
      ],
    }
  }
  if (mediaType === 'video' || mediaType === 'application' || mediaType === 'unknown') return 'cannot-read'
  return toChatMessage(line)
}

/** Returns the messages when their files have arrived or are no longer expected. */
async function waitForFiles(
  scope: Scope,
  ticketId: number,
  able: ModelAbilities,
  signal: AbortSignal,
): Promise<HistoryMessage[]> {
  const wanted = (line: HistoryMessage) =>
    (able.canHear && line.mediaType === 'audio') || (able.canSee && line.mediaType === 'image')
  for (let waited = 0; ; waited += filePollMs) {
    const lines = await loadHistory(scope, ticketId, able.maxMessages)
    const comes = unansweredMessages(lines).some((line) => line.mediaState === 'pending' && wanted(line))
    if (!comes || waited >= fileTimeoutMs) return lines
    await pause(filePollMs, undefined, { signal })
  }
}

async function readMediaFile(scope: Scope, line: HistoryMessage, most: number): Promise<Buffer | null> {
  if (line.mediaState !== 'ready' || !line.mediaPath || (line.mediaSize ?? 0) > most) return null
  return buffer(scope.deps.files.read(scope.companyId, line.mediaPath)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
