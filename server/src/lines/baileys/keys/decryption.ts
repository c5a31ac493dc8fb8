import {
  type BinaryNode,
  decryptMessageNode,
  jidDecode,
  type SocketConfig,
  type WAMessage,
  type WAMessageKey,
} from 'baileys'

export type SignalRepository = ReturnType<SocketConfig['makeSignalRepository']>
type Me = { id: string; lid: string }
/** The result of decrypting one ciphertext. */
export type DecryptResult = { plaintext: Uint8Array } | { error: Error }
export type DecryptedMessage = {
  message: WAMessage
  category: string | undefined
  results: Map<Uint8Array, DecryptResult>
}

export const listCiphertexts = (stanza: BinaryNode): Uint8Array[] =>
  Array.isArray(stanza.content)
    ? stanza.content.flatMap(({ tag, content }) => (tag === 'enc' && content instanceof Uint8Array ? [content] : []))
    : []

/** Decrypts one message as the library would, and stores the result of each of its parts. */
export async function decryptStanza(
  stanza: BinaryNode,
  me: Me,
  repository: SignalRepository,
  logger: Parameters<typeof decryptMessageNode>[4],
): Promise<DecryptedMessage> {
  const results: DecryptedMessage['results'] = new Map()
  const recordResult = async (ciphertext: Uint8Array, work: Promise<Uint8Array>): Promise<Uint8Array> => {
    try {
      const plaintext = await work
      results.set(ciphertext, { plaintext })
      return plaintext
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      results.set(ciphertext, { error })
      throw error
    }
  }
  const recordingRepository: SignalRepository = {
    ...repository,
    decryptMessage: (args) => recordResult(args.ciphertext, repository.decryptMessage(args)),
    decryptGroupMessage: (args) => recordResult(args.msg, repository.decryptGroupMessage(args)),
  }
  const {
    fullMessage,
    category,
    decrypt: open,
  } = decryptMessageNode(stanza, me.id, me.lid, recordingRepository, logger)
  await learnAddresses(fullMessage.key, repository)
  await open()
  return { message: fullMessage, category, results: results }
}

/** Links the two addresses of a person: a session that began under the number continues under the hidden id. */
async function learnAddresses(key: WAMessageKey, { lidMapping, migrateSession }: SignalRepository): Promise<void> {
  const alt = key.participantAlt ?? key.remoteJidAlt
  const primary = key.participant ?? key.remoteJid
  if (!alt || !primary) return
  const [lid, pn] = jidDecode(alt)?.server === 'lid' ? [alt, primary] : [primary, alt]
  await lidMapping.storeLIDPNMappings([{ lid, pn }])
  await migrateSession(pn, lid)
}
