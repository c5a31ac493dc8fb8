import { readFile, stat } from 'node:fs/promises'
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
      const file = scope.means.files.placeOf(scope.companyId, picture.mediaPath)
      const { size } = await stat(file)
      if (size > most.one || size > left) return null
      const bytes = await readFile(file)
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
