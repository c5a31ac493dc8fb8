import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { AccountPasskey } from './accounts.ts'

/** A passkey of the owner of an account, with its private key: what a browser's authenticator holds. */
export type OwnedPasskey = AccountPasskey & { privateKey: KeyObject }

export function createPasskey(): OwnedPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { credentialId: randomBytes(16), publicKey, privateKey }
}

/** Signs a challenge as a browser on WhatsApp's page does: the JSON of `PublicKeyCredential.toJSON()`. */
export function signWithPasskey(
  { credentialId, privateKey }: OwnedPasskey,
  { challenge, rpId }: { challenge: string; rpId: string },
  origin = 'https://web.whatsapp.com',
) {
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
  // The hash of the site, the flags "present" and "verified", and a counter.
  const authenticatorData = Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([0b101, 0, 0, 0, 1])])
  const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)
  const id = credentialId.toString('base64url')
  return {
    ...{ id, rawId: id, type: 'public-key' as const, authenticatorAttachment: 'platform' },
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    },
    clientExtensionResults: {},
  }
}

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()
