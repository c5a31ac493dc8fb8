import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { NewPasskeyCredential, PasskeyAssertion } from '@recado/contract/passwords/passkeys'

/** The subset of WebAuthn (level 2) needed without attestation. Pure functions: no tables, no clock. */

/** COSE algorithm ids: ES256, EdDSA, RS256. */
export const coseAlgorithms = [-7, -8, -257]
const maxCredentialIdBytes = 1023

export class PasskeyRefusedError extends Error {}
const assertValid = (condition: unknown, why: string): void => {
  if (!condition) throw new PasskeyRefusedError(why)
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

/** The relying party: the id that browsers bind a passkey to, and the only origin that may use the passkey. */
export type RelyingParty = { id: string; origin: string }

/** Browsers do not allow passkeys on IP addresses, so on the local machine the app is opened as localhost. */
export function relyingPartyFor(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl)
  const isLoopback = /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (isLoopback) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}

type ClientData = { type?: unknown; challenge?: unknown; origin?: unknown; crossOrigin?: unknown }
/** The browser writes the client data, not the page, so a page of another origin cannot forge our origin. */
function parseClientData(
  encoded: string,
  type: 'webauthn.create' | 'webauthn.get',
  relyingParty: RelyingParty,
): { challenge: string } {
  let clientData: ClientData
  try {
    clientData = JSON.parse(bytesOf(encoded).toString('utf8')) as ClientData
  } catch {
    throw new PasskeyRefusedError('client data')
  }
  assertValid(clientData !== null && typeof clientData === 'object', 'client data')
  assertValid(clientData.type === type, 'type')
  assertValid(clientData.origin === relyingParty.origin, 'origin')
  assertValid(clientData.crossOrigin !== true, 'cross origin')
  assertValid(typeof clientData.challenge === 'string', 'challenge')
  return { challenge: bytesOf(clientData.challenge as string).toString('utf8') }
}

const userPresentFlag = 0x01
const userVerifiedFlag = 0x04
const attestedDataFlag = 0x40
/** Hash of the relying party id, flags, counter; at a registration the credential follows. */
function parseAuthenticatorData(encoded: string, relyingParty: RelyingParty) {
  const data = bytesOf(encoded)
  assertValid(data.length >= 37, 'authenticator data')
  assertValid(data.subarray(0, 32).equals(sha256(relyingParty.id)), 'party')
  const flags = data.readUInt8(32)
  // Requires user verification (finger, face or PIN): without it a passkey would be only one factor.
  assertValid(flags & userPresentFlag && flags & userVerifiedFlag, 'not verified')
  return { data, flags, counter: data.readUInt32BE(33) }
}

/** Parses a key of the declared algorithm; refuses a weaker key. */
function importPublicKey(publicKey: string, algorithm: number): KeyObject {
  let key: KeyObject
  try {
    key = createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
  } catch {
    throw new PasskeyRefusedError('public key')
  }
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key
  const isValid =
    (algorithm === -7 && kind === 'ec' && details?.namedCurve === 'prime256v1') ||
    (algorithm === -8 && kind === 'ed25519') ||
    (algorithm === -257 && kind === 'rsa' && (details?.modulusLength ?? 0) >= 2048)
  assertValid(isValid, 'algorithm')
  return key
}

/** Whether the key's parameters also occur in the authenticator data. */
function hasKeyIn(data: Buffer, key: KeyObject): boolean {
  const { x, y, n } = key.export({ format: 'jwk' })
  return [x, y, n].every((part) => part === undefined || data.includes(bytesOf(part)))
}

/** Verifies a registration. Returns its challenge, which the caller must check. */
export function verifyRegistration(
  encoded: NewPasskeyCredential,
  relyingParty: RelyingParty,
): { challenge: string; counter: number } {
  const { challenge } = parseClientData(encoded.clientData, 'webauthn.create', relyingParty)
  const { data, flags, counter } = parseAuthenticatorData(encoded.authenticatorData, relyingParty)
  assertValid(flags & attestedDataFlag && data.length > 55, 'no credential')
  const length = data.readUInt16BE(53)
  assertValid(length > 0 && length <= maxCredentialIdBytes, 'credential id')
  assertValid(data.subarray(55, 55 + length).equals(bytesOf(encoded.id)), 'credential id')
  assertValid(hasKeyIn(data.subarray(55 + length), importPublicKey(encoded.publicKey, encoded.algorithm)), 'public key')
  return { challenge, counter }
}

type StoredCredential = { publicKey: string; algorithm: number; counter: number }
/** Verifies a login signature. A counter that does not increase means the passkey was cloned. */
export function verifyAssertion(
  encoded: PasskeyAssertion,
  stored: StoredCredential,
  relyingParty: RelyingParty,
): { challenge: string; counter: number } {
  const { challenge } = parseClientData(encoded.clientData, 'webauthn.get', relyingParty)
  const { data, counter } = parseAuthenticatorData(encoded.authenticatorData, relyingParty)
  const key = importPublicKey(stored.publicKey, stored.algorithm)
  const signed = Buffer.concat([data, sha256(bytesOf(encoded.clientData))])
  const digest = stored.algorithm === -8 ? null : 'sha256'
  assertValid(verify(digest, signed, key, bytesOf(encoded.signature)), 'signature')
  assertValid(counter > stored.counter || (counter === 0 && stored.counter === 0), 'counter')
  return { challenge, counter }
}
