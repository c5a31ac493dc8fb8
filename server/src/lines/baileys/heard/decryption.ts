import {
  type BinaryNode,
  decryptMessageNode,
  jidDecode,
  type SocketConfig,
  type WAMessage,
  type WAMessageKey,
} from 'baileys'

export type Repository = ReturnType<SocketConfig['makeSignalRepository']>
type Me = { id: string; lid: string }
/** What became of one ciphertext. */
export type Opened = { plaintext: Uint8Array } | { error: Error }
export type Decrypted = { message: WAMessage; category: string | undefined; opened: Map<Uint8Array, Opened> }

export const ciphertextsOf = (stanza: BinaryNode): Uint8Array[] =>
  Array.isArray(stanza.content)
    ? stanza.content.flatMap(({ tag, content }) => (tag === 'enc' && content instanceof Uint8Array ? [content] : []))
    : []

/** Opens one message as the library itself would, and keeps what came out of each of its parts. */
export async function decrypt(
  stanza: BinaryNode,
  me: Me,
  repository: Repository,
  logger: Parameters<typeof decryptMessageNode>[4],
): Promise<Decrypted> {
  const opened: Decrypted['opened'] = new Map()
  const noting = async (ciphertext: Uint8Array, work: Promise<Uint8Array>): Promise<Uint8Array> => {
    try {
      const plaintext = await work
      opened.set(ciphertext, { plaintext })
      return plaintext
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      opened.set(ciphertext, { error })
      throw error
    }
  }
  const watched: Repository = {
    ...repository,
    decryptMessage: (given) => noting(given.ciphertext, repository.decryptMessage(given)),
    decryptGroupMessage: (given) => noting(given.msg, repository.decryptGroupMessage(given)),
  }
  const { fullMessage, category, decrypt: open } = decryptMessageNode(stanza, me.id, me.lid, watched, logger)
  await learnAddresses(fullMessage.key, repository)
  await open()
  return { message: fullMessage, category, opened }
}

/** The same person's two addresses: a session that was begun under the number goes on under the hidden id. */
async function learnAddresses(key: WAMessageKey, { lidMapping, migrateSession }: Repository): Promise<void> {
  const alt = key.participantAlt ?? key.remoteJidAlt
  const primary = key.participant ?? key.remoteJid
  if (!alt || !primary) return
  const [lid, pn] = jidDecode(alt)?.server === 'lid' ? [alt, primary] : [primary, alt]
  await lidMapping.storeLIDPNMappings([{ lid, pn }])
  await migrateSession(pn, lid)
}
