import { apiKeysApi } from '@recado/contract/api-access/api-keys'
import { auditApi } from '@recado/contract/api-access/audit'
import {
  keyScopeByEvent,
  type WebhookEvent,
  webhookEvents,
  webhooksApi,
  webhookToolsApi,
} from '@recado/contract/api-access/webhooks'
import { type KeyScope, keyScopes } from '@recado/contract/endpoint'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import type { HttpCaller } from '../../../test/http-caller.ts'
import { openLoopbackServer } from '../../../test/loopback-server.ts'
import { closeTestServers, makeCaller, type TestServer, testServer } from '../../../test/test-server.ts'
import { hours } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
let program: Awaited<ReturnType<typeof openLoopbackServer>>
beforeAll(async () => {
  program = await openLoopbackServer(() => ({ body: 'thanks' }))
  harness = await testServer({ privateTargets: true })
  desk = await openDesk(harness)
  await harness.wide().db.updateTable('plans').set({ useExternalApi: true }).execute()
})
afterAll(async () => {
  await closeTestServers()
  program.close()
})
beforeEach(async () => {
  // Webhooks of other tests must not receive anything.
  await harness.wide().db.deleteFrom('webhooks').execute()
  program.reset()
})

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (e: { code: string }) => e.code,
  )
async function keyWith(scopes: KeyScope[], more: object = {}) {
  const name = `Key ${scopes.join(' ')}`
  const { key, id } = await desk.admin.call(apiKeysApi.create, { body: { name, scopes, ...more } as never })
  return Object.assign(makeCaller(harness.address, key), { keyId: id, name })
}
const hookOf = (events: readonly WebhookEvent[], url = `${program.url}/hook`) => ({
  ...{ name: 'Reservas', url, events: [...events], active: true },
})
const subscribe = (by: HttpCaller, events: readonly WebhookEvent[]) =>
  by.call(webhooksApi.create, { body: hookOf(events) })
const deliveredTypes = () => program.requests.map((one) => JSON.parse(one.body).type as string)
const rows = (id: number) =>
  harness.wide().db.selectFrom('webhookEvents').selectAll().where('webhookId', '=', id).orderBy('id').execute()
const waitUntilDelivered = (id: number) =>
  vi.waitFor(
    async () => {
      await harness.server.webhookDispatcher.poll()
      const all = await rows(id)
      expect(all.length).toBeGreaterThan(0)
      expect(all.every(({ state }) => state !== 'waiting')).toBe(true)
      return all
    },
    { timeout: 20_000, interval: 30 },
  )

describe('a webhook created by an API key', () => {
  it.each(webhookEvents)('gets %s events only if the key has the scope to read them', async (event) => {
    for (const scope of keyScopes) {
      const key = await keyWith([...new Set<KeyScope>(['webhooks', scope])])
      const mayHear = keyScopeByEvent[event] === scope || keyScopeByEvent[event] === 'webhooks'
      expect(await refusal(subscribe(key, [event])), scope).toBe(mayHear ? 'accepted' : 'ERR_API_KEY_SCOPE')
    }
    await harness.wide().db.deleteFrom('webhooks').execute()
  })

  it('cannot be extended, redirected, read, replayed or deleted by a key that may not read its events', async () => {
    const hook = await subscribe(desk.admin, ['message.created'])
    const { customer } = await desk.newTicket('palabras')
    await customer.says('más palabras')
    const [event] = await waitUntilDelivered(hook.id)
    const key = await keyWith(['webhooks', 'contacts'])
    const params = { id: hook.id }
    const one = { id: hook.id, deliveryId: String(event?.id) }
    const span = { from: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' }
    for (const [name, work] of Object.entries({
      widen: () => key.call(webhooksApi.update, { params, body: hookOf(['message.created']) }),
      redirect: () => key.call(webhooksApi.update, { params, body: hookOf(['line.state'], `${program.url}/mine`) }),
      delete: () => key.call(webhooksApi.remove, { params }),
      secret: () => key.call(webhookToolsApi.secret, { params }),
      read: () => key.call(webhookToolsApi.delivery, { params: one }),
      again: () => key.call(webhookToolsApi.again, { params: one }),
      replay: () => key.call(webhookToolsApi.replay, { params, body: span }),
    }))
      expect(await refusal(work()), name).toBe('ERR_API_KEY_SCOPE')
    expect(JSON.stringify(await key.call(webhookToolsApi.deliveries, { params, query: {} }))).not.toContain('palabras')
    const reader = await keyWith(['webhooks', 'messages'])
    expect((await reader.call(webhookToolsApi.delivery, { params: one })).body).toContain('palabras')
  })

  it('gets no earlier events after it was changed by a key without the scope to read them', async () => {
    const own = await keyWith(['webhooks'])
    const hook = await subscribe(own, ['line.state'])
    // Simulates a key whose scopes were reduced while an event was pending.
    await harness
      .wide()
      .db.updateTable('webhooks')
      .set({ events: ['message.created'] })
      .where('id', '=', hook.id)
      .execute()
    harness.server.deps.webhookInterest.wake(desk.company.id)
    await desk.newTicket('secreto')
    const [event] = await waitUntilDelivered(hook.id)
    expect(event).toMatchObject({ type: 'message.created', state: 'given-up', tries: [{ error: 'keyscope' }] })
    expect(deliveredTypes()).toEqual([])
    expect(await desk.admin.call(webhooksApi.show, { params: { id: hook.id } })).toMatchObject({ active: true })
  })

  it.each(['revoked', 'expired'] as const)('is turned off once its key is %s', async (how) => {
    const expiresAt = new Date(harness.clock.now().getTime() + hours(1)).toISOString()
    const key = await keyWith(['webhooks', 'messages'], how === 'expired' ? { expiresAt } : {})
    const hook = await subscribe(key, ['message.created'])
    await desk.newTicket('antes')
    await waitUntilDelivered(hook.id)
    expect(deliveredTypes()).toEqual(['message.created'])
    program.reset()
    if (how === 'revoked') await desk.admin.call(apiKeysApi.revoke, { params: { id: key.keyId } })
    else
      await harness
        .wide()
        .db.updateTable('apiKeys')
        .set({ expiresAt: new Date(harness.clock.now().getTime() - 1000) })
        .where('id', '=', key.keyId)
        .execute()
    await desk.newTicket('después')
    await waitUntilDelivered(hook.id)
    expect(deliveredTypes()).toEqual([])
    expect(await desk.admin.call(webhooksApi.show, { params: { id: hook.id } })).toMatchObject({
      active: false,
      reason: 'keyended',
    })
    // An admin who saves the webhook takes it over from the key.
    await desk.admin.call(webhooksApi.update, { params: { id: hook.id }, body: hookOf(['message.created']) })
    await desk.newTicket('otra vez')
    await vi.waitFor(() => expect(deliveredTypes()).toContain('message.created'), { timeout: 20_000 })
  })

  it('is audited with the name of the key', async () => {
    const key = await keyWith(['webhooks'])
    const { id } = await subscribe(key, ['line.state'])
    await key.call(webhooksApi.remove, { params: { id } })
    const { entries } = await desk.admin.call(auditApi.list, { query: { deed: 'webhook' } as never })
    expect(entries.filter(({ about }) => about === id)).toMatchObject([
      { deed: 'webhook.deleted', key: { id: key.keyId, name: key.name } },
      { deed: 'webhook.created', key: { id: key.keyId, name: key.name } },
    ])
    const found = await desk.admin.call(auditApi.list, { query: { searchParam: key.name } as never })
    expect(found.entries.map(({ about }) => about)).toContain(id)
  })
})
