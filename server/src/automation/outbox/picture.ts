import { changeContact } from '../../directory/contacts/people.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { dropFiles, fileBehind, storeFile } from '../../kernel/files/media.ts'
import type { ChatId, Line } from '../../lines/line.ts'
import { atMost } from './at-most.ts'

/** A portrait is small; what is not small is none. */
const mostBytes = 1024 * 1024
const images = /^image\/(jpeg|png|webp)$/

/**
 * How somebody looks, kept by ourselves: browsers load pictures from our own origin alone, and a vendor's addresses run
 * out. It is not worth failing for.
 */
export async function takePicture(scope: Scope, line: Line, contactId: number, chat: ChatId): Promise<void> {
  const stream = await line.profilePicture(chat)
  if (!stream) return
  const { files } = scope.means
  const upload = await files.receive(atMost(mostBytes, stream), 'picture.jpg')
  if (!images.test(upload.type)) return files.discard(upload)
  const stored = await storeFile(scope, upload)
  await scope.transaction(async (tx) => {
    const contact = await tx.db
      .selectFrom('contacts')
      .select('profilePicUrl')
      .where('companyId', '=', scope.companyId)
      .where('id', '=', contactId)
      .executeTakeFirst()
    if (!contact) return dropFiles(tx, [stored.mediaPath])
    await changeContact(tx, contactId, { profilePicUrl: `/public/${files.lasting(scope.companyId, stored)}` })
    await dropFiles(tx, [fileBehind(contact.profilePicUrl)])
  })
}
