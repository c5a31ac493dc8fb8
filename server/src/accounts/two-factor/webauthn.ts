import { createPublicKey, type KeyObject } from 'node:crypto'
import type { NewPasskeyCredential, PasskeyAssertion } from '@recado/contract/passwords/passkeys'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeClientDataJSON, isoCBOR } from '@simplewebauthn/server/helpers'

/** COSE algorithm ids: ES256, EdDSA, RS256. */
export const coseAlgorithms = [-7, -8, -257]

export class PasskeyRefusedError extends Error {}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))

/** The relying party: the id that browsers bind a passkey to, and the only origin that may use the passkey. */
export type RelyingParty = { id: string; origin: string }

/** Browsers do not allow passkeys on IP addresses, so on the local machine the app is opened as localhost. */
export function relyingPartyFor(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl)
  const isLoopback = /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (isLoopback) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}

/** Treats any error of the library about the caller's input as a refusal, never as an error of the server. */
async function refuseOnError<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    throw new PasskeyRefusedError(error instanceof Error ? error.message : 'passkey', { cause: error })
  }
}

/**
 * The challenge that was signed, which the caller must check. Refuses a page inside a frame of another site: the library
 * accepts one as long as the browser does not name that site.
 */
function readChallenge(clientData: string): string {
  const { challenge, crossOrigin } = decodeClientDataJSON(clientData)
  if (crossOrigin || typeof challenge !== 'string') throw new PasskeyRefusedError('client data')
  return challenge
}
const decodeChallenge = (challenge: string) => Buffer.from(challenge, 'base64url').toString('utf8')

/** Parses a key of the declared algorithm; refuses a weaker key. */
function importPublicKey(publicKey: string, algorithm: number): KeyObject {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' })
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key
  const isValid =
    (algorithm === -7 && kind === 'ec' && details?.namedCurve === 'prime256v1') ||
    (algorithm === -8 && kind === 'ed25519') ||
    (algorithm === -257 && kind === 'rsa' && (details?.modulusLength ?? 0) >= 2048)
  if (!isValid) throw new PasskeyRefusedError('algorithm')
  return key
}

/** The stored key (SubjectPublicKeyInfo) in the encoding of authenticators: a COSE map in canonical order. */
function encodeCoseKey(publicKey: string, algorithm: number): Uint8Array<ArrayBuffer> {
  const { kty, x = '', y = '', n = '', e = '' } = importPublicKey(publicKey, algorithm).export({ format: 'jwk' })
  const parameters: Record<string, [label: number, value: number | Uint8Array][]> = {
    EC: [
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ],
    OKP: [
      [1, 1],
      [3, algorithm],
      [-1, 6],
      [-2, bytesOf(x)],
    ],
    RSA: [
      [1, 3],
      [3, algorithm],
      [-1, bytesOf(n)],
      [-2, bytesOf(e)],
    ],
  }
  return isoCBOR.encode(new Map(parameters[kty ?? '']))
}

/** Verifies a registration: the user verified themselves on this site, and the key is the one of the authenticator. */
export const verifyRegistration = (
  { id, clientData, authenticatorData, publicKey, algorithm }: NewPasskeyCredential,
  relyingParty: RelyingParty,
): Promise<{ challenge: string; counter: number }> =>
  refuseOnError(async () => {
    const challenge = readChallenge(clientData)
    // The page sends the authenticator data without an attestation statement, because none is required.
    const attestation = new Map<string, Map<string, string> | string | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', bytesOf(authenticatorData)],
    ])
    const attestationObject = Buffer.from(isoCBOR.encode(attestation)).toString('base64url')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON: clientData, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      supportedAlgorithmIDs: coseAlgorithms,
    })
    if (!verified || registrationInfo.credential.id !== id) throw new PasskeyRefusedError('credential id')
    if (!Buffer.from(encodeCoseKey(publicKey, algorithm)).equals(registrationInfo.credential.publicKey))
      throw new PasskeyRefusedError('public key')
    return { challenge: decodeChallenge(challenge), counter: registrationInfo.credential.counter }
  })

type StoredCredential = { publicKey: string; algorithm: number; counter: number }
/** Verifies a login signature. A counter that does not increase means the passkey was cloned. */
export const verifyAssertion = (
  { id, clientData, authenticatorData, signature }: PasskeyAssertion,
  { publicKey, algorithm, counter }: StoredCredential,
  relyingParty: RelyingParty,
): Promise<{ challenge: string; counter: number }> =>
  refuseOnError(async () => {
    const challenge = readChallenge(clientData)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON: clientData, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: { id, publicKey: encodeCoseKey(publicKey, algorithm), counter },
    })
    if (!verified) throw new PasskeyRefusedError('signature')
    return { challenge: decodeChallenge(challenge), counter: authenticationInfo.newCounter }
  })
