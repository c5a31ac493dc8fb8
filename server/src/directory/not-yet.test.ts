import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeHouses, type House, house } from '../../test/house.ts'

let h: House
beforeAll(async () => {
  h = await house()
})
afterAll(closeHouses)

it('lists that older clients read on every page are empty for everybody, whatever the plan', async () => {
  const { user } = await h.company()
  const agent = await user()
  const empty = { count: 0, hasMore: false }
  for (const [path, reply] of [
    ['/prompt', { prompts: [], ...empty }],
    ['/queueIntegration', { queueIntegrations: [], ...empty }],
    ['/queueIntegration/?searchParam=a&pageNumber=2', { queueIntegrations: [], ...empty }],
  ] as const)
    expect(await agent.ask('GET', path)).toMatchObject({ status: 200, body: reply })
})
