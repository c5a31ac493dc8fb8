import { z } from 'zod'
import { bodyLimitBytes, dictionary, flag, get, isoDateTime, optionalText, post, ref } from './endpoint.ts'
import { Message } from './messages.ts'

/**
 * Why WhatsApp did not deliver a message, as codes the screen translates. In `Message.error` Meta's own number follows
 * after a colon if there is one: `window-closed:131047`.
 */
export const cloudFailures = [
  'window-closed',
  'undeliverable',
  'rate-limited',
  'spam-limited',
  'account-locked',
  'payment',
  'experiment',
  'held-back',
  'opted-out',
  'country-restricted',
  'not-allowed-yet',
  'same-number',
  'needs-number',
  'group-refused',
  'call-refused',
  'not-registered',
  'no-permission',
  'token-expired',
  'unsupported',
  'bad-parameter',
  'media-refused',
  'media-missing',
  'file-too-large',
  'text-too-long',
  'template-missing',
  'template-variables',
  'template-too-long',
  'template-policy',
  'template-paused',
  'template-disabled',
  'template-not-ready',
  'template-limit',
  'meta-down',
  'meta-error',
  'unsure',
] as const
export type CloudFailure = (typeof cloudFailures)[number]

/** A line's account at Meta, for admins. Secrets are never returned: only whether they are set. */
export const CloudAccount = z.object({
  phoneNumberId: z.string(),
  businessAccountId: z.string(),
  hasAccessToken: z.boolean(),
  hasAppSecret: z.boolean(),
  /** The line was connected with the app of this installation, which sets the webhook at Meta itself. */
  viaSignup: z.boolean(),
  /** To be entered at Meta beside the URL. */
  verifyToken: z.string(),
  /** The URL to which Meta sends incoming messages. */
  webhookUrl: z.string(),
  /** Time of Meta's last call, to the minute; null: never. */
  calledAt: isoDateTime.nullable(),
})
export type CloudAccount = z.infer<typeof CloudAccount>

/** Meta's ids are long numbers; pasted ones may have spaces around them. */
const metaId = z.preprocess(
  (v) => v ?? '',
  z
    .string()
    .trim()
    .regex(/^\d{0,40}$/),
)
/** An empty secret leaves the stored secret unchanged. */
const secret = z.preprocess((v) => v ?? '', z.string().trim().max(1024))

export const CloudAccountWrite = z.object({
  phoneNumberId: metaId,
  businessAccountId: metaId,
  accessToken: secret,
  appSecret: secret,
  /** Empty: the server generates a verify token, or keeps the existing token. */
  verifyToken: z.preprocess((v) => v ?? '', z.string().trim().max(200)),
})
export type CloudAccountWrite = z.output<typeof CloudAccountWrite>

export const templateCategories = ['marketing', 'utility', 'authentication'] as const

export const TemplateComponent = z.object({
  type: z.enum(['header', 'body', 'footer', 'buttons']),
  /** The kind of header that the template has. */
  format: z.enum(['text', 'image', 'video', 'document', 'location']).nullable(),
  text: z.string(),
  buttons: z.array(z.object({ type: z.string(), text: z.string(), url: z.string() })),
})
/**
 * A variable to be filled before sending. `key` names it in the send call: `body.1`, `header.nombre`, `button.0`.
 * `code` is a one-time code: one value fills both the text and the button that copies it.
 */
export const TemplateVariable = z.object({
  key: z.string(),
  in: z.enum(['header', 'body', 'button', 'code']),
  name: z.string(),
  example: z.string(),
})
export type TemplateVariable = z.infer<typeof TemplateVariable>

export const Template = z.object({
  id: z.string(),
  name: z.string(),
  language: z.string(),
  category: z.string(),
  components: z.array(TemplateComponent),
  variables: z.array(TemplateVariable),
  /** The kind of header file that each send must provide; null: none. */
  media: z.enum(['image', 'video', 'document']).nullable(),
  /** Why the template cannot be sent from this app, as a code the screen translates; empty if it can be sent. */
  unsendable: z.enum(['', 'location-header', 'button']),
})
export type Template = z.infer<typeof Template>

/** Meta's own limit for a one-time code. */
export const maxOneTimeCodeLength = 15

/** In a multipart request the variables are JSON text. */
function parseTemplateVariables(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {}
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

export const TemplateWrite = z.object({
  name: optionalText(512),
  language: optionalText(20),
  /** By the keys of the template's variables; each must be filled. */
  variables: z.preprocess(parseTemplateVariables, dictionary(100, z.string().max(120), z.string().trim().max(1024))),
  clientId: z
    .string()
    .regex(/^[\w-]{8,40}$/)
    .optional(),
})

export const templatesApi = {
  list: get('/templates', {
    about: 'The approved templates of a line on the official API. Cached for a while; `refresh` asks Meta again',
    access: 'session',
    query: z.object({ whatsappId: ref('connection'), refresh: flag.default(false) }),
    reply: z.object({
      templates: z.array(Template),
      /** When Meta was last queried; null: never. */
      fetchedAt: isoDateTime.nullable(),
      /** Why the last query failed, as a code; empty on success. After a failure the stored templates are shown. */
      problem: z.string(),
    }),
  }),
  send: post('/messages/:ticketId/template', {
    about:
      'Send a template into a ticket; the only way to write when the customer has been silent for 24 hours. One with a header file is sent as multipart',
    bytes: bodyLimitBytes.longText,
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    upload: 'media',
    body: TemplateWrite,
    example: { name: 'pedido_listo', language: 'es', variables: { 'body.1': 'Ana' } },
    reply: Message,
  }),
}
