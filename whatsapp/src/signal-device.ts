import { randomInt } from 'node:crypto'
import { Curve, generateSignalPubKey, type KeyPair, signedKeyPair } from 'baileys'
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyDistributionMessage,
  SenderKeyName,
  SenderKeyRecord,
} from 'baileys/lib/Signal/Group/index.js'
import * as libsignal from 'libsignal'

/** The keys a device publishes so that others can start a session with it. */
export type PreKeyBundle = {
  registrationId: number
  /** The public identity key: 32 bytes, without the leading type byte. */
  identity: Uint8Array
  signedPreKey: { id: number; publicKey: Uint8Array; signature: Uint8Array }
  preKey?: { id: number; publicKey: Uint8Array }
}

export type CiphertextType = 'pkmsg' | 'msg'

const OWN = 'self.0'

let instances = 0

type Session = { serialize(): unknown; constructor: { deserialize(kept: unknown): object } }
type DecryptPrototype = { doDecryptWhisperMessage(message: Buffer, session: Session): Promise<Buffer> }
const { doDecryptWhisperMessage } = libsignal.SessionCipher.prototype as unknown as DecryptPrototype

/**
 * A phone keeps its session unchanged when decryption fails; libsignal advances the ratchet first, so this class
 * restores it.
 */
class Cipher extends libsignal.SessionCipher {
  async doDecryptWhisperMessage(message: Buffer, session: Session): Promise<Buffer> {
    const before = session.serialize()
    try {
      return await doDecryptWhisperMessage.call(this as unknown as DecryptPrototype, message, session)
    } catch (error) {
      Object.assign(session, session.constructor.deserialize(before))
      throw error
    }
  }
}

/** A device with its Signal keys in memory, using the same library as the client. */
export class SignalDevice {
  /** A prefix for addresses that separates devices: libsignal queues work by the name of an address, per process. */
  readonly #prefix = `local${++instances}-`
  readonly registrationId = randomInt(1, 16380)
  readonly identity: KeyPair = Curve.generateKeyPair()
  readonly #signedPreKey = signedKeyPair(this.identity, 1)
  readonly #preKeys = new Map<number, KeyPair>()
  readonly #sessions = new Map<string, libsignal.SessionRecord>()
  #nextPreKeyId = 1

  /** A bundle with a fresh one-time pre-key. */
  publish(): PreKeyBundle {
    const id = this.#nextPreKeyId++
    const preKey = Curve.generateKeyPair()
    this.#preKeys.set(id, preKey)
    return {
      registrationId: this.registrationId,
      identity: this.identity.public,
      signedPreKey: {
        id: this.#signedPreKey.keyId,
        publicKey: this.#signedPreKey.keyPair.public,
        signature: this.#signedPreKey.signature,
      },
      preKey: { id, publicKey: preKey.public },
    }
  }

  hasSession(address: string): boolean {
    return this.#sessions.get(this.#address(address).toString())?.haveOpenSession() ?? false
  }

  forgetSession(address: string): void {
    this.#sessions.delete(this.#address(address).toString())
  }

  async startSession(address: string, bundle: PreKeyBundle): Promise<void> {
    const { signedPreKey, preKey } = bundle
    const device = {
      registrationId: bundle.registrationId,
      identityKey: generateSignalPubKey(bundle.identity),
      signedPreKey: {
        keyId: signedPreKey.id,
        publicKey: generateSignalPubKey(signedPreKey.publicKey),
        signature: signedPreKey.signature,
      },
      ...(preKey && {
        preKey: { keyId: preKey.id, publicKey: generateSignalPubKey(preKey.publicKey) },
      }),
    }
    const builder = new libsignal.SessionBuilder(this.#storage, this.#address(address))
    // libsignal accepts a missing one-time pre-key, although its .d.ts does not say so.
    await builder.initOutgoing(device as Parameters<typeof builder.initOutgoing>[0])
  }

  async encrypt(address: string, plaintext: Uint8Array): Promise<{ type: CiphertextType; ciphertext: Buffer }> {
    const cipher = new Cipher(this.#storage, this.#address(address))
    const { type, body } = await cipher.encrypt(plaintext)
    return { type: type === 3 ? 'pkmsg' : 'msg', ciphertext: Buffer.from(body as string, 'binary') }
  }

  async decrypt(address: string, type: CiphertextType, ciphertext: Uint8Array): Promise<Buffer> {
    const cipher = new Cipher(this.#storage, this.#address(address))
    return type === 'pkmsg' ? cipher.decryptPreKeyWhisperMessage(ciphertext) : cipher.decryptWhisperMessage(ciphertext)
  }

  async encryptForGroup(
    groupJid: string,
    plaintext: Uint8Array,
  ): Promise<{ ciphertext: Uint8Array; distribution: Uint8Array }> {
    const name = this.#senderKeyName(groupJid, OWN)
    const distribution = (await new GroupSessionBuilder(this.#senderKeys).create(name)).serialize()
    return { distribution, ciphertext: await new GroupCipher(this.#senderKeys, name).encrypt(plaintext) }
  }

  async acceptSenderKey(groupJid: string, sender: string, distribution: Uint8Array): Promise<void> {
    const message = new SenderKeyDistributionMessage(null, null, null, null, distribution)
    await new GroupSessionBuilder(this.#senderKeys).process(this.#senderKeyName(groupJid, sender), message)
  }

  async decryptFromGroup(groupJid: string, sender: string, ciphertext: Uint8Array): Promise<Uint8Array> {
    return new GroupCipher(this.#senderKeys, this.#senderKeyName(groupJid, sender)).decrypt(ciphertext)
  }

  #senderKeyName(groupJid: string, sender: string): SenderKeyName {
    return new SenderKeyName(groupJid, this.#address(sender))
  }

  readonly #senderKeyRecords = new Map<string, SenderKeyRecord>()
  readonly #senderKeys = {
    loadSenderKey: async (name: SenderKeyName) => this.#senderKeyRecords.get(name.toString()) ?? new SenderKeyRecord(),
    storeSenderKey: async (name: SenderKeyName, record: SenderKeyRecord) =>
      void this.#senderKeyRecords.set(name.toString(), record),
  }

  /** `address` has the form "<account>.<device>". */
  #address(address: string): libsignal.ProtocolAddress {
    const dot = address.lastIndexOf('.')
    return new libsignal.ProtocolAddress(this.#prefix + address.slice(0, dot), Number(address.slice(dot + 1)))
  }

  readonly #storage: libsignal.SignalStorage = {
    loadSession: async (id) => this.#sessions.get(id),
    storeSession: async (id, session) => void this.#sessions.set(id, session),
    isTrustedIdentity: () => true,
    loadPreKey: async (id) => {
      const key = this.#preKeys.get(Number(id))
      return key && toSignalPair(key)
    },
    removePreKey: (id) => void this.#preKeys.delete(Number(id)),
    loadSignedPreKey: () => toSignalPair(this.#signedPreKey.keyPair),
    getOurRegistrationId: () => this.registrationId,
    getOurIdentity: () => toSignalPair(this.identity),
  }
}

function toSignalPair(pair: KeyPair): { privKey: Buffer; pubKey: Buffer } {
  return { privKey: Buffer.from(pair.private), pubKey: Buffer.from(generateSignalPubKey(pair.public)) }
}
