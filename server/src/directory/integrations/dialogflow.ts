import { createHash, createSign } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { OutgoingReply } from '../../kernel/outgoing/outgoing-client.ts'
import { DetectedIntent } from './dialogflow-reply.ts'
import { BadAnswerError, type CallExternal, describeMisfit, parseStorableJson, toExcerpt } from './external-call.ts'

const ServiceAccount = z.object({
  client_email: z.string().min(3).max(300),
  private_key: z.string().min(100).max(10_000),
  private_key_id: z.string().max(200).optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
})
export type ServiceAccount = z.infer<typeof ServiceAccount>

export type DialogflowAgent = { projectName: string; jsonContent: string; language: string }
/** `audio`: a voice note in Ogg with Opus. `event`: the customer has not written yet, and the agent should greet. */
export type DialogflowInput = { text: string } | { audio: Buffer } | { event: string }

const oauthScope = 'https://www.googleapis.com/auth/dialogflow'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Google's maximum lifetime of an assertion. */
const assertionTtlSeconds = 3600

/** Parses the pasted credentials; throws a readable reason. */
export function parseServiceAccount(jsonContent: string): ServiceAccount {
  let parsed: unknown
  try {
    parsed = JSON.parse(jsonContent)
  } catch {
    throw new BadAnswerError('the credentials are not valid JSON')
  }
  const read = ServiceAccount.safeParse(parsed)
  if (!read.success)
    throw new BadAnswerError(`the credentials are not those of a service account: ${describeMisfit(read.error)}`)
  return read.data
}

const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Signs an assertion (RFC 7523): our identity, signed with the account's key. Google's library would add 3 MB for these
 * few lines.
 */
export function signAssertion(
  { client_email, private_key, private_key_id, token_uri }: ServiceAccount,
  now: Date,
): string {
  const iat = Math.floor(now.getTime() / 1000)
  const claims = { iss: client_email, scope: oauthScope, aud: token_uri, iat, exp: iat + assertionTtlSeconds }
  const head = { alg: 'RS256', typ: 'JWT', ...(private_key_id && { kid: private_key_id }) }
  const signed = `${encodePart(head)}.${encodePart(claims)}`
  try {
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(private_key, 'base64url')}`
  } catch {
    // The library's message would repeat parts of the key.
    throw new BadAnswerError('the private key of the credentials cannot be read')
  }
}

const Token = z.object({
  access_token: z.string().min(1).max(10_000),
  expires_in: z.number().min(1).default(assertionTtlSeconds),
})

/** Tokens by their credentials, until shortly before they expire. Changed credentials get a new entry. */
const tokens = new Map<string, { token: string; until: number }>()
/** More than the number of DialogFlow agents on any server. A token that was evicted is requested again. */
const maxCachedTokens = 1000

async function getToken(call: CallExternal, account: ServiceAccount, clock: Clock): Promise<string> {
  const now = clock.now()
  const key = createHash('sha256').update(JSON.stringify(account)).digest('base64')
  const known = tokens.get(key)
  if (known && known.until > now.getTime()) return known.token
  const sent = await call(account.token_uri, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    isSecret: true,
    body: new URLSearchParams({ grant_type: grantType, assertion: signAssertion(account, now) }).toString(),
    isBad: ({ status }) => status >= 500,
  })
  if (sent.status === 400 || sent.status === 401)
    throw new BadAnswerError(`Google does not know these credentials: ${readReason(sent)}`)
  assertOkStatus(sent)
  const { access_token: token, expires_in } = parseReply(sent, Token, 'the token')
  tokens.set(key, { token, until: now.getTime() + Math.max(0, expires_in - 60) * 1000 })
  for (const oldest of tokens.keys()) {
    if (tokens.size <= maxCachedTokens) break
    tokens.delete(oldest)
  }
  return token
}
const forgetToken = (account: ServiceAccount) =>
  tokens.delete(createHash('sha256').update(JSON.stringify(account)).digest('base64'))

function buildQuery(input: DialogflowInput, languageCode: string) {
  if ('text' in input) return { queryInput: { text: { text: input.text, languageCode } } }
  if ('event' in input) return { queryInput: { event: { name: input.event, languageCode } } }
  // 16 kHz is the only rate that the API accepts for Opus.
  const audioConfig = { audioEncoding: 'AUDIO_ENCODING_OGG_OPUS', sampleRateHertz: 16_000, languageCode }
  return { queryInput: { audioConfig }, inputAudio: input.audio.toString('base64') }
}

/** Sends the input to the agent. `base`: the API with its version. */
export async function detectIntent(
  call: CallExternal,
  base: string,
  { projectName, jsonContent, language }: DialogflowAgent,
  session: string,
  input: DialogflowInput,
  clock: Clock,
): Promise<DetectedIntent> {
  const account = parseServiceAccount(jsonContent)
  const token = await getToken(call, account, clock)
  const body = buildQuery(input, language || 'pt-BR')
  const path = `projects/${encodeURIComponent(projectName.trim())}/agent/sessions/${encodeURIComponent(session)}`
  const sent = await call(`${base}/${path}:detectIntent`, {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    kept: JSON.stringify('audio' in input ? { ...body, inputAudio: `${input.audio.length} bytes` } : body),
    mostBytes: 1024 * 1024,
    isBad: ({ status }) => status >= 500,
  })
  if (sent.status === 401) forgetToken(account)
  if (sent.status === 403 || sent.status === 404)
    throw new BadAnswerError(`no agent in project ${projectName} for these credentials: ${readReason(sent)}`)
  assertOkStatus(sent)
  return parseReply(sent, DetectedIntent, 'DialogFlow')
}

function assertOkStatus(sent: OutgoingReply): void {
  const { status } = sent
  if (status >= 200 && status < 300) return
  // The token was refused, so a new token is requested for the next call.
  throw new BadAnswerError(`${status} ${readReason(sent)}`, status === 401 || status === 429 || status >= 500)
}

/** Google's own message, if any. */
function readReason({ body }: OutgoingReply): string {
  try {
    const { error, error_description: said } = parseStorableJson(body) as {
      error?: { message?: unknown }
      error_description?: unknown
    }
    return toExcerpt(String(said ?? error?.message ?? error ?? body))
  } catch {
    return toExcerpt(body)
  }
}

function parseReply<T extends z.ZodType>(
  { body, isTruncated: isCut }: OutgoingReply,
  shape: T,
  who: string,
): z.output<T> {
  if (isCut) throw new BadAnswerError('the answer is too long')
  let value: unknown
  try {
    value = parseStorableJson(body)
  } catch {
    throw new BadAnswerError(`no JSON: ${toExcerpt(body)}`)
  }
  const read = shape.safeParse(value)
  if (!read.success) throw new BadAnswerError(`not what ${who} answers: ${describeMisfit(read.error)}`)
  return read.data
}
