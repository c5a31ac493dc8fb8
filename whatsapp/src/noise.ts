import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  hkdf,
  type KeyPair,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
  sha256,
} from 'baileys'

const EMPTY = Buffer.alloc(0)

function iv(counter: number): Buffer {
  const out = Buffer.alloc(12)
  out.writeUInt32BE(counter, 8)
  return out
}

/**
 * The server's side of Noise_XX_25519_AESGCM_SHA256 as WhatsApp Web implements it.
 *
 *   -> e                      clientHello  { ephemeral }
 *   <- e, ee, s, es           serverHello  { ephemeral, static (sealed), payload (sealed): CertChain }
 *   -> s, se                  clientFinish { static (sealed), payload (sealed): ClientPayload }
 *
 * The prologue is the 4-byte header `WA` 6 <dictionary version>.
 */
export class NoiseResponder {
  readonly #static: KeyPair
  readonly #certChain: Uint8Array
  readonly #ephemeral: KeyPair = Curve.generateKeyPair()
  #hash: Buffer = Buffer.from(NOISE_MODE)
  #salt: Buffer = this.#hash
  #key: Buffer = this.#hash
  #counter = 0
  #transport: { readKey: Buffer; writeKey: Buffer; reads: number; writes: number } | undefined

  constructor(staticKey: KeyPair, certChain: Uint8Array) {
    this.#static = staticKey
    this.#certChain = certChain
    this.#mixHash(NOISE_WA_HEADER)
  }

  /** Consumes clientHello and returns the encoded serverHello. */
  respond(clientHelloFrame: Uint8Array): Uint8Array {
    const { clientHello } = proto.HandshakeMessage.decode(clientHelloFrame)
    if (!clientHello?.ephemeral) throw new Error('clientHello without ephemeral key')
    this.#mixHash(clientHello.ephemeral)
    this.#mixHash(this.#ephemeral.public)
    this.#mixKey(Curve.sharedKey(this.#ephemeral.private, clientHello.ephemeral))
    const encryptedStatic = this.#encryptAndHash(this.#static.public)
    this.#mixKey(Curve.sharedKey(this.#static.private, clientHello.ephemeral))
    const payload = this.#encryptAndHash(this.#certChain)
    return proto.HandshakeMessage.encode({
      serverHello: { ephemeral: this.#ephemeral.public, static: encryptedStatic, payload },
    }).finish()
  }

  /** Consumes clientFinish, switches to transport mode, and returns the client's key and payload. */
  finish(clientFinishFrame: Uint8Array): { clientStatic: Buffer; payload: proto.ClientPayload } {
    const { clientFinish } = proto.HandshakeMessage.decode(clientFinishFrame)
    if (!clientFinish?.static || !clientFinish.payload) throw new Error('incomplete clientFinish')
    const clientStatic = this.#decryptAndHash(clientFinish.static)
    this.#mixKey(Curve.sharedKey(this.#ephemeral.private, clientStatic))
    const payload = proto.ClientPayload.decode(this.#decryptAndHash(clientFinish.payload))
    const [readKey, writeKey] = this.#hkdf(EMPTY)
    this.#transport = { readKey, writeKey, reads: 0, writes: 0 }
    return { clientStatic, payload }
  }

  encrypt(plaintext: Uint8Array): Buffer {
    const t = this.#requireTransport()
    return aesEncryptGCM(plaintext, t.writeKey, iv(t.writes++), EMPTY)
  }

  decrypt(ciphertext: Uint8Array): Buffer {
    const t = this.#requireTransport()
    return aesDecryptGCM(ciphertext, t.readKey, iv(t.reads++), EMPTY)
  }

  #requireTransport() {
    if (!this.#transport) throw new Error('noise handshake not finished')
    return this.#transport
  }

  #mixHash(data: Uint8Array): void {
    this.#hash = sha256(Buffer.concat([this.#hash, data]))
  }

  #hkdf(input: Uint8Array): [Buffer, Buffer] {
    const out = Buffer.from(hkdf(input, 64, { salt: this.#salt, info: '' }))
    return [out.subarray(0, 32), out.subarray(32)]
  }

  #mixKey(input: Uint8Array): void {
    ;[this.#salt, this.#key] = this.#hkdf(input)
    this.#counter = 0
  }

  #encryptAndHash(plaintext: Uint8Array): Buffer {
    const ciphertext = aesEncryptGCM(plaintext, this.#key, iv(this.#counter++), this.#hash)
    this.#mixHash(ciphertext)
    return ciphertext
  }

  #decryptAndHash(ciphertext: Uint8Array): Buffer {
    const plaintext = aesDecryptGCM(ciphertext, this.#key, iv(this.#counter++), this.#hash)
    this.#mixHash(ciphertext)
    return plaintext
  }
}
