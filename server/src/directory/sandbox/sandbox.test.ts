import { connectionsApi } from '@recado/contract/connections'
import { sandboxApi } from '@recado/contract/sandbox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const calls = (id: number) =>
  [
    ['POST', `/sandbox/${id}/scan`],
    ['DELETE', `/sandbox/${id}/link`],
    ['GET', `/sandbox/${id}/customers`],
    ['POST', `/sandbox/${id}/customers`, { name: 'Lucía' }],
    ['POST', `/sandbox/${id}/messages`, { from: '5491155550001', body: 'hola' }],
    ['GET', `/sandbox/${id}/messages?with=5491155550001`],
    ['POST', `/sandbox/${id}/read`, { with: '5491155550001' }],
    ['POST', `/sandbox/${id}/typing`, { from: '5491155550001', typing: true }],
    ['GET', `/sandbox/${id}/behaviour`],
    ['PUT', `/sandbox/${id}/behaviour`, {}],
    ['POST', `/sandbox/${id}/disconnect`],
    ['GET', `/sandbox/${id}/inside?with=5491155550001`],
  ] as const

describe('the sandbox phone', () => {
  it('is available to admins, and only for test lines of their own company', async () => {
    const [company, other] = [await harness.createCompany(), await harness.createCompany()]
    const line = await harness.openLine(company)
    const real = await company.admin.call(connectionsApi.create, { body: { name: 'Real', provider: 'beta' } as never })
    const agent = await company.user()
    for (const [method, path, body] of calls(line.id)) {
      expect(await agent.request(method, path, body)).toMatchObject({
        status: 400,
        body: { error: 'ERR_NO_PERMISSION' },
      })
      expect(await other.admin.request(method, path, body)).toMatchObject({
        status: 404,
        body: { error: 'ERR_NO_WAPP_FOUND' },
      })
    }
    for (const [method, path, body] of calls(real.id))
      expect(await company.admin.request(method, path, body)).toMatchObject({
        status: 404,
        body: { error: 'ERR_NO_WAPP_FOUND' },
      })
    for (const [method, path, body] of calls(line.id))
      expect((await company.admin.request(method, path, body)).status).toBe(200)
    expect(
      await harness.wide().db.selectFrom('sandboxMessages').select('id').where('companyId', '=', other.id).execute(),
    ).toEqual([])
  })

  it('has any number of people and groups, sorted by the latest message', async () => {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    const params = { whatsappId: line.id }
    const made = await company.admin.call(sandboxApi.addCustomer, { params, body: { name: 'Sin número' } as never })
    expect(made).toEqual({
      number: expect.stringMatching(/^999\d{10}$/),
      name: 'Sin número',
      isGroup: false,
      members: [],
      unread: 0,
      last: '',
      typing: false,
      picture: null,
    })
    const group = await line.group('Familia', [made.number])
    expect(group).toMatchObject({ name: 'Familia', isGroup: true, members: [made.number] })
    const lucia = line.customer('+54 9 11 5555-0001', 'Lucía')
    await lucia.says('hola')
    const list = await company.admin.call(sandboxApi.customers, { params })
    expect(list.map((c) => [c.number, c.name, c.last])).toEqual([
      ['5491155550001', 'Lucía', 'hola'],
      [group.number, 'Familia', ''],
      [made.number, 'Sin número', ''],
    ])
    expect(await line.customer('+54 9 11 5555-0001').listMessages()).toHaveLength(1)
    await line.customer('5491155550001', 'Lucía Campos').says('otra vez')
    expect((await company.admin.call(sandboxApi.customers, { params }))[0]).toMatchObject({ name: 'Lucía Campos' })
  })

  it('shows a long chat in pages, oldest first within each', async () => {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    const lucia = line.customer('5491155550001')
    for (let n = 0; n < 43; n++) await lucia.says(`${n}`)
    const page = (pageNumber: number) =>
      company.admin.call(sandboxApi.messages, {
        params: { whatsappId: line.id },
        query: { with: lucia.number, pageNumber },
      })
    const [newest, oldest] = [await page(1), await page(2)]
    expect([newest.messages.length, newest.messages[0]?.body, newest.hasMore]).toEqual([40, '3', true])
    expect([oldest.messages.map((m) => m.body), oldest.hasMore]).toEqual([['0', '1', '2'], false])
  })

  it('stores the simulated faults that are configured for it', async () => {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    const params = { whatsappId: line.id }
    const good = { drop: 0, delayMs: 0, duplicate: 0, reorder: 0, failSends: '' }
    expect(await company.admin.call(sandboxApi.behaviour, { params })).toEqual(good)
    await line.setFaults({ duplicate: '0.5', failSends: 'blocked' })
    expect(await company.admin.call(sandboxApi.behaviour, { params })).toEqual({
      ...good,
      duplicate: 0.5,
      failSends: 'blocked',
    })
    expect((await company.admin.request('PUT', `/sandbox/${line.id}/behaviour`, { drop: 2 })).status).toBe(400)
  })

  it('lists the internal events of a chat, newest last, and only of that chat', async () => {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    const [lucia, ana] = [line.customer('5491155550001', 'Lucía'), line.customer('5491155550002', 'Ana')]
    await lucia.says('hola')
    await ana.says('buenas')
    const inside = await vi.waitFor(
      async () => {
        const found = await lucia.inside()
        expect(found.some((f) => f.kind === 'message' && f.steps.length > 1)).toBe(true)
        return found
      },
      { timeout: 5000 },
    )
    expect(inside.filter((f) => f.kind === 'message')).toHaveLength(1)
    expect(inside.every((f, i) => i === 0 || f.at >= (inside[i - 1]?.at ?? ''))).toBe(true)
    const heard = inside.find((f) => f.kind === 'message')
    expect(heard?.steps[0]).toMatchObject({ step: 'journalled' })
    expect(heard?.messageId).toMatch(/^\d+$/)
    await lucia.says('y por el otro id', { lid: '777', onlyLid: true })
    await vi.waitFor(async () => expect((await lucia.inside()).filter((f) => f.kind === 'message')).toHaveLength(2), {
      timeout: 5000,
    })
  })
})
