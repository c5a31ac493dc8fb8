import { z } from 'zod'
import { anyJson, dictionary, flag, get, isoDateTime, messageReply, post, put, ref } from '../endpoint.ts'

/** The site whose passkey WhatsApp requests, and the only origin that may sign for it. */
export const whatsappPasskeySite = { rpId: 'whatsapp.com', origin: 'https://web.whatsapp.com' } as const

/** The path of the one-time addresses. Only pages of WhatsApp Web may read it from a browser. */
export const linePasskeyPath = '/line-passkey/'

/** Bytes in WebAuthn's encoding (base64url). */
const bytes = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .regex(/^[A-Za-z0-9_-]+$/)

/** WhatsApp's request for a passkey: options for `navigator.credentials.get`, with bytes in base64url. */
export const LinePasskeyOptions = z.object({
  challenge: bytes(1000),
  rpId: z.literal(whatsappPasskeySite.rpId),
  timeout: z.number().int().min(1).max(3_600_000).optional(),
  allowCredentials: z
    .array(
      z.object({
        id: bytes(1400),
        type: z.literal('public-key'),
        transports: z.array(z.string().max(20)).max(10).optional(),
      }),
    )
    .max(50)
    .optional(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']).optional(),
  extensions: z.object({ uvm: z.boolean().optional() }).optional(),
})
export type LinePasskeyOptions = z.infer<typeof LinePasskeyOptions>

/** A signature with a passkey, as `PublicKeyCredential.toJSON()` writes it. */
export const LinePasskeyAssertion = z.object({
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(20).nullish(),
  response: z.object({
    clientDataJSON: bytes(2000),
    authenticatorData: bytes(1000),
    signature: bytes(1000),
    userHandle: bytes(100).nullish(),
  }),
  clientExtensionResults: dictionary(10, z.string().max(40), anyJson).optional(),
})
export type LinePasskeyAssertion = z.infer<typeof LinePasskeyAssertion>

/**
 * How far linking with a passkey has come. `sign`: WhatsApp waits for the signature. `signed`: the signature is on its
 * way to WhatsApp. `compare`: a person compares the code with the phone. `confirmed`: the phone links the line.
 * `cancelled`: a person cancelled it. `none`: WhatsApp has not asked for a passkey.
 */
export const linePasskeyStages = ['none', 'sign', 'signed', 'compare', 'confirmed', 'cancelled'] as const
export type LinePasskeyStage = (typeof linePasskeyStages)[number]

export const LinePasskey = z.object({
  stage: z.enum(linePasskeyStages),
  /** The code that the phone must show as well; empty unless `compare`. */
  code: z.string(),
  expiresAt: isoDateTime.nullable(),
})
export type LinePasskey = z.infer<typeof LinePasskey>

const act = 'connections-page:actionButtons' as const
const lineId = z.object({ whatsappId: ref('connection') })
const token = z.object({ token: z.string().max(100) })

export const linePasskeysApi = {
  show: get('/whatsappsession/:whatsappId/passkey', {
    about: 'How far linking with a passkey has come, and the code to compare with the phone',
    access: act,
    params: lineId,
    reply: LinePasskey,
  }),
  createAddress: post('/whatsappsession/:whatsappId/passkey', {
    about: 'A one-time address to which a browser sends the signature; replaces an earlier one',
    access: act,
    params: lineId,
    reply: z.object({ address: z.string(), openUrl: z.string(), expiresAt: isoDateTime }),
  }),
  decide: put('/whatsappsession/:whatsappId/passkey', {
    about: 'Confirm that the phone shows the same code, or cancel linking with a passkey',
    access: act,
    params: lineId,
    body: z.object({ confirmed: flag }),
    example: { confirmed: false },
    reply: LinePasskey,
  }),
  options: get(`${linePasskeyPath}:token`, {
    about: 'What WhatsApp wants signed; the one-time address identifies the line',
    access: 'public',
    params: token,
    reply: LinePasskeyOptions,
  }),
  sign: post(`${linePasskeyPath}:token`, {
    about: 'The signature that WhatsApp requested; uses up the one-time address',
    access: 'public',
    params: token,
    body: LinePasskeyAssertion,
    example: {
      ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
      response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
    },
    reply: messageReply,
  }),
}
