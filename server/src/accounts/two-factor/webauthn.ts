import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { NewCredential, SignedCredential } from '@recado/contract/passwords/passkeys'

/** The part of WebAuthn (level 2) that a house without attestation needs. Pure: it knows no table and no clock. */

/** COSE's numbers: ES256, EdDSA, RS256. */
export const algorithms = [-7, -8, -257]
const mostCredential = 1023

export class PasskeyRefusal extends Error {}
const must = (fits: unknown, why: string): void => {
  if (!fits) throw new PasskeyRefusal(why)
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

/** Whom a passkey is for: the name that browsers bind it to, and the one page that may ask for it. */
export type Party = { id: string; origin: string }

/** Browsers give no passkeys to bare addresses: on the own machine it is reached as localhost. */
export function partyOf(publicUrl: string): Party {
  const url = new URL(publicUrl)
  const isLoopback = /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (isLoopback) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}

type ClientData = { type?: unknown; challenge?: unknown; origin?: unknown; crossOrigin?: unknown }
/** Said by the browser, not by the page: a page of another origin cannot say ours. */
function clientData(given: string, type: 'webauthn.create' | 'webauthn.get', party: Party): { challenge: string } {
  let said: ClientData
  try {
    said = JSON.parse(bytesOf(given).toString('utf8')) as ClientData
  } catch {
    throw new PasskeyRefusal('client data')
  }
  must(said !== null && typeof said === 'object', 'client data')
  must(said.type === type, 'type')
  must(said.origin === party.origin, 'origin')
  must(said.crossOrigin !== true, 'cross origin')
  must(typeof said.challenge === 'string', 'challenge')
  return { challenge: bytesOf(said.challenge as string).toString('utf8') }
}

const present = 0x01
const verified = 0x04
const attested = 0x40
/** Hash of the party's name, flags, counter; at a registration the credential follows. */
function authenticatorData(given: string, party: Party) {
  const data = bytesOf(given)
  must(data.length >= 37, 'authenticator data')
  must(data.subarray(0, 32).equals(sha256(party.id)), 'party')
  const flags = data.readUInt8(32)
  // A finger, a face or a PIN: without it a passkey would be one step and not two.
  must(flags & present && flags & verified, 'not verified')
  return { data, flags, counter: data.readUInt32BE(33) }
}

/** A key of the kind it says it is, and no weaker. */
function keyOf(publicKey: string, algorithm: number): KeyObject {
  let key: KeyObject
  try {
    key = createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
  } catch {
    throw new PasskeyRefusal('public key')
  }
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key
  const fits =
    (algorithm === -7 && kind === 'ec' && details?.namedCurve === 'prime256v1') ||
    (algorithm === -8 && kind === 'ed25519') ||
    (algorithm === -257 && kind === 'rsa' && (details?.modulusLength ?? 0) >= 2048)
  must(fits, 'algorithm')
  return key
}

/** The key's own numbers, which the authenticator has in its data, too. */
function isIn(data: Buffer, key: KeyObject): boolean {
  const { x, y, n } = key.export({ format: 'jwk' })
  return [x, y, n].every((part) => part === undefined || data.includes(bytesOf(part)))
}

/** What a browser made at a registration. Returns what it was asked to sign, for who knows what that was. */
export function readNew(given: NewCredential, party: Party): { challenge: string; counter: number } {
  const { challenge } = clientData(given.clientData, 'webauthn.create', party)
  const { data, flags, counter } = authenticatorData(given.authenticatorData, party)
  must(flags & attested && data.length > 55, 'no credential')
  const length = data.readUInt16BE(53)
  must(length > 0 && length <= mostCredential, 'credential id')
  must(data.subarray(55, 55 + length).equals(bytesOf(given.id)), 'credential id')
  must(isIn(data.subarray(55 + length), keyOf(given.publicKey, given.algorithm)), 'public key')
  return { challenge, counter }
}

type Known = { publicKey: string; algorithm: number; counter: number }
/** What a passkey signed at the door. One whose counter does not go forward has a twin somewhere. */
export function readSigned(
  given: SignedCredential,
  known: Known,
  party: Party,
): { challenge: string; counter: number } {
  const { challenge } = clientData(given.clientData, 'webauthn.get', party)
  const { data, counter } = authenticatorData(given.authenticatorData, party)
  const key = keyOf(known.publicKey, known.algorithm)
  const signed = Buffer.concat([data, sha256(bytesOf(given.clientData))])
  const digest = known.algorithm === -8 ? null : 'sha256'
  must(verify(digest, signed, key, bytesOf(given.signature)), 'signature')
  must(counter > known.counter || (counter === 0 && known.counter === 0), 'counter')
  return { challenge, counter }
}
