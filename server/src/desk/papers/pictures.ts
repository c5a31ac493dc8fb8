import { buffer } from 'node:stream/consumers'
import { fileTypeFromBuffer } from 'file-type'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Entry } from './conversation.ts'

export type Picture = { type: string; bytes: Buffer }

/** Of one picture, and of all in one file: what is beyond stands there by its name. */
const most = { one: 3 * 1024 * 1024, all: 40 * 1024 * 1024 }

/** Reads what a file can carry, as long as there is room. */
export function pictureReader(scope: Scope, fits: (picture: Picture) => boolean) {
  let left = most.all
  return async ({ picture }: Pick<Entry, 'picture'>): Promise<Picture | null> => {
    if (!picture) return null
    try {
      const { files } = scope.means
      const size = await files.size(scope.companyId, picture.mediaPath)
      if (size === null || size > most.one || size > left) return null
      const bytes = await buffer(files.read(scope.companyId, picture.mediaPath))
      const read = { type: (await fileTypeFromBuffer(bytes))?.mime ?? '', bytes }
      if (!fits(read)) return null
      left -= size
      return read
    } catch {
      // The file is gone or is none: its name stands there.
      return null
    }
  }
}
