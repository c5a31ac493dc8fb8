import { updateContactRow } from '../../directory/contacts/contact-store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { fileNameInUrl, scheduleFileRemoval, storeFile } from '../../kernel/files/media.ts'
import type { ChatId, Line } from '../../lines/line.ts'
import { limitStreamSize } from './limit-stream.ts'

/** Profile pictures are small; larger files are refused. */
const maxPictureBytes = 1024 * 1024
const supportedImages = /^image\/(jpeg|png|webp)$/

/**
 * Stores a profile picture on this server: browsers load pictures only from our own origin, and a vendor's URLs expire. A
 * failure is ignored.
 */
export async function fetchProfilePicture(scope: Scope, line: Line, contactId: number, chat: ChatId): Promise<void> {
  const stream = await line.profilePicture(chat)
  if (!stream) return
  const { files } = scope.deps
  const upload = await files.receive(limitStreamSize(maxPictureBytes, stream), 'picture.jpg')
  if (!supportedImages.test(upload.type)) return files.discard(upload)
  const stored = await storeFile(scope, upload)
  await scope.transaction(async (tx) => {
    const contact = await tx.db
      .selectFrom('contacts')
      .select('profilePicUrl')
      .where('companyId', '=', scope.companyId)
      .where('id', '=', contactId)
      .executeTakeFirst()
    if (!contact) return scheduleFileRemoval(tx, [stored.mediaPath])
    await updateContactRow(tx, contactId, { profilePicUrl: `/public/${files.permanentPath(scope.companyId, stored)}` })
    await scheduleFileRemoval(tx, [fileNameInUrl(contact.profilePicUrl)])
  })
}
