import { get } from '@recado/contract/endpoint'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError, callApi, endpointUrl, onSessionEnd } from './api.ts'
import { errorText } from './errors.ts'

const show = get('/things/:id', {
  about: '',
  access: 'session',
  params: z.object({ id: z.number() }),
  reply: z.object({ ok: z.boolean() }),
})

type Answer = { status: number; body: unknown }
let requests: { path: string; bearer: string | null }[]
let sessionEndCount: number
const storedItems = new Map<string, string>()

/** A fake server that answers by path, in order. */
function server(answers: Record<string, Answer[]>): void {
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    requests.push({ path, bearer: new Headers(init.headers).get('authorization') })
    await Promise.resolve()
    const { status, body } = answers[path]?.shift() ?? { status: 500, body: {} }
    return new Response(JSON.stringify(body), { status })
  }) as typeof fetch
}

beforeEach(() => {
  requests = []
  sessionEndCount = 0
  storedItems.clear()
  storedItems.set('token', '"old"')
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => storedItems.get(key) ?? null,
      setItem: (key: string, value: string) => storedItems.set(key, value),
    },
  })
  onSessionEnd(() => sessionEndCount++)
})

const old = { status: 403, body: { error: 'ERR_TOKEN_EXPIRED' } }
const okReply = { status: 200, body: { ok: true } }
const renewedTokenReply = { status: 200, body: { token: 'new' } }

test('fills in and escapes the path, and omits empty query values', () => {
  expect(endpointUrl(show, { id: 'a/b' }, { searchParam: '', none: undefined, nothing: null, on: true })).toBe(
    '/things/a%2Fb?searchParam=&on=true',
  )
})

test('renews an expired token once for parallel calls and repeats them with the new token', async () => {
  server({ '/things/1': [old, okReply], '/things/2': [old, okReply], '/auth/refresh_token': [renewedTokenReply] })
  await Promise.all([callApi(show, { params: { id: 1 } }), callApi(show, { params: { id: 2 } })])
  expect(requests.filter(({ path }) => path === '/auth/refresh_token')).toHaveLength(1)
  expect(requests.slice(-2).map(({ bearer }) => bearer)).toEqual(['Bearer new', 'Bearer new'])
  expect(storedItems.get('token')).toBe('"new"')
  expect(sessionEndCount).toBe(0)
})

test('ends the session on a second 403 or on a 401', async () => {
  server({ '/things/1': [old, old], '/auth/refresh_token': [renewedTokenReply] })
  await expect(callApi(show, { params: { id: 1 } })).rejects.toMatchObject({ code: 'ERR_TOKEN_EXPIRED' })
  expect(sessionEndCount).toBeGreaterThan(0)
  sessionEndCount = 0
  server({ '/things/1': [{ status: 401, body: { error: 'ERR_SESSION_EXPIRED' } }] })
  await expect(callApi(show, { params: { id: 1 } })).rejects.toBeInstanceOf(ApiError)
  expect(sessionEndCount).toBeGreaterThan(0)
})

test('reports a refusal with its code and fields, without ending the session', async () => {
  server({ '/things/1': [{ status: 400, body: { error: 'ERR_VALIDATION', fields: { name: 'Required' } } }] })
  await expect(callApi(show, { params: { id: 1 } })).rejects.toMatchObject({
    code: 'ERR_VALIDATION',
    fields: { name: 'Required' },
  })
  server({ '/things/1': [{ status: 502, body: '<html>' }] })
  await expect(callApi(show, { params: { id: 1 } })).rejects.toMatchObject({
    code: 'ERR_INTERNAL_SERVER_ERROR',
    status: 502,
  })
  expect(sessionEndCount).toBe(0)
})

test('keeps the session when the network is down', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('failed'))
  await expect(callApi(show, { params: { id: 1 } })).rejects.toMatchObject({ code: 'ERR_OFFLINE', status: 0 })
  expect(sessionEndCount).toBe(0)
})

test('shows a known failure as text, and an unknown failure by its own text', async () => {
  const errorTextOf = (error: unknown) => {
    server({ '/things/1': [{ status: 400, body: { error } }] })
    return callApi(show, { params: { id: 1 } }).then(() => '', errorText)
  }
  expect(await errorTextOf('ERR_NOT_FOUND')).toBe('Eso ya no existe.')
  expect(await errorTextOf('ERR_NO_THING_FOUND')).toBe('Eso ya no existe.')
  expect(await errorTextOf('ERR_FROM_TOMORROW')).toBe('ERR_FROM_TOMORROW')
  expect(await errorTextOf('upstream is resting')).toBe('upstream is resting')
  expect(await errorTextOf('x'.repeat(5000))).toHaveLength(200)
  expect(await errorTextOf({ an: 'object' })).toBe('Algo falló en el servidor. Prueba de nuevo.')
  expect(errorText(new Error('a bug of ours'))).toBe('Algo falló en el servidor. Prueba de nuevo.')
})
