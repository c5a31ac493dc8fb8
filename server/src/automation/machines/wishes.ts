import { PassThrough } from 'node:stream'
import { choiceLines } from '../../directory/machines/choosing.ts'
import type { IntegrationRow } from '../../directory/machines/integrations.ts'
import type { Piece, Reply } from '../../directory/machines/reply.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { Question } from '../asking/asker.ts'
import type { Act, Saying } from '../bots/bot.ts'
import { homeOf, type Rulebook } from '../rulebook.ts'

/** So many files of one answer are fetched, each in this time; of the others the address is said. */
const mostFiles = 10
const fetchMs = 10_000

type Asked = Pick<Question<unknown>, 'scope' | 'ticket' | 'book' | 'line' | 'signal'>
type More = { why: string; marks?: Act['marks']; typeMs?: number }

/**
 * What an integration wants, as a deed. Every id is looked up in the company that asked: whatever is not hers is as if
 * it had not been named, and the events say so. Who ends with people hears that they do.
 */
export async function actOf(
  { scope, ticket, book, line, signal }: Asked,
  it: Pick<IntegrationRow, 'name'>,
  reply: Reply,
  { why, marks, typeMs = 0 }: More,
): Promise<Act> {
  const say = await saidOf(scope, book, reply.pieces, typeMs, signal)
  const base = { bot: 'integration', why, with: { name: it.name }, say, again: true as const, tagIds: reply.tagIds }
  const { transfer } = reply
  if (!transfer) return reply.ends ? { ...base, ends: true } : { ...base, ...(marks && { marks }) }
  const queueId = transfer.queueId !== undefined && book.queues.has(transfer.queueId) ? transfer.queueId : undefined
  const userId =
    transfer.userId !== undefined && (await worksHere(scope, transfer.userId)) ? transfer.userId : undefined
  const refused = [
    transfer.queueId !== undefined && queueId === undefined ? `queue ${transfer.queueId}` : '',
    transfer.userId !== undefined && userId === undefined ? `user ${transfer.userId}` : '',
  ].filter(Boolean)
  return {
    ...base,
    with: { ...base.with, ...(refused.length && { refused: refused.join(', ') }) },
    say: say.length ? say : [book.wording.menu.toPerson],
    leaves: true,
    queueId: queueId ?? ticket.queueId ?? homeOf(line),
    ...(userId !== undefined && { userId }),
  }
}

async function worksHere(scope: Scope, id: number): Promise<boolean> {
  const found = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

async function saidOf(
  scope: Scope,
  book: Rulebook,
  pieces: Piece[],
  typeMs: number,
  signal: AbortSignal,
): Promise<Saying[]> {
  const wanted = pieces.filter((piece) => piece.kind === 'file').slice(0, mostFiles)
  const fetched = new Map(
    await Promise.all(wanted.map(async (one) => [one, await fileBehind(scope, one.url, signal)] as const)),
  )
  return pieces.map((piece, n) => ({
    ...(piece.kind === 'file' ? shownFile(piece, fetched.get(piece) ?? null) : shownText(book, piece)),
    ...(n > 0 && typeMs > 0 && { typeMs }),
  }))
}

function shownText(book: Rulebook, { text, choices }: Extract<Piece, { kind: 'text' }>): Saying {
  if (!choices?.length) return { text }
  const { choose } = book.wording.menu
  const above = text || choose
  const options = choices.map((title, n) => ({ key: String(n + 1), title }))
  return {
    text: [above, choiceLines(choices)].filter(Boolean).join('\n\n'),
    choices: { text: above, button: choose, options },
  }
}

/** One that cannot be had is at least named. */
const shownFile = ({ text, url }: Extract<Piece, { kind: 'file' }>, file: Upload | null): Saying =>
  file ? { text, file } : { text: [text, url].filter(Boolean).join('\n') }

/**
 * The file behind an address that somebody else wrote, as it comes: ten of them in each of several answers would be more
 * than a house has memory. What nobody sends in the end is tidied away with half uploads.
 */
async function fileBehind(scope: Scope, url: string, signal: AbortSignal): Promise<Upload | null> {
  const { outgoing, files } = scope.means
  const content = new PassThrough()
  const received = files.receive(content, nameIn(url))
  // Why there is none is known from the call.
  content.on('error', () => {})
  received.catch(() => {})
  try {
    const sent = await outgoing.call(url, {
      ...{ companyId: scope.companyId, method: 'GET', timeoutMs: fetchMs, signal, mostBytes: files.limit },
      onData: (piece) => content.write(piece),
    })
    if (sent.status !== 200 || sent.isCut) throw new Error('no file')
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

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || 'file'
  } catch {
    return last || 'file'
  }
}
