import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

it('returns the empty lists that older clients read on every page, to every user on any plan', async () => {
  const { user } = await harness.createCompany()
  const agent = await user()
  const empty = { count: 0, hasMore: false }
  for (const [path, reply] of [
    ['/prompt', { prompts: [], ...empty }],
    ['/queueIntegration', { queueIntegrations: [], ...empty }],
    ['/queueIntegration/?searchParam=a&pageNumber=2', { queueIntegrations: [], ...empty }],
  ] as const)
    expect(await agent.request('GET', path)).toMatchObject({ status: 200, body: reply })
})
