import { authApi } from '@recado/contract/auth'
import { type NewCredential, type PasskeyOffer, passkeysApi } from '@recado/contract/passwords/passkeys'
import { call } from './api.ts'
import type { Entered } from './session-calls.ts'

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0))
}
const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Who closed the browser's question has changed their mind, and needs no word about it. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/** Asks the browser for a passkey of this address. */
export async function makePasskey(offer: PasskeyOffer): Promise<NewCredential> {
  const made = (await navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(offer.challenge),
      rp: offer.rp,
      user: { ...offer.user, id: bytesOf(offer.user.id) },
      pubKeyCredParams: offer.algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      excludeCredentials: offer.known.map((id) => ({ type: 'public-key' as const, id: bytesOf(id) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: offer.timeout,
    },
  })) as PublicKeyCredential
  const response = made.response as AuthenticatorAttestationResponse
  return {
    id: textOf(made.rawId),
    clientData: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.getAuthenticatorData()),
    publicKey: textOf(response.getPublicKey() ?? new ArrayBuffer(0)),
    algorithm: response.getPublicKeyAlgorithm(),
  }
}

/** In through the door: the browser shows the passkeys it has for this address. */
export async function enterByPasskey(): Promise<Entered> {
  const { challenge, rpId, timeout } = await call(passkeysApi.challenge)
  const signed = (await navigator.credentials.get({
    publicKey: { challenge: bytesOf(challenge), rpId, timeout, userVerification: 'required' },
  })) as PublicKeyCredential
  const response = signed.response as AuthenticatorAssertionResponse
  return call(authApi.passkey, {
    body: {
      id: textOf(signed.rawId),
      clientData: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: textOf(response.userHandle ?? new ArrayBuffer(0)),
    },
  })
}
