import { createReadStream } from 'node:fs'
import { link, mkdir, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

export type ByteRange = { start: number; end: number }
/** `createdAtMs`: creation time. `blob`: equal for names that share the same bytes. */
export type FileStoreEntry = { companyId: number; name: string; createdAtMs: number; bytes: number; blob?: string }

/** File storage: by company id and a permanent name. No file is written twice. */
export type FileStore = {
  /** Moves a file in from the local disk. */
  put(companyId: number, name: string, from: string): Promise<void>
  /** False if the file does not exist. */
  copy(companyId: number, name: string, as: string): Promise<boolean>
  /** Null if the file does not exist. */
  size(companyId: number, name: string): Promise<number | null>
  /** The stream emits `open` when it is ready; it fails with ENOENT if the file does not exist. */
  read(companyId: number, name: string, range?: ByteRange): Readable
  remove(companyId: number, names: string[]): Promise<void>
  /** Removes all files of the company. */
  removeAll(companyId: number): Promise<void>
  /** Iterates over every file of one company, or of all. */
  list(companyId?: number): AsyncGenerator<FileStoreEntry>
  /** The file's path on the local disk; null: it is stored elsewhere. */
  localPath(companyId: number, name: string): string | null
}

const nullIfMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}

/** One folder per company. */
export function makeDiskStore(root: string): FileStore {
  const folder = (companyId: number) => join(root, String(companyId))
  const localPath = (companyId: number, name: string) => join(folder(companyId), name)
  return {
    localPath: localPath,
    async put(companyId, name, from) {
      const to = localPath(companyId, name)
      await mkdir(dirname(to), { recursive: true })
      await rename(from, to)
    },
    copy: async (companyId, name, as) =>
      (await link(localPath(companyId, name), localPath(companyId, as)).then(() => true, nullIfMissing)) ?? false,
    size: async (companyId, name) => (await stat(localPath(companyId, name)).catch(nullIfMissing))?.size ?? null,
    read: (companyId, name, range) => createReadStream(localPath(companyId, name), range),
    async remove(companyId, names) {
      for (const name of names) await rm(localPath(companyId, name), { force: true })
    },
    removeAll: (companyId) => rm(folder(companyId), { recursive: true, force: true }),
    async *list(onlyCompanyId) {
      const companies = onlyCompanyId === undefined ? await readdir(root).catch(() => []) : [String(onlyCompanyId)]
      for (const companyId of companies.filter((name) => /^\d+$/.test(name)).map(Number)) {
        const files = await opendir(folder(companyId)).catch(nullIfMissing)
        if (!files) continue
        for await (const { name } of files) {
          const found = await stat(localPath(companyId, name)).catch(nullIfMissing)
          if (!found?.isFile()) continue
          const createdAtMs = Math.min(found.birthtimeMs || Infinity, found.mtimeMs)
          yield { companyId, name, createdAtMs: createdAtMs, bytes: found.size, blob: String(found.ino) }
        }
      }
    },
  }
}
