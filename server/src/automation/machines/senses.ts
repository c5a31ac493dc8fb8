import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { keepTranscript } from '../../desk/messages/transcript.ts'
import type { Said } from '../../directory/machines/model/chat.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Line, linesOf, saidIn, unanswered, wordsOf } from './history.ts'

/** Why a message is for people: nobody here can make anything of it. */
export type Senseless = 'cannot-hear' | 'cannot-see' | 'cannot-read' | 'file-missing'
type Able = { canHear: boolean; canSee: boolean; maxMessages: number }
export type Hear = (voice: { bytes: Buffer; name: string; type: string }) => Promise<string>

/** What endpoints take of a recording and of a picture. */
const mostBytes = { voice: 24 * 1024 * 1024, picture: 8 * 1024 * 1024 }
const mostPictures = 3
const seen = /^image\/(png|jpeg|gif|webp)$/
/** A file follows its message: so long it is waited for. */
const fileMs = 20_000
const lookMs = 500

/**
 * The conversation as a model takes it: what the customer wrote since our last words is heard and looked at, where the
 * prompt may; what came before is told in words.
 */
export async function perceive(
  scope: Scope,
  ticketId: number,
  able: Able,
  hear: Hear,
  signal: AbortSignal,
): Promise<Said[] | Senseless> {
  const lines = await arrived(scope, ticketId, able, signal)
  const fresh = unanswered(lines)
  const said: Said[] = lines.slice(0, lines.length - fresh.length).map(saidIn)
  let pictures = 0
  for (const line of fresh) {
    const one = await sense(scope, line, able, hear, pictures < mostPictures)
    if (typeof one === 'string') return one
    if (Array.isArray(one.content)) pictures++
    said.push(one)
  }
  return said.filter((one) => one.content !== '')
}

async function sense(scope: Scope, line: Line, able: Able, hear: Hear, looks: boolean): Promise<Said | Senseless> {
  const { mediaType } = line
  if (mediaType === 'audio') {
    if (line.transcript !== null) return saidIn(line)
    if (!able.canHear) return 'cannot-hear'
    const bytes = await fileOf(scope, line, mostBytes.voice)
    if (!bytes) return 'file-missing'
    const type = scope.means.files.typeOf(line.mediaPath ?? '')
    const name = `voice${/\.[a-z0-9]+$/.exec(line.mediaPath ?? '')?.[0] ?? '.ogg'}`
    const transcript = await hear({ bytes, name, type })
    await keepTranscript(scope, line.id, transcript)
    return saidIn({ ...line, transcript })
  }
  if (mediaType === 'image') {
    const type = scope.means.files.typeOf(line.mediaPath ?? '')
    if (!able.canSee || !looks || !seen.test(type)) return 'cannot-see'
    const bytes = await fileOf(scope, line, mostBytes.picture)
    if (!bytes) return 'file-missing'
    const url = `data:${type};base64,${bytes.toString('base64')}`
    return {
      role: 'user',
      content: [
        { type: 'text', text: wordsOf(line) },
        { type: 'image_url', image_url: { url } },
      ],
    }
  }
  if (mediaType === 'video' || mediaType === 'application' || mediaType === 'unknown') return 'cannot-read'
  return saidIn(line)
}

/** As it is once the files of what is new are here, or nobody expects them any more. */
async function arrived(scope: Scope, ticketId: number, able: Able, signal: AbortSignal): Promise<Line[]> {
  const wanted = (line: Line) =>
    (able.canHear && line.mediaType === 'audio') || (able.canSee && line.mediaType === 'image')
  for (let waited = 0; ; waited += lookMs) {
    const lines = await linesOf(scope, ticketId, able.maxMessages)
    const comes = unanswered(lines).some((line) => line.mediaState === 'pending' && wanted(line))
    if (!comes || waited >= fileMs) return lines
    await pause(lookMs, undefined, { signal })
  }
}

async function fileOf(scope: Scope, line: Line, most: number): Promise<Buffer | null> {
  if (line.mediaState !== 'ready' || !line.mediaPath || (line.mediaSize ?? 0) > most) return null
  return buffer(scope.means.files.read(scope.companyId, line.mediaPath)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
