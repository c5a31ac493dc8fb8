import { type BinaryNode, proto, type WAMessage } from 'baileys'
import type { InboundEvent, LineListener } from '../../line.ts'
import {
  type DecryptedMessage,
  type DecryptResult,
  decryptStanza,
  listCiphertexts,
  type SignalRepository,
} from '../keys/decryption.ts'
import type { KeyRows } from '../keys/key-rows.ts'
import type { KeyChanges, SignalKeys } from '../keys/signal-keys.ts'
import type { MessageInterpreter } from './message-interpreter.ts'
import type { UnreadableGuard } from './unreadable-guard.ts'

type InboundPipelineDeps = {
  keys: SignalKeys
  rows: KeyRows
  listener: LineListener
  interpreter: MessageInterpreter
  unreadable: UnreadableGuard
  logger: Parameters<typeof decryptStanza>[3]
  me(): { id: string; lid: string }
  isIgnored(jid: string): boolean
  /** Called when the database failed: the connection must end before anything more is acknowledged. */
  onDatabaseError(error: unknown): void
}
type PendingPlaintext = PromiseWithResolvers<Uint8Array>
/**
 * What the library does with a message that cannot be decrypted: requests it again, acknowledges it because it is already
 * known, or refuses it.
 */
type UnreadableAnswer = 'request-again' | 'acknowledge' | 'refuse'

/** An empty message, padded as the library expects it. */
const emptyPlaintext = Uint8Array.of(1)
/** The text of the only error after which rc14 does not request a retry. */
const alreadyUsedText = 'Key used already or never filled'

/**
 * Receives messages. The library acknowledges a message when its decryption is done, so we decrypt it first: each message
 * is decrypted on arrival, and its content and the changed keys are journalled in one transaction. Only then the library,
 * which asks for the same plaintext later, gets it.
 *
 * After a crash before the commit, the old keys are still valid, and WhatsApp sends the message again. After a crash
 * following the commit, WhatsApp sends it again as well; it cannot be decrypted twice, but it is already in the journal.
 * While one message is being committed, the next is already decrypted.
 */
export function makeInboundPipeline(deps: InboundPipelineDeps) {
  const { keys, rows, listener, interpreter, logger } = deps
  const pendingPlaintexts = new WeakMap<Uint8Array, PendingPlaintext>()
  const committing = new Set<Promise<void>>()
  let repository: SignalRepository | undefined
  /**
   * Why the connection ends. Later messages were decrypted with key changes that are now lost, so none of them may be
   * stored.
   */
  let failure: { error: unknown } | null = null
  let lastOpening: Promise<void> = Promise.resolve()

  function receive(stanza: BinaryNode): void {
    const ciphertexts = listCiphertexts(stanza)
    if (deps.isIgnored(stanza.attrs.from ?? '') || isBotSecret(stanza)) return
    for (const ciphertext of ciphertexts) {
      const resolveAll = Promise.withResolvers<Uint8Array>()
      // The library may never ask for this plaintext.
      resolveAll.promise.catch(() => {})
      pendingPlaintexts.set(ciphertext, resolveAll)
    }
    lastOpening = lastOpening
      .then(() => decryptAndJournal(stanza))
      .catch((error) => rejectAll(ciphertexts, error))
      .then(yieldToLoop)
  }

  /** From now on nothing is stored or acknowledged: WhatsApp sends it again on the next connection. */
  function fail(error: unknown): void {
    if (failure) return
    failure = { error }
    deps.onDatabaseError(error)
  }

  function rejectAll(ciphertexts: Iterable<Uint8Array>, error: unknown): void {
    for (const ciphertext of ciphertexts) pendingPlaintexts.get(ciphertext)?.reject(error)
  }

  async function decryptAndJournal(stanza: BinaryNode): Promise<void> {
    if (!repository) throw new Error('nothing can be opened yet')
    const signal = repository
    const written = Promise.withResolvers<void>()
    written.promise.catch(() => {})
    const changes: KeyChanges = { rows: [], isCollecting: true, whenWritten: written.promise }
    const opening = () => decryptStanza(stanza, deps.me(), signal, logger)
    let result: DecryptedMessage
    try {
      result = await keys.receive(changes, opening)
    } finally {
      changes.isCollecting = false
    }
    const { events, answer } = await interpret(stanza, result, changes)
    if (failure) throw failure.error
    if (!events.length && !changes.rows.length) return resolveAll(result.results, answer)
    const commit = listener
      .receive(events, { rows: changes.rows, statement: rows.statement })
      .then(() => {
        keys.markWritten(changes)
        written.resolve()
        resolveAll(result.results, answer)
      })
      .catch((error) => {
        fail(error)
        written.reject(error)
        rejectAll(result.results.keys(), error)
      })
      .finally(() => committing.delete(commit))
    committing.add(commit)
  }

  async function interpret(
    stanza: BinaryNode,
    { message, category, results }: DecryptedMessage,
    changes: KeyChanges,
  ): Promise<{ events: InboundEvent[]; answer: UnreadableAnswer }> {
    const isPeer = category === 'peer'
    if (message.messageStubType === proto.WebMessageInfo.StubType.CIPHERTEXT) {
      if (isPeer) return { events: [], answer: 'request-again' }
      if (await interpreter.isKnown(idOf(message))) return { events: [], answer: 'acknowledge' }
      const chat = message.key.remoteJid ?? ''
      const { requestsAgain, showsPlaceholder } = deps.unreadable.judge(chat, message.key.participant ?? chat)
      const events = showsPlaceholder ? await interpreter.interpretUnreadable(message, stanza) : []
      return { events, answer: requestsAgain ? 'request-again' : 'refuse' }
    }
    const events = await interpreter.interpret(message)
    // The message causes no event, so it is marked as handled among the keys, because it may arrive again.
    if (!events.length && !isPeer && results.size) changes.rows.push({ type: 'handled', id: idOf(message), value: '1' })
    return { events, answer: 'request-again' }
  }

  function resolveAll(results: Map<Uint8Array, DecryptResult>, answer: UnreadableAnswer): void {
    for (const [ciphertext, part] of results) {
      const plaintextOf = pendingPlaintexts.get(ciphertext)
      if ('plaintext' in part) plaintextOf?.resolve(part.plaintext)
      else if (answer === 'acknowledge') plaintextOf?.resolve(emptyPlaintext)
      else if (answer === 'refuse') plaintextOf?.reject(new Error(alreadyUsedText))
      else plaintextOf?.reject(part.error.message === alreadyUsedText ? new Error('cannot be opened') : part.error)
    }
  }

  const plaintextOf = (ciphertext: Uint8Array): Promise<Uint8Array> =>
    pendingPlaintexts.get(ciphertext)?.promise ?? Promise.reject(new Error('never received'))

  return {
    receive,
    fail,
    /** Replaces the library's repository: instead of decrypting, it returns our results. */
    wrapRepository(signal: SignalRepository): SignalRepository {
      repository = signal
      return {
        ...signal,
        decryptMessage: ({ ciphertext }) => plaintextOf(ciphertext),
        decryptGroupMessage: ({ msg }) => plaintextOf(msg),
        processSenderKeyDistributionMessage: async () => {},
      }
    },
    /** Resolves when all received messages are journalled or given up. */
    async whenIdle(): Promise<void> {
      await lastOpening
      await Promise.all(committing)
    },
  }
}
export type InboundPipeline = ReturnType<typeof makeInboundPipeline>

/** Whether the library refuses to decrypt this message: a secret between bots. */
const isBotSecret = ({ content }: BinaryNode): boolean =>
  Array.isArray(content) && content.some(({ tag, attrs }) => tag === 'enc' && attrs.type === 'msmsg')

/**
 * Yields to the event loop: with cached keys, decryption never yields, and a thousand messages would block all other
 * work of the process.
 */
const yieldToLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const idOf = (message: WAMessage): string => message.key.id ?? ''
