import type { CallStep } from '@recado/contract/flows/flow-steps'
import type { TextValues } from '@recado/contract/flows/flow-variables'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LoopbackAnswer, openLoopbackServer } from '../../../../test/loopback-server.ts'
import { waitTimeoutMs } from '../../../../test/wait-timeout.ts'
import { makeVault } from '../../../kernel/crypto.ts'
import { makeOutgoingClient } from '../../../kernel/outgoing/outgoing-client.ts'
import { sendCall } from './call.ts'

let answer: LoopbackAnswer
let server: Awaited<ReturnType<typeof openLoopbackServer>>
beforeAll(async () => {
  server = await openLoopbackServer(() => answer)
})
afterAll(() => server.close())
beforeEach(() => {
  server.reset()
  answer = { body: { order: { state: 'on its way', items: [{ n: 3 }] } } }
})

const texts: TextValues = {
  words: { name: 'Sol "La" Paz', number: '5511980000000' },
  moment: { now: new Date('2026-11-19T12:00:00Z'), zone: 'America/Sao_Paulo', language: 'pt' },
}
const makeStep = (over: Partial<CallStep> = {}): CallStep => ({
  ...{ kind: 'call', id: 'call', title: '', method: 'POST', url: `${server.url}/orders/{{order}}`, headers: [] },
  ...{ body: '{"who": "{{name}}"}', keep: [{ path: 'order.state', variable: 'state' }], next: 'end', otherwise: 'end' },
  ...over,
})
const vault = makeVault('a secret of the operator')
/** Each company has its own circuit breaker, so no test pauses the calls of another. */
let lastCompanyId = 0
const clientOf = (privateTargets: boolean) =>
  makeOutgoingClient({ privateTargets, callTimeoutMs: waitTimeoutMs }, undefined)
const send = (over: Partial<CallStep> = {}, variables: Record<string, string> = { order: '7/8' }, guarded = false) =>
  sendCall({ outgoing: clientOf(!guarded), vault }, ++lastCompanyId, makeStep(over), variables, texts, 'flow-1-call-0')

describe('a call of a flow', () => {
  it('sends its request with every value in its place, and keeps parts of the reply', async () => {
    const headers = [{ name: 'Authorization', value: 'Bearer {{token}}' }]
    const keep = [
      { path: 'order.state', variable: 'state' },
      { path: 'order.items.0.n', variable: 'n' },
      { path: 'order.missing', variable: 'none' },
    ]
    expect(await send({ headers, keep }, { order: '7/8', token: 'abc' })).toEqual({
      kind: 'done',
      values: { state: 'on its way', n: '3', none: '' },
    })
    const [request] = server.requests
    expect(request).toMatchObject({ method: 'POST', path: '/orders/7%2F8' })
    expect(JSON.parse(request?.body ?? '')).toEqual({ who: 'Sol "La" Paz' })
    expect(request?.headers).toMatchObject({
      ...{ authorization: 'Bearer abc', 'idempotency-key': 'flow-1-call-0', 'content-type': 'application/json' },
    })
  })

  it('opens the headers that are sealed where the step is stored', async () => {
    const headers = [{ name: 'Authorization', value: `sealed:${vault.seal('Bearer {{token}}')}` }]
    expect(await send({ headers }, { token: 'abc' })).toMatchObject({ kind: 'done' })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer abc')
  })

  it('does not let its headers reframe the request or take over its key', async () => {
    const headers = ['Host', 'Content-Length', 'Transfer-Encoding', 'Idempotency-Key'].map((name) => ({
      name,
      value: '5',
    }))
    expect(await send({ headers })).toMatchObject({ kind: 'done' })
    expect(server.requests[0]?.headers).toMatchObject({
      ...{ host: new URL(server.url).host, 'idempotency-key': 'flow-1-call-0' },
    })
    expect(server.requests[0]?.body).toBe('{"who": "Sol \\"La\\" Paz"}')
  })

  it('accepts any reply if it keeps nothing of it', async () => {
    answer = { type: 'text/plain', body: 'thanks' }
    expect(await send({ keep: [] })).toEqual({ kind: 'done', values: {} })
  })

  it.each<[string, LoopbackAnswer]>([
    ['status-404', { status: 404, body: {} }],
    ['status-503', { status: 503, body: {} }],
    ['status-302', { status: 302, body: {} }],
    ['reply-not-json', { type: 'text/html', body: '<html>Welcome</html>' }],
    ['reply-too-large', { body: { text: 'x'.repeat(300_000) } }],
  ])('fails with the reason %s', async (reason, given) => {
    answer = given
    expect(await send()).toEqual({ kind: 'failed', reason })
    expect(server.requests).toHaveLength(1)
  })

  it('fails if the connection breaks in the middle of the reply', async () => {
    server.failures.push({ kind: 'cut' })
    expect((await send()).kind).toBe('failed')
  })

  it('reaches public addresses only', async () => {
    expect(await send({}, {}, true)).toEqual({ kind: 'failed', reason: 'address-refused' })
    const https = server.url.replace('http:', 'https:')
    expect(await send({ url: `${https}/` }, {}, true)).toEqual({ kind: 'failed', reason: 'address-refused' })
    expect(server.requests).toEqual([])
  })

  it('does not send what no server would accept', async () => {
    const url = `${server.url}/${'{{long}}'.repeat(10)}`
    expect(await send({ url }, { long: 'x'.repeat(2000) })).toEqual({ kind: 'failed', reason: 'request-too-large' })
    expect(server.requests).toEqual([])
  })

  it('pauses the calls to a server that does not answer', async () => {
    const outgoing = clientOf(true)
    const call = () => sendCall({ outgoing, vault }, 1, makeStep(), {}, texts, 'flow-1-call-0')
    server.state.permanentFailure = { kind: 'fail', status: 500 }
    for (let n = 0; n < 5; n++) expect(await call()).toEqual({ kind: 'failed', reason: 'status-500' })
    expect(await call()).toEqual({ kind: 'failed', reason: 'paused' })
    expect(server.requests).toHaveLength(5)
  })
})
