import { type Plan, plansApi } from '@recado/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'

let h: TestServer
let boss: TestUser
beforeAll(async () => {
  h = await testServer()
  boss = await h.superUser()
})
afterAll(closeTestServers)

let made = 0
const form = (over: object = {}) => ({ name: `Plan ${++made}`, users: 0, connections: 0, queues: 0, value: 0, ...over })
const create = (over: object = {}) =>
  boss.request<Plan & { error: string; fields: object }>('POST', '/plans', form(over))
const flags = [
  'useCampaigns',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
]

describe('plans', () => {
  it('include plans 1 and 2 on a new install, which anyone can read for the signup form', async () => {
    for (const path of ['/plans/all', '/plans/list']) {
      const { status, body } = await h.anonymous.request<Plan[]>('GET', path)
      expect(status).toBe(200)
      expect(body.map((p) => p.id).sort()).toEqual(expect.arrayContaining([1, 2]))
      for (const plan of body) {
        expect(Object.keys(plan).sort()).toEqual(
          ['id', 'name', 'users', 'connections', 'queues', 'value', 'currency', 'prices', 'storageMb', ...flags].sort(),
        )
        expect([typeof plan.value, typeof plan.users, typeof plan.useKanban]).toEqual(['number', 'number', 'boolean'])
      }
    }
  })

  it.each([
    ['1.234,5', 1234.5],
    ['99,9', 99.9],
    ['99.9', 99.9],
    ['1.234.567,89', 1_234_567.89],
    ['1.234', 1234],
    ['12.345.678', 12_345_678],
    ['1.23', 1.23],
    ['0.500', 0.5],
    ['R$ 1.234,50', 1234.5],
    ['  42 ', 42],
    [0, 0],
    [30.25, 30.25],
  ])('read the price %j as %d', async (given, value) => {
    const { status, body } = await create({ value: given })
    expect([status, body.value]).toEqual([200, value])
    // The form shows the price in pt-BR, without trailing zeros, and sends that text back.
    for (const minimumFractionDigits of [0, 1]) {
      const shown = value.toLocaleString('pt-br', { minimumFractionDigits })
      expect((await boss.request<Plan>('PUT', `/plans/${body.id}`, { ...body, value: shown })).body.value).toBe(value)
    }
  })

  it('refuse an invalid price or number', async () => {
    for (const value of ['free', '', '1,2,3', '-5', -1, 'Infinity', '1e30', null, [], '1,5x']) {
      expect(await create({ value }), JSON.stringify(value)).toMatchObject({
        status: 400,
        body: { error: 'ERR_VALIDATION', fields: { value: expect.any(String) } },
      })
    }
    for (const users of [-1, 1.5, 'many', 3_000_000_000])
      expect(await create({ users }), String(users)).toMatchObject({
        status: 400,
        body: { fields: { users: expect.any(String) } },
      })
    expect(await create({ name: 'x' })).toMatchObject({ status: 400, body: { fields: { name: 'Too Short!' } } })
  })

  it('are created with everything allowed, changed and deleted, and published only to super users', async () => {
    const [socketClient, other] = [await boss.listen(), await (await h.createCompany()).admin.listen()]
    const { body: plan } = await create({ users: '10', connections: '2', queues: '5', value: '99,90' })
    expect(plan).toMatchObject({
      users: 10,
      connections: 2,
      queues: 5,
      value: 99.9,
      ...Object.fromEntries(flags.map((f) => [f, true])),
    })
    const changed = await boss.request<Plan>('PUT', `/plans/${plan.id}`, {
      ...plan,
      name: 'Renamed',
      useKanban: false,
      useOpenAi: 'false',
      useSchedules: 'true',
      createdAt: 'junk',
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Renamed', useKanban: false, useOpenAi: false, useSchedules: true },
    })
    expect(await boss.request('DELETE', `/plans/${plan.id}`)).toMatchObject({
      status: 200,
      body: { message: 'deleted' },
    })
    expect(await boss.request('GET', `/plans/${plan.id}`)).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_PLAN_FOUND' },
    })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((e) => e.name === 'platform-plan').map((e) => e.payload)).toEqual([
      { action: 'create', record: plan },
      { action: 'update', record: changed.body },
      { action: 'delete', id: plan.id },
    ])
    await other.whenCaughtUp()
    expect(other.received.filter((e) => e.name === 'platform-plan')).toEqual([])
    socketClient.close()
  })

  it('refuse a name in use, and the deletion of a plan in use', async () => {
    const { body: plan } = await create()
    expect(await create({ name: plan.name.toUpperCase() })).toMatchObject({
      status: 409,
      body: { error: 'ERR_PLAN_NAME_ALREADY_EXISTS' },
    })
    expect(await boss.request('PUT', '/plans/1', form({ name: plan.name }))).toMatchObject({
      status: 409,
      body: { error: 'ERR_PLAN_NAME_ALREADY_EXISTS' },
    })
    await h.createCompany()
    expect(await boss.request('DELETE', '/plans/2')).toMatchObject({ status: 409, body: { error: 'ERR_PLAN_IN_USE' } })
    expect((await h.anonymous.request<Plan[]>('GET', '/plans/all')).body.map((p) => p.id)).toContain(2)
  })

  it('can be written only by the super user, and read by everyone', async () => {
    const company = await h.createCompany()
    for (const who of [company.admin, await company.user()]) {
      expect(await who.request('GET', '/plans/2')).toMatchObject({ status: 200, body: { id: 2, value: 90 } })
      for (const [method, path] of [
        ['GET', '/plans'],
        ['POST', '/plans'],
        ['PUT', '/plans/1'],
        ['DELETE', '/plans/1'],
      ] as const) {
        expect(await who.request(method, path, method === 'GET' ? undefined : form())).toMatchObject({
          status: 400,
          body: { error: 'ERR_NO_PERMISSION' },
        })
      }
    }
    expect(await h.anonymous.request('GET', '/plans/2')).toMatchObject({ status: 401 })
    expect(await boss.call(plansApi.list, { query: { searchParam: 'COMPL' } })).toMatchObject({
      plans: [{ id: 2, name: 'Completo' }],
      count: 1,
      hasMore: false,
    })
  })
})
