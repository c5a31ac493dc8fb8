import { z } from 'zod'
import { get, idParams, isoDateTime, messageReply, post, put, requiredName } from '../endpoint.ts'

/** Bytes in WebAuthn's encoding (base64url). */
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9_-]*$/)

export const Passkey = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: isoDateTime,
  lastUsedAt: isoDateTime.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

const password = z.string().max(200)
const passkeyName = requiredName(1, 60)

/** Options for `navigator.credentials.create`, with bytes in base64url. */
export const PasskeyCreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  /** COSE algorithm numbers: ES256, EdDSA, RS256. */
  algorithms: z.array(z.number()),
  /** Credentials the user already has. */
  known: z.array(z.string()),
  timeout: z.number(),
})
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>

/** A new credential. No attestation is required: the user is logged in and has typed the password. */
export const NewPasskeyCredential = z.object({
  id: bytes(1400),
  clientData: bytes(4000),
  authenticatorData: bytes(8000),
  /** The public key as SubjectPublicKeyInfo. */
  publicKey: bytes(2000),
  algorithm: z.coerce.number().int().min(-65_535).max(0),
})
export type NewPasskeyCredential = z.infer<typeof NewPasskeyCredential>

export const PasskeyAssertion = z.object({
  id: bytes(1400),
  clientData: bytes(4000),
  authenticatorData: bytes(4000),
  signature: bytes(2000),
  /** The owner, identified by the `user.id` of the creation options. */
  userHandle: bytes(100),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

const example = { id: 'AAAA', clientData: 'AAAA', authenticatorData: 'AAAA' }
export const passkeyAssertionExample = { ...example, signature: 'AAAA', userHandle: 'AAAA' }

export const passkeysApi = {
  list: get('/auth/two-factor/passkeys', {
    about: 'The own passkeys',
    access: 'session',
    reply: z.object({ passkeys: z.array(Passkey) }),
  }),
  offer: post('/auth/two-factor/passkeys/offer', {
    about: 'Options for a browser to create a passkey; valid for two minutes, once',
    access: 'session',
    body: z.object({ currentPassword: password }),
    example: { currentPassword: 'a-good-password' },
    reply: PasskeyCreationOptions,
  }),
  add: post('/auth/two-factor/passkeys', {
    about: 'Store a passkey that a browser created: it logs in, and counts as both steps',
    access: 'session',
    body: z.object({ name: passkeyName, credential: NewPasskeyCredential }),
    example: { name: 'Portátil', credential: { ...example, publicKey: 'AAAA', algorithm: -7 } },
    reply: Passkey,
  }),
  rename: put('/auth/two-factor/passkeys/:id', {
    about: 'Rename a passkey',
    access: 'session',
    params: idParams('passkey'),
    body: z.object({ name: passkeyName }),
    example: { name: 'Portátil' },
    reply: Passkey,
  }),
  remove: post('/auth/two-factor/passkeys/:id/end', {
    about: 'Delete a passkey',
    access: 'session',
    params: idParams('passkey'),
    body: z.object({ currentPassword: password }),
    example: { currentPassword: 'a-good-password' },
    reply: messageReply,
  }),
  /** Anonymous. Does not reveal which passkeys a user has: the browser finds the passkeys of this site. */
  challenge: post('/auth/login/passkey/challenge', {
    about: 'The challenge for a passkey to sign; valid for two minutes, once',
    access: 'public',
    reply: z.object({ challenge: z.string(), rpId: z.string(), timeout: z.number() }),
  }),
}
