import { createHash, randomBytes, verify } from 'node:crypto'
import { aesDecryptGCM, type BinaryNode, bytesToCrockford, Curve, hkdf, proto } from 'baileys'
import { notificationStanza } from './account-notifications.ts'
import type { AccountPasskey } from './accounts.ts'
import { childNode, createNode, nodeBytes, SERVER_JID } from './nodes.ts'

/** The keys that a companion sends to the phone, encrypted. */
export type CompanionKeys = { noiseKey: Buffer; identity: Buffer; advSecret: Buffer }

type Prologue = { identity: Buffer; publicKey: Uint8Array; deviceType: number; commitment: Buffer }

const RP_ID = 'whatsapp.com'
const ORIGIN = 'https://web.whatsapp.com'
/** Flags of the authenticator data: the owner was present and was verified. */
const PRESENT_AND_VERIFIED = 0b101
const EMPTY = Buffer.alloc(0)

/**
 * WhatsApp's and the phone's side of linking with a passkey. Each request of the companion is checked; the first wrong
 * one is refused and ends the exchange.
 *
 *   service   -> companion  passkey_prologue_request    a WebAuthn challenge
 *   companion -> service    passkey_prologue            the signature, an ephemeral key, a commitment to a nonce
 *   phone     -> companion  crsc_continuation           the phone's ephemeral key and nonce
 *   companion -> phone      companion_nonce             opens the commitment; both sides now show the same code
 *   companion -> phone      encrypted_pairing_request   the companion's keys and its new ADV secret
 */
export class PasskeyExchange {
  readonly #passkey: AccountPasskey
  readonly #send: (stanza: BinaryNode) => void
  readonly #onCode: (code: string) => void
  readonly #challenge = randomBytes(32).toString('base64url')
  readonly #ref = `3@${randomBytes(30).toString('base64url')}`
  readonly #ephemeral = Curve.generateKeyPair()
  readonly #nonce = randomBytes(32)
  readonly #acknowledged = new Set<string>()
  readonly #result = Promise.withResolvers<CompanionKeys>()
  #prologue: Prologue | undefined
  #isNonceOpen = false

  constructor(passkey: AccountPasskey, send: (stanza: BinaryNode) => void, onCode: (code: string) => void) {
    this.#passkey = passkey
    this.#send = send
    this.#onCode = onCode
    // A companion may leave before anybody waits for the result.
    this.#result.promise.catch(() => {})
  }

  /** Resolves with the keys that the companion sent to the phone. */
  get companionKeys(): Promise<CompanionKeys> {
    return this.#result.promise
  }

  /** WhatsApp requests a passkey of the account, and sends nothing else until it has the signature. */
  begin({ withOptions }: { withOptions: boolean }): void {
    const content = withOptions ? [this.#optionsNode()] : []
    this.#send(notificationStanza(SERVER_JID, 'passkey_prologue_request', content))
  }

  /** The companion's connection has ended. */
  abandon(): void {
    this.#result.reject(new Error('the client left without the passkey'))
  }

  onAck(ack: BinaryNode): void {
    if (ack.attrs.class === 'notification') this.#acknowledged.add(ack.attrs.type ?? '')
  }

  /** Handles a request of the companion; false if it does not belong to this exchange. */
  onIq(iq: BinaryNode): boolean {
    const step = this.#stepFor(iq)
    if (!step) return false
    try {
      const content = step()
      this.#send(createNode('iq', { id: iq.attrs.id, from: SERVER_JID, type: 'result' }, content && [content]))
      this.#afterReply(iq)
    } catch (error) {
      const refusal = createNode('error', { code: 400, text: 'bad-request' })
      this.#send(createNode('iq', { id: iq.attrs.id, from: SERVER_JID, type: 'error' }, [refusal]))
      this.#result.reject(error)
    }
    return true
  }

  #stepFor(iq: BinaryNode): (() => BinaryNode | undefined) | undefined {
    const isGet = iq.attrs.type === 'get'
    if (isGet && childNode(iq, 'ref')) return () => createNode('ref', {}, Buffer.from(this.#ref))
    if (isGet && childNode(iq, 'passkey_request_options')) return () => this.#optionsNode()
    const prologue = childNode(iq, 'passkey_prologue')
    if (prologue) return () => this.#receivePrologue(prologue)
    const nonce = childNode(iq, 'companion_nonce')
    if (nonce) return () => this.#receiveNonce(nodeBytes(nonce))
    const pairing = childNode(iq, 'encrypted_pairing_request')
    if (pairing) return () => this.#receivePairing(nodeBytes(pairing))
  }

  #optionsNode(): BinaryNode {
    const options = {
      ...{ challenge: this.#challenge, timeout: 600_000, rpId: RP_ID, allowCredentials: [] },
      ...{ userVerification: 'required', extensions: { uvm: true } },
    }
    return createNode('passkey_request_options', {}, Buffer.from(JSON.stringify(options)))
  }

  #receivePrologue(node: BinaryNode): undefined {
    assert(this.#acknowledged.has('passkey_prologue_request'), 'the request for a passkey was not acknowledged')
    assert(!this.#prologue, 'the companion sent two signatures')
    // Such a proof is for a companion that is linked again, and would skip the comparison of codes.
    assert(!childNode(node, 'pairing_handoff_proof'), 'a new companion has no earlier link')
    const credentialId = nodeBytes(childNode(node, 'credential_id'))
    assert(credentialId.equals(this.#passkey.credentialId), 'this is another passkey')
    this.#checkAssertion(nodeBytes(childNode(node, 'webauthn_assertion')), credentialId)
    const payload = proto.ProloguePayload.decode(nodeBytes(childNode(node, 'prologue_payload')))
    const identity = Buffer.from(payload.companionEphemeralIdentity ?? EMPTY)
    const { publicKey, deviceType, ref } = proto.CompanionEphemeralIdentity.decode(identity)
    const commitment = Buffer.from(payload.commitment?.hash ?? EMPTY)
    assert(publicKey?.length === 32 && commitment.length === 32, 'the key or the commitment has another length')
    assert(ref === this.#ref, 'the companion used another reference')
    this.#prologue = { identity, publicKey, deviceType: deviceType ?? 0, commitment }
  }

  #checkAssertion(json: Buffer, credentialId: Buffer): void {
    const { id, rawId, type, response } = JSON.parse(json.toString('utf8'))
    assert(id === credentialId.toString('base64url') && rawId === id, 'the signature names another passkey')
    assert(type === 'public-key', 'the signature is not of a passkey')
    const clientData = fromBase64Url(response.clientDataJSON)
    const authenticatorData = fromBase64Url(response.authenticatorData)
    const { challenge, origin, type: purpose } = JSON.parse(clientData.toString('utf8'))
    assert(challenge === this.#challenge, 'another challenge was signed')
    assert(origin === ORIGIN && purpose === 'webauthn.get', 'another page signed it')
    assert(authenticatorData.subarray(0, 32).equals(sha256(Buffer.from(RP_ID))), 'it was signed for another site')
    const flags = authenticatorData[32] ?? 0
    assert((flags & PRESENT_AND_VERIFIED) === PRESENT_AND_VERIFIED, 'the owner of the passkey was not verified')
    const signedBytes = Buffer.concat([authenticatorData, sha256(clientData)])
    const isSigned = verify('sha256', signedBytes, this.#passkey.publicKey, fromBase64Url(response.signature))
    assert(isSigned, 'the signature is wrong')
  }

  #receiveNonce(nonce: Buffer): undefined {
    const { identity, commitment } = this.#requirePrologue()
    assert(this.#acknowledged.has('crsc_continuation'), "the phone's key was not acknowledged")
    assert(sha256(identity, nonce).equals(commitment), 'the nonce is not the one that the companion had committed to')
    this.#isNonceOpen = true
    const digest = sha256(nonce, Buffer.from(this.#ephemeral.public))
    const code = bytesToCrockford(Buffer.from(digest.subarray(0, 5).map((byte, i) => byte ^ (this.#nonce[i] ?? 0))))
    this.#onCode(`${code.slice(0, 4)}-${code.slice(4)}`)
  }

  #receivePairing(request: Buffer): undefined {
    const { publicKey, deviceType } = this.#requirePrologue()
    assert(this.#isNonceOpen, 'the companion did not wait for the codes')
    const { encryptedPayload, iv } = proto.EncryptedPairingRequest.decode(request)
    const key = hkdf(Curve.sharedKey(this.#ephemeral.private, publicKey), 32, {
      salt: Buffer.from(`Companion Pairing ${deviceType} with ref ${this.#ref}`),
      info: 'Pairing Information Encryption Key',
    })
    const decrypted = aesDecryptGCM(encryptedPayload ?? EMPTY, key, iv ?? EMPTY, EMPTY)
    const { companionPublicKey, companionIdentityKey, advSecret } = proto.PairingRequest.decode(decrypted)
    assert(advSecret?.length === 32, 'the ADV secret has another length')
    this.#result.resolve({
      noiseKey: Buffer.from(companionPublicKey ?? EMPTY),
      identity: Buffer.from(companionIdentityKey ?? EMPTY),
      advSecret: Buffer.from(advSecret),
    })
  }

  /** The phone answers a signature as soon as WhatsApp has accepted it. */
  #afterReply(iq: BinaryNode): void {
    if (!childNode(iq, 'passkey_prologue')) return
    const identity = proto.PrimaryEphemeralIdentity.encode({ publicKey: this.#ephemeral.public, nonce: this.#nonce })
    const content = [createNode('primary_ephemeral_identity', {}, identity.finish())]
    this.#send(notificationStanza(SERVER_JID, 'crsc_continuation', content))
  }

  #requirePrologue(): Prologue {
    if (!this.#prologue) throw new Error('the companion has not signed yet')
    return this.#prologue
  }
}

function assert(isTrue: boolean | undefined, problem: string): asserts isTrue {
  if (!isTrue) throw new Error(problem)
}

const fromBase64Url = (text: string): Buffer => Buffer.from(text, 'base64url')

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
