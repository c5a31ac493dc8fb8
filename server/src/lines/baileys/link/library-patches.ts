import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { Curve, generateSignalPubKey } from 'baileys'

type LibsignalCurve = { verifySignature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean }

/**
 * rc14 takes "did not throw" for "is signed", and its libsignal does not throw: any certificate would pass for
 * WhatsApp's. This asks for the answer itself.
 */
function patchSignatureCheck(): void {
  const requireBeside = createRequire(import.meta.resolve('baileys'))
  const { verifySignature } = requireBeside('libsignal/src/curve.js') as LibsignalCurve
  Curve.verify = (key, message, signature) => {
    try {
      return verifySignature(generateSignalPubKey(key), message, signature)
    } catch {
      return false
    }
  }
}

/** What libsignal 6.0.0 prints whole session records with, private keys and all, or says so often that it is noise. */
const mutedPrefixes = [
  'Closing session',
  'Opening session',
  'Removing old closed session',
  'Session already',
  'Closing open session',
  'Decrypted message with closed session',
  'Migrating session',
  'Failed to decrypt message with any known session',
  'Session error',
  'Unhandled bucket type',
  'Duplicate PreKeyMessage',
  'V1 session storage migration error',
  'WARNING: Expected pubkey of length 33',
]

/** It writes to the console and has no other way: only what begins with its own words is held back. */
function muteKeyLogging(): void {
  for (const level of ['info', 'warn', 'error', 'log'] as const) {
    const original = console[level].bind(console)
    console[level] = (...said: unknown[]) => {
      const [first] = said
      if (typeof first === 'string' && mutedPrefixes.some((words) => first.startsWith(words))) return
      original(...said)
    }
  }
}

type SessionEntry = { serialize(): unknown; constructor: { deserialize(kept: unknown): object } }
type Libsignal = {
  SessionCipher: {
    prototype: {
      queueJob(this: unknown, job: () => Promise<unknown>): Promise<unknown>
      doDecryptWhisperMessage(this: unknown, message: Buffer, session: SessionEntry): Promise<Buffer>
    }
  }
}
const loadLibsignal = () => createRequire(import.meta.resolve('baileys'))('libsignal') as Libsignal

/**
 * libsignal lets one after the other use an address, and runs who waited in the name of who was there before: the keys
 * that a received message changed would be counted as another's. Everyone keeps their own name.
 */
function bindJobContext(): void {
  const { SessionCipher } = loadLibsignal()
  const { queueJob } = SessionCipher.prototype
  SessionCipher.prototype.queueJob = function (job) {
    return queueJob.call(this, AsyncLocalStorage.bind(job))
  }
}

/**
 * A message that one session cannot open is tried with the next, and libsignal steps each one's ratchet before it
 * knows: kept so, what failed is no session any more. It is put back as it was.
 */
function restoreFailedSessions(): void {
  const { SessionCipher } = loadLibsignal()
  const { doDecryptWhisperMessage } = SessionCipher.prototype
  SessionCipher.prototype.doDecryptWhisperMessage = async function (message, session) {
    const before = session.serialize()
    try {
      return await doDecryptWhisperMessage.call(this, message, session)
    } catch (error) {
      Object.assign(session, session.constructor.deserialize(before))
      throw error
    }
  }
}

let isPatched = false
/** What the library does wrong and cannot be told otherwise: once, before the first connection. */
export function patchLibrary(): void {
  if (isPatched) return
  isPatched = true
  patchSignatureCheck()
  muteKeyLogging()
  bindJobContext()
  restoreFailedSessions()
}
