import { announceChange } from '../../desk/messages/store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Line } from '../../lines/line.ts'
import { atMost } from './at-most.ts'

/** A file that has not come within this time is asked for again later. */
const patienceMs = 60_000

/** The message shows at once; the file follows here, sniffed and sized like any upload. */
export async function fetchMedia(scope: Scope, line: Line, messageId: number, ended: AbortSignal): Promise<void> {
  const inTime = AbortSignal.any([ended, AbortSignal.timeout(patienceMs)])
  const row = await scope.db
    .selectFrom('messages')
    .select(['mediaKey', 'mediaName', 'mediaState'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row?.mediaKey || row.mediaState !== 'pending') return
  const { files } = scope.means
  const upload = await received(scope, line, row, inTime)
  const { mediaPath, mediaName } = await files.keep(scope.companyId, upload)
  const kept = await write(scope, messageId, {
    mediaPath,
    mediaName,
    mediaSize: upload.size,
    mediaPages: upload.pages,
    mediaState: 'ready',
    error: null,
  })
  // Its ticket was deleted meanwhile.
  if (!kept) await files.remove(scope.companyId, [mediaPath])
}

type Wanted = { mediaKey: Record<string, unknown> | null; mediaName: string | null }

async function received(scope: Scope, line: Line, { mediaKey, mediaName }: Wanted, inTime: AbortSignal) {
  const { files } = scope.means
  inTime.throwIfAborted()
  const asked = line.fetchMedia(mediaKey ?? {})
  const { stream, name } = await unless(inTime, asked).catch((error) => {
    // It may still come, and nobody will read it.
    asked.then(({ stream: late }) => late.on('error', () => {}).destroy()).catch(() => {})
    throw error
  })
  return files.receive(atMost(files.limit, stream, inTime), mediaName ?? name)
}

async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Honest about what will not come. */
export const giveUpMedia = (scope: Scope, messageId: number, reason: string): Promise<boolean> =>
  write(scope, messageId, { mediaState: 'failed', error: reason })

type State =
  | {
      mediaPath: string
      mediaName: string
      mediaSize: number
      mediaPages: number | null
      mediaState: 'ready'
      error: null
    }
  | { mediaState: 'failed'; error: string }

function write(scope: Scope, id: number, state: State): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('messages')
      .set(state)
      .where('companyId', '=', tx.companyId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    await announceChange(tx, row ? [id] : [])
    return row !== undefined
  })
}
