import { z } from 'zod'
import {
  defineRecord,
  del,
  get,
  isoDateTime,
  keyScopes,
  listQuery,
  pageReply,
  post,
  ref,
  requiredName,
} from '../endpoint.ts'

/** An API key. The key itself is shown only when it is created: `hint` is its beginning and its end. */
export const ApiKey = z.object({
  id: z.number(),
  name: z.string(),
  hint: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  /** The lines that the key may use. If no line was ever named, it may use all lines. */
  lines: z.array(z.object({ id: z.number(), name: z.string() })),
  /** How many of the named lines are deleted. */
  linesGone: z.number(),
  expiresAt: isoDateTime.nullable(),
  /** Rounded to the minute. */
  lastUsedAt: isoDateTime.nullable(),
  revokedAt: isoDateTime.nullable(),
  /** The creator; null when they were deleted. */
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  createdAt: isoDateTime,
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyWrite = z.object({
  name: requiredName(2, 50),
  scopes: z.array(z.enum(keyScopes)).min(1).max(keyScopes.length),
  /** Empty: all lines, including future ones. */
  whatsappIds: z.array(ref('connection')).max(100).default([]),
  /** Absent, null or empty: the key does not expire. */
  expiresAt: z.preprocess((v) => v || null, z.iso.datetime({ offset: true }).max(40).nullable()).default(null),
})
export type ApiKeyWrite = z.output<typeof ApiKeyWrite>

const access = 'messages-api-page:manage' as const
const plan = 'useExternalApi' as const
const { topic, record } = defineRecord({
  entity: 'apiKey',
  row: ApiKey,
  search: ['name'],
  newestFirst: true,
  topic: { name: (c) => `company-${c}-apiKey`, one: 'apiKey', gone: 'apiKeyId' },
})
export const apiKeysApi = {
  topic,
  record: { ...record, plural: 'apiKeys' as const },
  list: get('/api-keys', {
    about: 'A page of the API keys, newest first, including revoked ones',
    access,
    plan,
    query: listQuery,
    reply: pageReply('apiKeys', ApiKey),
  }),
  create: post('/api-keys', {
    about: 'Create an API key. The key is in this response and is never shown again',
    access,
    plan,
    body: ApiKeyWrite,
    example: { name: 'Reservas', scopes: ['send', 'messages'], whatsappIds: [], expiresAt: null },
    reply: ApiKey.extend({ key: z.string() }),
  }),
  revoke: del('/api-keys/:id', {
    about: 'Revoke a key: it is invalid immediately. It stays in the list',
    access,
    plan,
    params: z.object({ id: ref('apiKey') }),
    reply: ApiKey,
  }),
}
