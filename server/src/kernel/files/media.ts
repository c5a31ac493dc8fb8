import { minutes } from '../clock.ts'
import { isBackupRunning } from '../data/advisory-locks.ts'
import { type Deps, Scope } from '../data/scope.ts'
import { AppError } from '../errors.ts'
import type { JobHandlers } from '../jobs.ts'
import type { MediaColumns, Upload } from './files.ts'
import { checkStorageQuota, deleteFileRecords, recordFile, recordFileCopy, recountFiles } from './storage-usage.ts'

declare module '../jobs.ts' {
  interface Jobs {
    /** `names`: the files to remove; null means all files of the company. */
    'files:remove': { companyId: number; names: string[] | null }
    'files:recount': Record<string, never>
  }
}

/** Uploads that are already in the file store, by the path they had on the local disk. */
const storedUploads = new Map<string, MediaColumns>()

/**
 * Stores uploads before the transaction that needs them: the store may be remote, and waiting for it would keep a
 * ticket locked, and with it the line's incoming messages. A retried transaction finds the stored uploads; uploads that
 * no transaction has used are deleted.
 */
export async function withStoredUploads<T>(scope: Scope, uploads: Upload[], work: () => Promise<T>): Promise<T> {
  try {
    await checkStorageQuota(scope, totalSize(uploads))
    for (const upload of uploads) storedUploads.set(upload.path, await storeFile(scope, upload))
    return await work()
  } finally {
    const unclaimed = uploads.flatMap(({ path }) => storedUploads.get(path)?.mediaPath ?? [])
    for (const { path } of uploads) storedUploads.delete(path)
    if (unclaimed.length) await removeFiles(scope, unclaimed).catch(() => scheduleFileRemoval(scope, unclaimed))
  }
}

/** Stores an upload for the scope's company. If the transaction fails, the file is deleted. */
export async function keepUpload(scope: Scope, upload: Upload | undefined, allowed?: RegExp): Promise<MediaColumns> {
  if (!upload) throw new AppError('ERR_VALIDATION', { file: 'Required' })
  if (allowed && !allowed.test(upload.type)) throw new AppError('ERR_FILE_TYPE')
  const { companyId, deps } = scope
  const alreadyStored = storedUploads.get(upload.path)
  if (alreadyStored) {
    storedUploads.delete(upload.path)
    scope.afterRollback(() => void storedUploads.set(upload.path, alreadyStored))
    return alreadyStored
  }
  await checkStorageQuota(scope, upload.size)
  const stored = await storeFile(scope, upload)
  scope.afterRollback(() => deps.files.remove(companyId, [stored.mediaPath]))
  return stored
}

const totalSize = (uploads: Upload[]): number => uploads.reduce((sum, { size }) => sum + size, 0)

/** Stores and counts a file even if the quota is exceeded: files from customers are always kept. */
export async function storeFile(scope: Scope, upload: Upload): Promise<MediaColumns> {
  const { files } = scope.deps
  const stored = await files.store(scope.companyId, upload)
  try {
    await recordFile(scope, stored.mediaPath, upload.size)
  } catch (error) {
    await files.remove(scope.companyId, [stored.mediaPath])
    throw error
  }
  return stored
}

/** Removes files from the store and from the count. */
export async function removeFiles(scope: Scope, names: string[]): Promise<void> {
  await scope.deps.files.remove(scope.companyId, names)
  await deleteFileRecords(scope, names)
}

/** Copies another row's file. If the transaction fails, the copy is deleted. For a missing file the name is kept. */
export async function copyFile(scope: Scope, mediaPath: string): Promise<string> {
  const { companyId, deps } = scope
  const copy = await deps.files.copy(companyId, mediaPath)
  if (copy) {
    scope.afterRollback(() => deps.files.remove(companyId, [copy]))
    await recordFileCopy(scope, copy, mediaPath)
  }
  return copy ?? mediaPath
}

/** Files of deleted rows are removed by a job, after the commit. */
export async function scheduleFileRemoval(
  scope: Scope,
  names: (string | null)[],
  companyId = scope.companyId,
): Promise<void> {
  const gone = names.filter((name): name is string => name !== null)
  if (gone.length) await scope.enqueueJob('files:remove', { companyId, names: gone })
}

/** Removes all files of a deleted company. */
export const scheduleRemovalOfAllFiles = (scope: Scope): Promise<void> =>
  scope.enqueueJob('files:remove', { companyId: scope.companyId, names: null })

/** A signed path below /public/, or null if there is no file. */
export const signedMediaPath = (
  scope: Scope,
  row: { companyId: number; mediaPath: string | null; mediaName: string | null },
): string | null =>
  row.mediaPath
    ? scope.deps.files.signedPath(row.companyId, { mediaPath: row.mediaPath, mediaName: row.mediaName })
    : null

/** The signed path as a full URL, for clients on other hosts. */
export function signedMediaUrl(scope: Scope, row: Parameters<typeof signedMediaPath>[1]): string | null {
  const path = signedMediaPath(scope, row)
  return path && `${scope.deps.publicUrl}/public/${path}`
}

/** The full URL of a profile picture. It is stored without the server's public URL, which may change. */
export const pictureUrl = (scope: Scope, url: string | null): string | null =>
  url?.startsWith('/') ? `${scope.deps.publicUrl}${url}` : url

/** The file name in a permanent URL that is stored in a row, such as that of a profile picture. */
export const fileNameInUrl = (address: string | null): string | null =>
  /^\/public\/\d+\/([^/]+)\//.exec(address ?? '')?.[1] ?? null

/** Retry interval while a backup runs: rare enough to be cheap, and short compared with a backup. */
const backupRetryMs = minutes(1)

/** How long a file may be in the store before the transaction that needs it ends. */
const settledAfterMs = minutes(60)

export const fileJobs = (deps: Deps): Pick<JobHandlers, 'files:remove' | 'files:recount'> => ({
  'files:remove': async (gone) => {
    const scope = new Scope(deps, { companyId: gone.companyId, wide: true })
    const { companyId, names } = gone
    if (await isBackupRunning(scope)) {
      const runAt = new Date(deps.clock.now().getTime() + backupRetryMs)
      return scope.enqueueJob('files:remove', gone, { runAt })
    }
    await (names ? removeFiles(scope, names) : deps.files.removeCompany(companyId))
  },
  'files:recount': async () => {
    const platform = new Scope(deps, { companyId: 0, wide: true })
    await recountFiles(platform, new Date(deps.clock.now().getTime() - settledAfterMs))
  },
})
