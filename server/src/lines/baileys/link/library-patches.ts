import { AsyncLocalStorage } from 'node:async_hooks'
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { Curve, generateSignalPubKey } from 'baileys'

type LibsignalCurve = { verifySignature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean }

/**
 * rc14 takes "did not throw" for "is signed", and its libsignal does not throw: any certificate would be accepted as
 * WhatsApp's. This patch checks the returned value.
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

/** Prefixes with which libsignal 6.0.0 prints whole session records, including private keys, or frequent noise. */
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

/** libsignal can only log to the console: output with these prefixes is suppressed. */
function muteKeyLogging(): void {
  for (const level of ['info', 'warn', 'error', 'log'] as const) {
    const original = console[level].bind(console)
    console[level] = (...args: unknown[]) => {
      const [first] = args
      if (typeof first === 'string' && mutedPrefixes.some((words) => first.startsWith(words))) return
      original(...args)
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
 * libsignal serialises work per address, and runs a waiting job in the async context of the previous one: the keys
 * that a message changed would be attributed to another message. This keeps each job's own context.
 */
function bindJobContext(): void {
  const { SessionCipher } = loadLibsignal()
  const { queueJob } = SessionCipher.prototype
  SessionCipher.prototype.queueJob = function (job) {
    return queueJob.call(this, AsyncLocalStorage.bind(job))
  }
}

/**
 * A message that one session cannot decrypt is tried with the next session, and libsignal advances each ratchet before it
 * knows the result: if it were stored like that, the failed session would be broken. This patch restores the session.
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

/**
 * The library encrypts a file into a temporary one, and does not listen to the errors of that stream: a full disk would
 * end the process. Here such an error is kept for whoever waits for the stream, so that only this message fails.
 */
function keepDiskErrors(): void {
  const { createWriteStream } = fs
  fs.createWriteStream = (path, options) => {
    const stream = createWriteStream(path, options)
    if (!/-(enc|original)$/.test(String(path))) return stream
    stream.on('error', () => undefined)
    stream.on('newListener', (event, listener) => {
      if (event === 'error' && stream.errored) process.nextTick(listener, stream.errored)
    })
    return stream
  }
  syncBuiltinESMExports()
}

let isPatched = false
/** Patches library bugs that no option can avoid: once, before the first connection. */
export function patchLibrary(): void {
  if (isPatched) return
  isPatched = true
  patchSignatureCheck()
  muteKeyLogging()
  bindJobContext()
  restoreFailedSessions()
  keepDiskErrors()
}
