import { buffer } from 'node:stream/consumers'
import { fileTypeFromBuffer } from 'file-type'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ConversationEntry } from './conversation.ts'

export type Picture = { type: string; bytes: Buffer }

/** Limits for one image and for all images in one export; beyond them the name is shown instead. */
const maxPictureBytes = { one: 3 * 1024 * 1024, all: 40 * 1024 * 1024 }

/** Reads images that fit, until the limit is reached. */
export function makePictureReader(scope: Scope, fits: (picture: Picture) => boolean) {
  let left = maxPictureBytes.all
  return async ({ picture }: Pick<ConversationEntry, 'picture'>): Promise<Picture | null> => {
    if (!picture) return null
    try {
      const { files } = scope.deps
      const size = await files.size(scope.companyId, picture.mediaPath)
      if (size === null || size > maxPictureBytes.one || size > left) return null
      const bytes = await buffer(files.read(scope.companyId, picture.mediaPath))
      const read = { type: (await fileTypeFromBuffer(bytes))?.mime ?? '', bytes }
      if (!fits(read)) return null
      left -= size
      return read
    } catch {
      // The file is missing or invalid: its name is shown instead.
      return null
    }
  }
}
