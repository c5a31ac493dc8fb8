import { PassThrough } from 'node:stream'
import type { BotReply, ReplyPiece } from '../../directory/integrations/bot-reply.ts'
import { formatChoices } from '../../directory/integrations/choices.ts'
import type { IntegrationRow } from '../../directory/integrations/integrations.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { BotMessage, ImmediateAction } from '../bot-actions/bot.ts'
import type { BotRequest } from '../bot-requests/backend.ts'
import { defaultQueueOf, type Rulebook } from '../rulebook.ts'

/** Files downloaded per answer, and the timeout of each download; further files are sent as URLs. */
const maxFilesPerReply = 10
const fileFetchTimeoutMs = 10_000

type ReplyContext = Pick<BotRequest<unknown>, 'scope' | 'ticket' | 'rulebook' | 'line' | 'signal'>
type ActionExtras = { why: string; stateChange?: ImmediateAction['stateChange']; typingMs?: number }

/**
 * Converts an integration's answer to an action. Every id is looked up in its company: an unknown id is ignored, and the
 * ticket events say so. A customer who is handed over to agents gets a message about it.
 */
export async function toIntegrationAction(
  { scope, ticket, rulebook, line, signal }: ReplyContext,
  it: Pick<IntegrationRow, 'name'>,
  reply: BotReply,
  { why, stateChange, typingMs: typeMs = 0 }: ActionExtras,
): Promise<ImmediateAction> {
  const messages = await toBotMessages(scope, rulebook, reply.pieces, typeMs, signal)
  const base = {
    bot: 'integration',
    why,
    with: { name: it.name },
    messages: messages,
    allowRepeat: true as const,
    tagIds: reply.tagIds,
  }
  const { transfer } = reply
  if (!transfer)
    return reply.closesTicket
      ? { ...base, closesTicket: true }
      : { ...base, ...(stateChange && { stateChange: stateChange }) }
  const queueId = transfer.queueId !== undefined && rulebook.queues.has(transfer.queueId) ? transfer.queueId : undefined
  const userId =
    transfer.userId !== undefined && (await isActiveUser(scope, transfer.userId)) ? transfer.userId : undefined
  const refused = [
    transfer.queueId !== undefined && queueId === undefined ? `queue ${transfer.queueId}` : '',
    transfer.userId !== undefined && userId === undefined ? `user ${transfer.userId}` : '',
  ].filter(Boolean)
  return {
    ...base,
    with: { ...base.with, ...(refused.length && { refused: refused.join(', ') }) },
    messages: messages.length ? messages : [rulebook.botTexts.menu.toPerson],
    handsOver: true,
    queueId: queueId ?? ticket.queueId ?? defaultQueueOf(line),
    ...(userId !== undefined && { userId }),
  }
}

async function isActiveUser(scope: Scope, id: number): Promise<boolean> {
  const found = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

async function toBotMessages(
  scope: Scope,
  rulebook: Rulebook,
  pieces: ReplyPiece[],
  typeMs: number,
  signal: AbortSignal,
): Promise<BotMessage[]> {
  const wanted = pieces.filter((piece) => piece.kind === 'file').slice(0, maxFilesPerReply)
  const fetched = new Map(
    await Promise.all(wanted.map(async (one) => [one, await downloadFile(scope, one.url, signal)] as const)),
  )
  return pieces.map((piece, n) => ({
    ...(piece.kind === 'file' ? toFileMessage(piece, fetched.get(piece) ?? null) : toTextMessage(rulebook, piece)),
    ...(n > 0 && typeMs > 0 && { typingMs: typeMs }),
  }))
}

function toTextMessage(rulebook: Rulebook, { text, choices }: Extract<ReplyPiece, { kind: 'text' }>): BotMessage {
  if (!choices?.length) return { text }
  const { choose } = rulebook.botTexts.menu
  const above = text || choose
  const options = choices.map((title, n) => ({ key: String(n + 1), title }))
  return {
    text: [above, formatChoices(choices)].filter(Boolean).join('\n\n'),
    choices: { text: above, button: choose, options },
  }
}

/** A file that cannot be downloaded is sent as its URL. */
const toFileMessage = ({ text, url }: Extract<ReplyPiece, { kind: 'file' }>, file: Upload | null): BotMessage =>
  file ? { text, file } : { text: [text, url].filter(Boolean).join('\n') }

/**
 * Streams the file behind an untrusted URL to disk: ten files in each of several answers would not fit into memory. A
 * file that is not sent in the end is deleted with unfinished uploads.
 */
async function downloadFile(scope: Scope, url: string, signal: AbortSignal): Promise<Upload | null> {
  const { outgoing, files } = scope.deps
  const content = new PassThrough()
  const received = files.receive(content, fileNameInUrl(url))
  // The error of the call itself contains the reason.
  content.on('error', () => {})
  received.catch(() => {})
  try {
    const sent = await outgoing.call(url, {
      ...{
        companyId: scope.companyId,
        method: 'GET',
        timeoutMs: fileFetchTimeoutMs,
        signal,
        mostBytes: files.maxUploadBytes,
      },
      onData: (piece) => content.write(piece),
    })
    if (sent.status !== 200 || sent.isTruncated) throw new Error('no file')
    content.end()
    const upload = await received
    if (upload.size) return upload
    await files.discard(upload)
    return null
  } catch (error) {
    content.destroy(new Error('no file'))
    if (signal.aborted) throw error
    return null
  }
}

function fileNameInUrl(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || 'file'
  } catch {
    return last || 'file'
  }
}
