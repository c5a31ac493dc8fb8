import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { type LinePasskeyAssertion, LinePasskeyOptions } from '@recado/contract/health/line-passkeys'
import { type BinaryNode, bytesToCrockford, proto } from 'baileys'

/**
 * Linking with a passkey, as WhatsApp Web does it. Nothing here has a side effect: each step takes the previous one and
 * returns the stanza to send.
 *
 *   WhatsApp -> us     passkey_prologue_request    the options for a signature: `parsePasskeyOptions`
 *   us -> WhatsApp     passkey_prologue            signature, ephemeral key, commitment to a nonce: `startPrologue`
 *   WhatsApp -> us     crsc_continuation           the phone's ephemeral key and nonce
 *   us -> WhatsApp     companion_nonce             opens the commitment: `continueWithPhone`
 *                      a person compares the code, which both sides compute from the nonces and the phone's key
 *   us -> WhatsApp     encrypted_pairing_request   our keys, which only that phone can decrypt: `requestPairing`
 *
 * WhatsApp then sends `pair-success`, as after a QR code. A proof that ties the signature to an earlier link
 * (`pairing_handoff_proof`) would let WhatsApp skip the comparison, so we never send one.
 */
export type PrologueSent = { privateKey: KeyObject; nonce: Buffer; deviceType: number; ref: string }
export type CodeShown = { code: string; encryptionKey: Buffer }

const deviceType = proto.DeviceProps.PlatformType.CHROME
const maxOptionsBytes = 16 * 1024
const keyBytes = 32
const codeBytes = 5
const advSecretBytes = 32
const ivBytes = 12

/** What the phone or WhatsApp sent does not fit the protocol. */
export class PasskeyProtocolError extends Error {}

export function parsePasskeyOptions(content: Uint8Array): LinePasskeyOptions {
  if (content.length > maxOptionsBytes) throw new PasskeyProtocolError('the passkey options are too long')
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(content).toString('utf8'))
  } catch {
    throw new PasskeyProtocolError('the passkey options are not JSON')
  }
  const parsed = LinePasskeyOptions.safeParse(json)
  if (!parsed.success) throw new PasskeyProtocolError('the passkey options have another shape')
  return parsed.data
}

export function startPrologue(
  ref: string,
  assertion: LinePasskeyAssertion,
): { state: PrologueSent; request: BinaryNode } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const nonce = randomBytes(keyBytes)
  const identity = proto.CompanionEphemeralIdentity.encode({
    ...{ publicKey: rawPublicKey(publicKey), deviceType, ref },
  }).finish()
  const payload = proto.ProloguePayload.encode({
    companionEphemeralIdentity: identity,
    commitment: { hash: sha256(identity, nonce) },
  }).finish()
  const request = createNode('passkey_prologue', [
    createNode('credential_id', Buffer.from(assertion.rawId, 'base64url')),
    createNode('webauthn_assertion', Buffer.from(JSON.stringify(assertion))),
    createNode('prologue_payload', payload),
  ])
  return { state: { privateKey, nonce, deviceType, ref }, request }
}

/** The phone has answered. `identity` is the content of `<primary_ephemeral_identity>`. */
export function continueWithPhone(
  { privateKey, nonce, deviceType, ref }: PrologueSent,
  identity: Uint8Array,
): { state: CodeShown; request: BinaryNode } {
  const { publicKey, nonce: phoneNonce } = proto.PrimaryEphemeralIdentity.decode(identity)
  if (publicKey?.length !== keyBytes || phoneNonce?.length !== keyBytes)
    throw new PasskeyProtocolError("the phone's key or nonce has another length")
  const digest = sha256(nonce, publicKey)
  const code = bytesToCrockford(
    Buffer.from(Array.from({ length: codeBytes }, (_, i) => (phoneNonce[i] as number) ^ (digest[i] as number))),
  )
  const salt = `Companion Pairing ${deviceType} with ref ${ref}`
  const encryptionKey = Buffer.from(
    hkdfSync('sha256', sharedSecret(privateKey, publicKey), salt, 'Pairing Information Encryption Key', keyBytes),
  )
  return {
    state: { code: `${code.slice(0, 4)}-${code.slice(4)}`, encryptionKey },
    request: createNode('companion_nonce', nonce),
  }
}

/** A person has confirmed the code. The new secret replaces the one of the QR code, and is valid once the phone has it. */
export function requestPairing(
  { encryptionKey }: CodeShown,
  ownKeys: { noise: Uint8Array; identity: Uint8Array },
): { advSecret: Buffer; request: BinaryNode } {
  const advSecret = randomBytes(advSecretBytes)
  const pairing = proto.PairingRequest.encode({
    ...{ companionPublicKey: ownKeys.noise, companionIdentityKey: ownKeys.identity, advSecret },
  }).finish()
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv)
  const encryptedPayload = Buffer.concat([cipher.update(pairing), cipher.final(), cipher.getAuthTag()])
  const request = proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish()
  return { advSecret, request: createNode('encrypted_pairing_request', request) }
}

const createNode = (tag: string, content: BinaryNode['content']): BinaryNode => ({ tag, attrs: {}, content })

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const rawPublicKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url')

/** Throws for a public key of low order, with which the secret would be known to everybody. */
function sharedSecret(privateKey: KeyObject, phoneKey: Uint8Array): Buffer {
  const jwk = { kty: 'OKP', crv: 'X25519', x: Buffer.from(phoneKey).toString('base64url') }
  return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
}
