import { apiKeysApi } from '@recado/contract/api-access/api-keys'
import { auditApi } from '@recado/contract/api-access/audit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, makeCaller, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { addMs, days } from '../../kernel/clock.ts'

let harness: TestServer
let admin: TestUser
beforeAll(async () => {
  harness = await testServer()
  admin = (await harness.createCompany()).admin
})
afterAll(closeTestServers)

const write = { name: 'Reservas', scopes: ['webhooks' as const], whatsappIds: [], expiresAt: null }

describe('an API key', () => {
  it('is shown only when it is created, and stored only as a hash', async () => {
    const { key, ...made } = await admin.call(apiKeysApi.create, { body: write })
    expect(key).toMatch(/^rk_[\w-]{32}$/)
    expect(made).toMatchObject({ name: 'Reservas', scopes: ['webhooks'], lines: [], revokedAt: null, lastUsedAt: null })
    expect(made.hint).toBe(`${key.slice(0, 7)}…${key.slice(-4)}`)
    const { apiKeys } = await admin.call(apiKeysApi.list, {})
    expect(apiKeys).toEqual([made])
    const rows = await harness.wide().db.selectFrom('apiKeys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  it('can call no route without the needed scope, and no route at all once it is revoked or expired', async () => {
    const { key, id } = await admin.call(apiKeysApi.create, { body: write })
    const program = makeCaller(harness.address, key)
    expect(await program.request('GET', '/tags')).toMatchObject({ status: 403, body: { error: 'ERR_API_KEY_SCOPE' } })
    const soon = addMs(harness.clock.now(), days(1)).toISOString()
    const brief = await admin.call(apiKeysApi.create, { body: { ...write, expiresAt: soon } })
    await admin.call(apiKeysApi.revoke, { params: { id } })
    expect(await program.request('GET', '/tags')).toMatchObject({ status: 401, body: { error: 'ERR_API_KEY' } })
    harness.clock.advance(days(2))
    expect(await makeCaller(harness.address, brief.key).request('GET', '/tags')).toMatchObject({ status: 401 })
    harness.clock.advance(-days(2))
    expect(await makeCaller(harness.address, `${brief.key}x`).request('GET', '/tags')).toMatchObject({ status: 401 })
    // Revoking a second time changes nothing.
    const again = await admin.call(apiKeysApi.revoke, { params: { id } })
    expect(again.revokedAt).not.toBeNull()
  })

  it('with the contacts scope reads contact cards, and no messages', async () => {
    const { id } = (await admin.request<{ id: number }>('POST', '/contacts', { name: 'Beto', number: '5511987650042' }))
      .body
    const ask = async (scope: 'contacts' | 'messages' | 'tickets', path: string) => {
      const { key } = await admin.call(apiKeysApi.create, { body: { ...write, scopes: [scope] } })
      return (await makeCaller(harness.address, key).request('GET', path)).status
    }
    expect(await ask('contacts', `/contacts/${id}`)).toBe(200)
    for (const [what, scope] of [
      ['media', 'messages'],
      ['tickets', 'tickets'],
    ] as const) {
      expect(await ask('contacts', `/contacts/${id}/${what}`)).toBe(403)
      expect(await ask(scope, `/contacts/${id}/${what}`)).toBe(200)
    }
  })

  it('reports when the line it was bound to is deleted, and does not become valid for all lines', async () => {
    const { id: whatsappId } = (await admin.request<{ id: number }>('POST', '/whatsapp', { name: 'Recepción' })).body
    const { id, lines, linesGone } = await admin.call(apiKeysApi.create, {
      body: { ...write, whatsappIds: [whatsappId] },
    })
    expect([lines.map(({ name }) => name), linesGone]).toEqual([['Recepción'], 0])
    await admin.request('DELETE', `/whatsapp/${whatsappId}`)
    const { apiKeys } = await admin.call(apiKeysApi.list, {})
    expect(apiKeys.find((one) => one.id === id)).toMatchObject({ lines: [], linesGone: 1 })
  })

  it('of the super user is limited to the super user’s company', async () => {
    const boss = await harness.superUser()
    const { key } = await boss.call(apiKeysApi.create, { body: { ...write, scopes: ['contacts', 'tickets'] } })
    const path = `/users/list?companyId=${admin.companyId}`
    const ids = async (who: Pick<TestUser, 'request'>) =>
      (await who.request<{ id: number }[]>('GET', path)).body.map((user) => user.id)
    expect(await ids(boss)).toContain(admin.id)
    expect(await ids(makeCaller(harness.address, key))).toEqual([boss.id])
  })

  it('is created and revoked with an entry in the audit', async () => {
    const { id } = await admin.call(apiKeysApi.create, { body: { ...write, name: 'Planilla' } })
    await admin.call(apiKeysApi.revoke, { params: { id } })
    const { entries } = await admin.call(auditApi.list, { query: { deed: 'key' } })
    expect(entries.slice(0, 2)).toMatchObject([
      { deed: 'key.revoked', about: id, name: 'Planilla', by: { id: admin.id } },
      { deed: 'key.created', about: id, name: 'Planilla', by: { id: admin.id } },
    ])
  })
})
