import { type Help, helpsApi } from '@recado/contract/helps'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let superUser: TestUser
beforeAll(async () => {
  harness = await testServer()
  superUser = await harness.superUser()
})
afterAll(closeTestServers)

const create = (over: object = {}) =>
  superUser.request<Help & { error: string }>('POST', '/helps', {
    title: 'Primeros pasos',
    description: 'En dos minutos',
    video: 'aqz-KE-bpKQ',
    ...over,
  })

describe('help videos', () => {
  it('are managed by the super user and read by everybody, with live updates', async () => {
    const { admin, user } = await harness.createCompany()
    const agent = await user()
    const socketClient = await agent.listen()
    const { body: help } = await create()
    expect(help).toEqual({ id: help.id, title: 'Primeros pasos', description: 'En dos minutos', video: 'aqz-KE-bpKQ' })
    expect(await agent.call(helpsApi.all)).toEqual([help])
    const changed = await superUser.call(helpsApi.update, {
      params: { id: help.id },
      body: { ...help, title: 'Antes de todo' },
    })
    expect(await admin.call(helpsApi.list, { query: { searchParam: 'TODO' } })).toEqual({
      records: [changed],
      count: 1,
      hasMore: false,
    })
    for (const [method, path] of [
      ['POST', '/helps'],
      ['PUT', `/helps/${help.id}`],
      ['DELETE', `/helps/${help.id}`],
    ] as const) {
      expect(await admin.request(method, path, help)).toMatchObject({
        status: 400,
        body: { error: 'ERR_NO_PERMISSION' },
      })
    }
    await superUser.call(helpsApi.remove, { params: { id: help.id } })
    expect(await superUser.request('GET', `/helps/${help.id}`)).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_HELP_FOUND' },
    })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((e) => e.name === 'company-help').map((e) => e.payload)).toEqual([
      { action: 'create', record: help },
      { action: 'update', record: changed },
      { action: 'delete', id: help.id },
    ])
  })

  it.each([
    ['aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    ['https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=10s', 'aqz-KE-bpKQ'],
    ['https://youtu.be/aqz-KE-bpKQ?si=x', 'aqz-KE-bpKQ'],
    ['https://www.youtube.com/embed/aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    ['https://www.youtube.com/shorts/aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    ['', ''],
    [null, ''],
  ])('have the right video id when saved as %j', async (given, video) => {
    expect(await create({ video: given })).toMatchObject({ status: 200, body: { video } })
  })

  it('refuse a URL that is not a video, and a video without a title', async () => {
    for (const video of ['https://evil.example/x', 'javascript:alert(1)', '"><script>', 'a b']) {
      expect(await create({ video }), video).toMatchObject({
        status: 400,
        body: { error: 'ERR_VALIDATION', fields: { video: 'Invalid' } },
      })
    }
    expect(await create({ title: ' ' })).toMatchObject({ status: 400, body: { fields: { title: 'Required' } } })
    expect((await create({ description: null })).body.description).toBe('')
  })
})
