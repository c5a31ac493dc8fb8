import { setFileState } from '../../desk/messages/files.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { removeFiles, storeFile } from '../../kernel/files/media.ts'
import type { Line } from '../../lines/line.ts'
import { raceAbort } from '../race-abort.ts'
import { limitStreamSize } from './limit-stream.ts'

/** Timeout of a download, which is retried later. */
const downloadTimeoutMs = 60_000

/** Downloads the file of a message that is already shown; checks its type and size like those of any upload. */
export async function downloadMessageMedia(
  scope: Scope,
  line: Line,
  messageId: number,
  ended: AbortSignal,
): Promise<void> {
  const inTime = AbortSignal.any([ended, AbortSignal.timeout(downloadTimeoutMs)])
  const row = await scope.db
    .selectFrom('messages')
    .select(['mediaKey', 'mediaName', 'mediaState'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row?.mediaKey || row.mediaState !== 'pending') return
  const upload = await downloadMedia(scope, line, row, inTime)
  const { mediaPath, mediaName } = await storeFile(scope, upload)
  const kept = await setFileState(scope, messageId, {
    mediaPath,
    mediaName,
    mediaSize: upload.size,
    mediaPages: upload.pages,
    mediaState: 'ready',
    error: null,
  })
  // The ticket was deleted meanwhile.
  if (!kept) await removeFiles(scope, [mediaPath])
}

type MediaSource = { mediaKey: Record<string, unknown> | null; mediaName: string | null }

async function downloadMedia(scope: Scope, line: Line, { mediaKey, mediaName }: MediaSource, inTime: AbortSignal) {
  const { files } = scope.deps
  inTime.throwIfAborted()
  const asked = line.fetchMedia(mediaKey ?? {})
  const { stream, name } = await raceAbort(inTime, asked).catch((error) => {
    // The download may resolve after the timeout: destroy the stream so the socket is released.
    asked.then(({ stream: late }) => late.on('error', () => {}).destroy()).catch(() => {})
    throw error
  })
  return files.receive(limitStreamSize(files.maxUploadBytes, stream, inTime), mediaName ?? name)
}
