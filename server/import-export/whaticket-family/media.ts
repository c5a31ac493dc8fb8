import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, join, normalize, sep } from 'node:path'
import { messageKindOf } from '../../src/desk/messages/kinds.ts'
import type { Deps } from '../../src/kernel/data/scope.ts'
import type { MediaColumns } from '../../src/kernel/files/files.ts'
import type { ImportLimits } from '../limits.ts'

export type StoredMediaFile = MediaColumns & {
  size: number
  pages: number | null
  kind: ReturnType<typeof messageKindOf>
}

/** Whether the path is in another company's folder: such a row would import that company's file into this company. */
const isOfAnotherCompany = (name: string, company: number): boolean => {
  const [, owner] = /^(?:.*\/)?company(\d+)\//.exec(normalize(name)) ?? []
  return owner !== undefined && Number(owner) !== company
}

/** Possible paths of a row's file: as written, in the folder of its company, or flat as in older versions. */
function candidatePaths(mediaUrl: string, company: number): string[] {
  const plain = mediaUrl
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/[?#].*$/, '')
    .replace(/^\/?(public\/)?/, '')
  let decoded = plain
  try {
    decoded = decodeURIComponent(plain)
  } catch {
    // A bare percent sign is not URL encoding: the name is used as it is.
  }
  const names = [...new Set([plain, decoded])].filter((name) => name && !isOfAnotherCompany(name, company))
  return names.flatMap((name) => [name, join(`company${company}`, name), basename(name)])
}

/** Opens the other system's media folder. Files whose path leads out of it count as missing. */
export async function openMediaFolder(
  folder: string,
  limits: Pick<ImportLimits, 'files' | 'fileBytes' | 'mediaBytes'>,
) {
  const root = await realpath(folder)
  const isInside = (path: string) => path.startsWith(root + sep)
  let [files, bytes] = [0, 0]
  /** Counts a file against the size limits. Returns false if the file exceeds one: it is then skipped. */
  const reserveQuota = (size: number): boolean => {
    if (size > limits.fileBytes || files + 1 > limits.files || bytes + size > limits.mediaBytes) return false
    files++
    bytes += size
    return true
  }
  return {
    async find(mediaUrl: string, company: number): Promise<string | 'too large' | null> {
      if (mediaUrl.includes('\0')) return null
      for (const candidate of candidatePaths(mediaUrl, company)) {
        const path = join(root, candidate)
        if (!isInside(path)) continue
        const real = await realpath(path).catch(() => null)
        const found = real && isInside(real) ? await stat(real) : null
        if (real && found?.isFile()) return reserveQuota(found.size) ? real : 'too large'
      }
      return null
    },
  }
}
export type MediaFolder = Awaited<ReturnType<typeof openMediaFolder>>

/** The original file name: Whaticket-compatible systems prefix it with a timestamp. */
export const originalFileName = (path: string): string => basename(path).replace(/^\d{10,17}_/, '') || basename(path)

/** Stores a file the same way as an upload: type detected from its bytes, unguessable name. */
export async function storeMediaFile(deps: Deps, companyId: number, path: string): Promise<StoredMediaFile> {
  const upload = await deps.files.receive(createReadStream(path), originalFileName(path))
  const stored = await deps.files.store(companyId, upload)
  return { ...stored, size: upload.size, pages: upload.pages, kind: messageKindOf(upload) }
}
