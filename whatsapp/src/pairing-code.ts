import { randomBytes } from 'node:crypto'
import {
  aesDecryptCTR,
  aesDecryptGCM,
  aesEncryptCTR,
  type BinaryNode,
  Curve,
  derivePairingCodeKey,
  hkdf,
  type KeyPair,
} from 'baileys'
import { childNode, createNode, nodeBytes } from './nodes.ts'

const EMPTY = Buffer.alloc(0)

export type CompanionHello = {
  phoneJid: string
  ref: Buffer
  /** The encrypted ephemeral key: salt (32 bytes), iv (16) and ciphertext (32). */
  wrappedEphemeral: Buffer
}

/**
 * The phone's side of linking by an eight-character code ("link with phone number instead").
 *
 *   companion -> service    companion_hello    its ephemeral key, encrypted under the code
 *   phone     -> companion  primary_hello      the phone's ephemeral key, encrypted under the code
 *   companion -> phone      companion_finish   both identity keys, sealed with the shared secret
 *
 * Both sides then have the secret that a QR would have carried, and continue as after a scan.
 */
export class PairingCodeExchange {
  readonly #hello: CompanionHello
  readonly #identity: KeyPair
  readonly #ephemeral = Curve.generateKeyPair()
  #companionEphemeral: Buffer | undefined

  constructor(hello: CompanionHello, phoneIdentity: KeyPair) {
    this.#hello = hello
    this.#identity = phoneIdentity
  }

  /** The owner typed the code: returns the children of `<link_code_companion_reg>`. */
  async primaryHello(code: string): Promise<BinaryNode[]> {
    const wrapped = this.#hello.wrappedEphemeral
    const companionKey = await derivePairingCodeKey(code, wrapped.subarray(0, 32))
    this.#companionEphemeral = aesDecryptCTR(wrapped.subarray(48), companionKey, wrapped.subarray(32, 48))
    const [salt, iv] = [randomBytes(32), randomBytes(16)]
    const ownKey = await derivePairingCodeKey(code, salt)
    const ownWrapped = Buffer.concat([salt, iv, aesEncryptCTR(this.#ephemeral.public, ownKey, iv)])
    return [
      createNode('link_code_pairing_ref', {}, this.#hello.ref),
      createNode('primary_identity_pub', {}, this.#identity.public),
      createNode('link_code_pairing_wrapped_primary_ephemeral_pub', {}, ownWrapped),
    ]
  }

  /** Opens companion_finish, and returns the secret that seals the device identity. */
  advSecret(finish: BinaryNode): Buffer {
    if (!this.#companionEphemeral) throw new Error('no code was entered yet')
    const shared = Curve.sharedKey(this.#ephemeral.private, this.#companionEphemeral)
    const bundle = nodeBytes(childNode(finish, 'link_code_pairing_wrapped_key_bundle'))
    const key = hkdf(shared, 32, {
      salt: bundle.subarray(0, 32),
      info: 'link_code_pairing_key_bundle_encryption_key',
    })
    const decrypted = aesDecryptGCM(bundle.subarray(44), key, bundle.subarray(32, 44), EMPTY)
    const [companionIdentity, phoneIdentity, random] = [
      decrypted.subarray(0, 32),
      decrypted.subarray(32, 64),
      decrypted.subarray(64),
    ]
    if (!phoneIdentity.equals(this.#identity.public)) throw new Error('companion saw another phone identity')
    const identityShared = Curve.sharedKey(this.#identity.private, companionIdentity)
    return Buffer.from(hkdf(Buffer.concat([shared, identityShared, random]), 32, { info: 'adv_secret' }))
  }
}
