import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeHouses, type House, house } from '../../../test/house.ts'
import type { InboundEvent } from '../line.ts'

let h: House
const heard: InboundEvent[] = []
beforeAll(async () => {
  h = await house({}, undefined, {
    sandbox: { reconnectMs: 20 },
    hear: async (_row, events) => void heard.push(...events),
  })
})
afterAll(closeHouses)

describe('smoke', () => {
  it('hears', async () => {
    const company = await h.company()
    const line = await h.line(company)
    const lucia = line.customer('5491155550001', 'Lucía')
    const id = await lucia.says('hola')
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    console.log(JSON.stringify(heard), id)
    console.log(await lucia.sees())
  })
})
