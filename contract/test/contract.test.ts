import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { api, endpoints, recordTopics } from '../src/api.ts'
import type { Endpoint } from '../src/endpoint.ts'
import { errorCatalog } from '../src/error-catalog.ts'
import { topics } from '../src/live.ts'
import { payloadSchemaOf } from '../src/live-payload-schemas.ts'
import { rules } from '../src/rules.ts'
import { findIdSlots, findNamedFields, topLevelKeys, walkSchema } from './id-slots.ts'

const name = (e: Endpoint) => `${e.method} ${e.path}`
const named = endpoints.map((e) => [name(e), e] as const)

/** Field names that must never leave the server. */
const secret =
  /^(password|newPassword|passwordHash|codeHash|tokenHash|tokenSealed|sessionId|credentials|creds|jrt|refreshToken|secret|appSecret)$/i

/** Secrets that this call creates for the caller, and that are never shown again. */
const shownOnce = [
  'POST /auth/two-factor secret',
  'POST /auth/login/two-factor secret',
  'POST /queueIntegration/:id/secret secret',
  'POST /webhooks secret',
  'POST /webhooks/:id/secret secret',
]

/** Ids chosen by the caller: they match nothing, or only rows that the same caller created. */
const chosen = [
  'POST /sandbox/:whatsappId/messages id',
  'POST /messages/:ticketId clientId',
  'POST /messages/:ticketId/template clientId',
  'POST /messages/:id/forward clientId',
  'POST /chats/:id/messages clientId',
  'POST /macros/run clientId',
  // Ids of steps and options inside a document.
  'POST /flows id',
  'PUT /flows/:id id',
  'POST /flows/check id',
  'POST /flows/dry-runs id',
  'POST /flows/:id/tests optionId',
  'PUT /flows/:id/tests/:testId optionId',
  // Ids from Meta, which identify no row of our tables.
  'POST /whatsapp phoneNumberId',
  'POST /whatsapp businessAccountId',
  'PUT /whatsapp/:id phoneNumberId',
  'PUT /whatsapp/:id businessAccountId',
  'POST /line-signup/complete phoneNumberId',
  // The super user may pass an id of any company; the `kind` field says which entity it is.
  'POST /health/again id',
  // The id that an authenticator gave to a key it created.
  'POST /auth/login/passkey id',
  'POST /auth/two-factor/passkeys id',
  'POST /line-passkey/:token id',
  'POST /line-passkey/:token rawId',
]

describe('API contract', () => {
  it('lists every section', () => {
    expect(endpoints).toHaveLength(
      Object.values(api).reduce((n, section) => n + Object.values(section).filter((one) => 'method' in one).length, 0),
    )
  })

  it('has one endpoint for each method and path', () => {
    // `:id` and `:key` in the same position are the same path to a router.
    const places = endpoints.map((e) => name(e).replace(/:\w+/g, ':'))
    expect(places.filter((place, i) => places.indexOf(place) !== i)).toEqual([])
  })

  it('answers 401 and 403 only for session errors, API keys and refused origins, because older browser clients log out on them', () => {
    const ofTheSession = Object.entries(errorCatalog).filter(([, status]) => status === 401 || status === 403)
    expect(ofTheSession.map(([code]) => code).sort()).toEqual([
      'ERR_API_KEY',
      'ERR_API_KEY_SCOPE',
      'ERR_FOREIGN_ORIGIN',
      'ERR_INVALID_CREDENTIALS',
      'ERR_SESSION_EXPIRED',
      'ERR_TOKEN_EXPIRED',
      'ERR_TWO_FACTOR_REQUIRED',
      'ERR_TWO_FACTOR_SETUP',
    ])
  })

  it('sends no secret in any live topic', () => {
    const leaks = [...recordTopics, ...Object.values(topics)].flatMap((topic) =>
      secretsIn(payloadSchemaOf(topic)).map((key) => `${topic.name(0)}: ${key}`),
    )
    expect(leaks).toEqual([])
  })
})

describe.each(named)('%s', (_, e) => {
  it('states its purpose and who may call it', () => {
    expect(e.about).toMatch(/^\S.{4,}/)
    expect(['public', 'session', 'super', ...Object.keys(rules)]).toContain(e.access)
  })

  it('has an example that validates unchanged', () => {
    if (!e.body) return expect(e.example ?? null).toBeNull()
    // Uploads with optional files have an example without files; requests with required files need a form.
    if (e.upload && !e.example) return
    expect(e.example).toBeTypeOf('object')
    expect(e.body.safeParse(e.example).error).toBeUndefined()
  })

  it('describes each part of its path', () => {
    const inPath = [...e.path.matchAll(/:(\w+)/g)].map(([, key]) => key).sort()
    expect(topLevelKeys(e.params).sort()).toEqual(inPath)
  })

  it('declares the entity of every id it accepts', () => {
    const tagged = new Set(findIdSlots(e).map((slot) => slot.path.findLast((step) => typeof step === 'string')))
    const ids = findNamedFields(e).filter((f) => /^(id|uuid|.+(Id|Ids|Uuid))$/.test(f.name))
    const untagged = ids.map((f) => f.name).filter((key) => !tagged.has(key))
    expect(untagged.filter((key) => !chosen.includes(`${name(e)} ${key}`))).toEqual([])
  })

  it('returns no secrets', () => {
    expect(secretsIn(e.reply).filter((key) => !shownOnce.includes(`${name(e)} ${key}`))).toEqual([])
  })

  it('declares no body when none is read', () => {
    if (e.method === 'GET' || e.method === 'DELETE') expect(e.body ?? e.upload ?? null).toBeNull()
  })
})

function secretsIn(schema: z.ZodType): string[] {
  const found: string[] = []
  walkSchema(schema, (_, path) => {
    const key = path.at(-1)
    if (typeof key === 'string' && secret.test(key)) found.push(key)
    return undefined
  })
  return found
}
