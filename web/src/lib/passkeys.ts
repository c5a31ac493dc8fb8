import { authApi } from '@recado/contract/auth'
import {
  type NewPasskeyCredential,
  type PasskeyCreationOptions,
  passkeysApi,
} from '@recado/contract/passwords/passkeys'
import { callApi } from './api.ts'
import type { LoginReply } from './session-calls.ts'

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> => {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0))
}
const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Whether the user cancelled the browser's dialog, so that no error is shown. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/** Asks the browser to create a passkey for this site. */
export async function createPasskey(offer: PasskeyCreationOptions): Promise<NewPasskeyCredential> {
  const credential = (await navigator.credentials.create({
    publicKey: {
      challenge: fromBase64Url(offer.challenge),
      rp: offer.rp,
      user: { ...offer.user, id: fromBase64Url(offer.user.id) },
      pubKeyCredParams: offer.algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      excludeCredentials: offer.known.map((id) => ({ type: 'public-key' as const, id: fromBase64Url(id) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: offer.timeout,
    },
  })) as PublicKeyCredential
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    id: toBase64Url(credential.rawId),
    clientData: toBase64Url(response.clientDataJSON),
    authenticatorData: toBase64Url(response.getAuthenticatorData()),
    publicKey: toBase64Url(response.getPublicKey() ?? new ArrayBuffer(0)),
    algorithm: response.getPublicKeyAlgorithm(),
  }
}

/** Logs in: the browser offers its passkeys for this site. */
export async function loginWithPasskey(): Promise<LoginReply> {
  const { challenge, rpId, timeout } = await callApi(passkeysApi.challenge)
  const signed = (await navigator.credentials.get({
    publicKey: { challenge: fromBase64Url(challenge), rpId, timeout, userVerification: 'required' },
  })) as PublicKeyCredential
  const response = signed.response as AuthenticatorAssertionResponse
  return callApi(authApi.passkey, {
    body: {
      id: toBase64Url(signed.rawId),
      clientData: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.authenticatorData),
      signature: toBase64Url(response.signature),
      userHandle: toBase64Url(response.userHandle ?? new ArrayBuffer(0)),
    },
  })
}
