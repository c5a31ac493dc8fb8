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

type InboundPipelineDeps = {
  keys: SignalKeys
  rows: KeyRows
  listener: LineListener
  interpreter: MessageInterpreter
  logger: Parameters<typeof decryptStanza>[3]
  me(): { id: string; lid: string }
  isIgnored(jid: string): boolean
  /** Journalling failed: the connection must end before anything more is acknowledged. */
  onJournalError(error: unknown): void
}
type PendingPlaintext = PromiseWithResolvers<Uint8Array>

/** An empty message, padded as the library expects it. */
const emptyPlaintext = Uint8Array.of(1)
/** rc14 does not request a retry for this error message; any other makes it do so. */
const alreadyUsedText = 'Key used already or never filled'

/**
 * Receives messages. The library acknowledges a message when its decryption is done, so the decryption is done
 * here: each message is decrypted on arrival, and its content and the changed keys are journalled in one
 * transaction. Only then the library, which asks for the same plaintext in its own time, gets it.
 *
 * A crash before the commit: the keys are the old ones, and WhatsApp sends it again. A crash after it: it comes
 * again and cannot be decrypted twice, but it is known. While one is being committed, the next is already
 * decrypted.
 */
export function makeInboundPipeline(given: InboundPipelineDeps) {
  const { keys, rows, listener: ears, interpreter: understanding, logger } = given
  const waiting = new WeakMap<Uint8Array, PendingPlaintext>()
  const committing = new Set<Promise<void>>()
  let repository: SignalRepository | undefined
  /** Why the connection ends. Messages decrypted after that build on lost key changes: none of them may be stored. */
  let lost: { error: unknown } | null = null
  let turn: Promise<void> = Promise.resolve()

  function receive(stanza: BinaryNode): void {
    const ciphertexts = listCiphertexts(stanza)
    if (given.isIgnored(stanza.attrs.from ?? '') || isBotSecret(stanza)) return
    for (const ciphertext of ciphertexts) {
      const answer = Promise.withResolvers<Uint8Array>()
      // The library may never ask for it.
      answer.promise.catch(() => {})
      waiting.set(ciphertext, answer)
    }
    turn = turn
      .then(() => open(stanza))
      .catch((error) => refuse(ciphertexts, error))
      .then(yieldToLoop)
  }

  function refuse(ciphertexts: Iterable<Uint8Array>, error: unknown): void {
    for (const ciphertext of ciphertexts) waiting.get(ciphertext)?.reject(error)
  }

  async function open(stanza: BinaryNode): Promise<void> {
    if (!repository) throw new Error('nothing can be opened yet')
    const signal = repository
    const written = Promise.withResolvers<void>()
    written.promise.catch(() => {})
    const changes: KeyChanges = { rows: [], isCollecting: true, whenWritten: written.promise }
    const opening = () => decryptStanza(stanza, given.me(), signal, logger)
    let result: DecryptedMessage
    try {
      result = await keys.receive(changes, opening)
    } finally {
      changes.isCollecting = false
    }
    const { events, isKnown } = await understand(stanza, result, changes)
    if (lost) throw lost.error
    if (!events.length && !changes.rows.length) return answer(result.results, isKnown)
    const commit = ears
      .receive(events, { rows: changes.rows, statement: rows.statement })
      .then(() => {
        keys.markWritten(changes)
        written.resolve()
        answer(result.results, isKnown)
      })
      .catch((error) => {
        lost ??= { error }
        given.onJournalError(error)
        written.reject(error)
        refuse(result.results.keys(), error)
      })
      .finally(() => committing.delete(commit))
    committing.add(commit)
  }

  async function understand(
    stanza: BinaryNode,
    { message, category, results: opened }: DecryptedMessage,
    changes: KeyChanges,
  ): Promise<{ events: InboundEvent[]; isKnown: boolean }> {
    const isPeer = category === 'peer'
    if (message.messageStubType === proto.WebMessageInfo.StubType.CIPHERTEXT) {
      if (isPeer) return { events: [], isKnown: false }
      if (await understanding.isKnown(idOf(message))) return { events: [], isKnown: true }
      return { events: await understanding.interpretUnreadable(message, stanza), isKnown: false }
    }
    const events = await understanding.interpret(message)
    // Nothing to journal: it is marked as handled among the keys, because it may arrive again.
    if (!events.length && !isPeer && opened.size) changes.rows.push({ type: 'handled', id: idOf(message), value: '1' })
    return { events, isKnown: false }
  }

  function answer(opened: Map<Uint8Array, DecryptResult>, isKnown: boolean): void {
    for (const [ciphertext, part] of opened) {
      const asked = waiting.get(ciphertext)
      if ('plaintext' in part) asked?.resolve(part.plaintext)
      else if (isKnown) asked?.resolve(emptyPlaintext)
      else asked?.reject(part.error.message === alreadyUsedText ? new Error('cannot be opened') : part.error)
    }
  }

  const asked = (ciphertext: Uint8Array): Promise<Uint8Array> =>
    waiting.get(ciphertext)?.promise ?? Promise.reject(new Error('never received'))

  return {
    receive,
    /** Replaces the library's own repository: it does not decrypt, it returns our results. */
    wrapRepository(signal: SignalRepository): SignalRepository {
      repository = signal
      return {
        ...signal,
        decryptMessage: ({ ciphertext }) => asked(ciphertext),
        decryptGroupMessage: ({ msg }) => asked(msg),
        processSenderKeyDistributionMessage: async () => {},
      }
    },
    /** Resolves when everything that arrived is journalled or given up. */
    async whenIdle(): Promise<void> {
      await turn
      await Promise.all(committing)
    },
  }
}
export type InboundPipeline = ReturnType<typeof makeInboundPipeline>

/** What the library refuses to decrypt: secrets between bots. */
const isBotSecret = ({ content }: BinaryNode): boolean =>
  Array.isArray(content) && content.some(({ tag, attrs }) => tag === 'enc' && attrs.type === 'msmsg')

/** With cached keys decryption never yields: a thousand messages would block everything else in the process. */
const yieldToLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const idOf = (message: WAMessage): string => message.key.id ?? ''
