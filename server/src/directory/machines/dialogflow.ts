import { createHash, createSign } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { Sent } from '../../kernel/outgoing/outgoing.ts'
import { BadAnswer, type CallOut, excerpt, jsonIn, misfit } from './call-out.ts'
import { Detected } from './dialogflow-words.ts'

const ServiceAccount = z.object({
  client_email: z.string().min(3).max(300),
  private_key: z.string().min(100).max(10_000),
  private_key_id: z.string().max(200).optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
})
export type ServiceAccount = z.infer<typeof ServiceAccount>

export type Agent = { projectName: string; jsonContent: string; language: string }
/** `audio`: a voice note as it came, in Ogg with Opus. `event`: nothing was said yet, it is to say hello. */
export type Heard = { text: string } | { audio: Buffer } | { event: string }

const scope = 'https://www.googleapis.com/auth/dialogflow'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** As long as Google lets an assertion live. */
const lifeSeconds = 3600

/** What the admin pasted; why not, in words. */
export function serviceAccountIn(jsonContent: string): ServiceAccount {
  let parsed: unknown
  try {
    parsed = JSON.parse(jsonContent)
  } catch {
    throw new BadAnswer('the credentials are no JSON')
  }
  const read = ServiceAccount.safeParse(parsed)
  if (!read.success) throw new BadAnswer(`the credentials are not those of a service account: ${misfit(read.error)}`)
  return read.data
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** RFC 7523: who we are, signed with the account's key. Its library would bring 3 MB for these lines. */
export function assertion({ client_email, private_key, private_key_id, token_uri }: ServiceAccount, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000)
  const claims = { iss: client_email, scope, aud: token_uri, iat, exp: iat + lifeSeconds }
  const head = { alg: 'RS256', typ: 'JWT', ...(private_key_id && { kid: private_key_id }) }
  const signed = `${part(head)}.${part(claims)}`
  try {
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(private_key, 'base64url')}`
  } catch {
    // The library's words would repeat parts of the key.
    throw new BadAnswer('the private key of the credentials cannot be read')
  }
}

const Token = z.object({
  access_token: z.string().min(1).max(10_000),
  expires_in: z.number().min(1).default(lifeSeconds),
})

/** Tokens by the credentials they were given for, until shortly before they end. Changed ones are others. */
const tokens = new Map<string, { token: string; until: number }>()
/** More than any house has agents; the oldest are asked for again. */
const mostTokens = 1000

async function tokenFor(call: CallOut, account: ServiceAccount, clock: Clock): Promise<string> {
  const now = clock.now()
  const key = createHash('sha256').update(JSON.stringify(account)).digest('base64')
  const known = tokens.get(key)
  if (known && known.until > now.getTime()) return known.token
  const sent = await call(account.token_uri, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    isSecret: true,
    body: new URLSearchParams({ grant_type: grant, assertion: assertion(account, now) }).toString(),
    isBad: ({ status }) => status >= 500,
  })
  if (sent.status === 400 || sent.status === 401)
    throw new BadAnswer(`Google does not know these credentials: ${reasonIn(sent)}`)
  mustBeGood(sent)
  const { access_token: token, expires_in } = parsed(sent, Token, 'the token')
  tokens.set(key, { token, until: now.getTime() + Math.max(0, expires_in - 60) * 1000 })
  for (const oldest of tokens.keys()) {
    if (tokens.size <= mostTokens) break
    tokens.delete(oldest)
  }
  return token
}
const forget = (account: ServiceAccount) =>
  tokens.delete(createHash('sha256').update(JSON.stringify(account)).digest('base64'))

function questionOf(heard: Heard, languageCode: string) {
  if ('text' in heard) return { queryInput: { text: { text: heard.text, languageCode } } }
  if ('event' in heard) return { queryInput: { event: { name: heard.event, languageCode } } }
  // The only rate that the API takes for Opus.
  const audioConfig = { audioEncoding: 'AUDIO_ENCODING_OGG_OPUS', sampleRateHertz: 16_000, languageCode }
  return { queryInput: { audioConfig }, inputAudio: heard.audio.toString('base64') }
}

/** Asks the agent what it makes of that. `base`: the API with its version. */
export async function detectIntent(
  call: CallOut,
  base: string,
  { projectName, jsonContent, language }: Agent,
  session: string,
  heard: Heard,
  clock: Clock,
): Promise<Detected> {
  const account = serviceAccountIn(jsonContent)
  const token = await tokenFor(call, account, clock)
  const body = questionOf(heard, language || 'pt-BR')
  const path = `projects/${encodeURIComponent(projectName.trim())}/agent/sessions/${encodeURIComponent(session)}`
  const sent = await call(`${base}/${path}:detectIntent`, {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    kept: JSON.stringify('audio' in heard ? { ...body, inputAudio: `${heard.audio.length} bytes` } : body),
    mostBytes: 1024 * 1024,
    isBad: ({ status }) => status >= 500,
  })
  if (sent.status === 401) forget(account)
  if (sent.status === 403 || sent.status === 404)
    throw new BadAnswer(`no agent in project ${projectName} for these credentials: ${reasonIn(sent)}`)
  mustBeGood(sent)
  return parsed(sent, Detected, 'DialogFlow')
}

function mustBeGood(sent: Sent): void {
  const { status } = sent
  if (status >= 200 && status < 300) return
  // A token that was taken back is asked for again.
  throw new BadAnswer(`${status} ${reasonIn(sent)}`, status === 401 || status === 429 || status >= 500)
}

/** Google's own words where there are any. */
function reasonIn({ body }: Sent): string {
  try {
    const { error, error_description: said } = jsonIn(body) as {
      error?: { message?: unknown }
      error_description?: unknown
    }
    return excerpt(String(said ?? error?.message ?? error ?? body))
  } catch {
    return excerpt(body)
  }
}

function parsed<T extends z.ZodType>({ body, isCut }: Sent, shape: T, who: string): z.output<T> {
  if (isCut) throw new BadAnswer('the answer is too long')
  let value: unknown
  try {
    value = jsonIn(body)
  } catch {
    throw new BadAnswer(`no JSON: ${excerpt(body)}`)
  }
  const read = shape.safeParse(value)
  if (!read.success) throw new BadAnswer(`not what ${who} answers: ${misfit(read.error)}`)
  return read.data
}
