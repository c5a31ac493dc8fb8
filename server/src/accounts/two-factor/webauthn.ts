import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { NewPasskeyCredential, PasskeyAssertion } from '@recado/contract/passwords/passkeys'

/** The part of WebAuthn (level 2) that a house without attestation needs. Pure: it knows no table and no clock. */

/** COSE's numbers: ES256, EdDSA, RS256. */
export const coseAlgorithms = [-7, -8, -257]
const maxCredentialIdBytes = 1023

export class PasskeyRefusedError extends Error {}
const assertValid = (fits: unknown, why: string): void => {
  if (!fits) throw new PasskeyRefusedError(why)
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

/** Whom a passkey is for: the name that browsers bind it to, and the one page that may ask for it. */
export type RelyingParty = { id: string; origin: string }

/** Browsers give no passkeys to bare addresses: on the own machine it is reached as localhost. */
export function relyingPartyFor(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl)
  const isLoopback = /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (isLoopback) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}

type ClientData = { type?: unknown; challenge?: unknown; origin?: unknown; crossOrigin?: unknown }
/** Said by the browser, not by the page: a page of another origin cannot say ours. */
function parseClientData(
  given: string,
  type: 'webauthn.create' | 'webauthn.get',
  party: RelyingParty,
): { challenge: string } {
  let said: ClientData
  try {
    said = JSON.parse(bytesOf(given).toString('utf8')) as ClientData
  } catch {
    throw new PasskeyRefusedError('client data')
  }
  assertValid(said !== null && typeof said === 'object', 'client data')
  assertValid(said.type === type, 'type')
  assertValid(said.origin === party.origin, 'origin')
  assertValid(said.crossOrigin !== true, 'cross origin')
  assertValid(typeof said.challenge === 'string', 'challenge')
  return { challenge: bytesOf(said.challenge as string).toString('utf8') }
}

const userPresentFlag = 0x01
const userVerifiedFlag = 0x04
const attestedDataFlag = 0x40
/** Hash of the party's name, flags, counter; at a registration the credential follows. */
function parseAuthenticatorData(given: string, party: RelyingParty) {
  const data = bytesOf(given)
  assertValid(data.length >= 37, 'authenticator data')
  assertValid(data.subarray(0, 32).equals(sha256(party.id)), 'party')
  const flags = data.readUInt8(32)
  // A finger, a face or a PIN: without it a passkey would be one step and not two.
  assertValid(flags & userPresentFlag && flags & userVerifiedFlag, 'not verified')
  return { data, flags, counter: data.readUInt32BE(33) }
}

/** A key of the kind it says it is, and no weaker. */
function importPublicKey(publicKey: string, algorithm: number): KeyObject {
  let key: KeyObject
  try {
    key = createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
  } catch {
    throw new PasskeyRefusedError('public key')
  }
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key
  const fits =
    (algorithm === -7 && kind === 'ec' && details?.namedCurve === 'prime256v1') ||
    (algorithm === -8 && kind === 'ed25519') ||
    (algorithm === -257 && kind === 'rsa' && (details?.modulusLength ?? 0) >= 2048)
  assertValid(fits, 'algorithm')
  return key
}

/** The key's own numbers, which the authenticator has in its data, too. */
function hasKeyIn(data: Buffer, key: KeyObject): boolean {
  const { x, y, n } = key.export({ format: 'jwk' })
  return [x, y, n].every((part) => part === undefined || data.includes(bytesOf(part)))
}

/** What a browser made at a registration. Returns what it was asked to sign, for who knows what that was. */
export function verifyRegistration(
  given: NewPasskeyCredential,
  party: RelyingParty,
): { challenge: string; counter: number } {
  const { challenge } = parseClientData(given.clientData, 'webauthn.create', party)
  const { data, flags, counter } = parseAuthenticatorData(given.authenticatorData, party)
  assertValid(flags & attestedDataFlag && data.length > 55, 'no credential')
  const length = data.readUInt16BE(53)
  assertValid(length > 0 && length <= maxCredentialIdBytes, 'credential id')
  assertValid(data.subarray(55, 55 + length).equals(bytesOf(given.id)), 'credential id')
  assertValid(hasKeyIn(data.subarray(55 + length), importPublicKey(given.publicKey, given.algorithm)), 'public key')
  return { challenge, counter }
}

type StoredCredential = { publicKey: string; algorithm: number; counter: number }
/** What a passkey signed at the door. One whose counter does not go forward has a twin somewhere. */
export function verifyAssertion(
  given: PasskeyAssertion,
  known: StoredCredential,
  party: RelyingParty,
): { challenge: string; counter: number } {
  const { challenge } = parseClientData(given.clientData, 'webauthn.get', party)
  const { data, counter } = parseAuthenticatorData(given.authenticatorData, party)
  const key = importPublicKey(known.publicKey, known.algorithm)
  const signed = Buffer.concat([data, sha256(bytesOf(given.clientData))])
  const digest = known.algorithm === -8 ? null : 'sha256'
  assertValid(verify(digest, signed, key, bytesOf(given.signature)), 'signature')
  assertValid(counter > known.counter || (counter === 0 && known.counter === 0), 'counter')
  return { challenge, counter }
}
