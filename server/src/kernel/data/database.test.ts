import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeHouses, type House, house } from '../../../test/house.ts'
import { makeLog } from '../log.ts'
import { mustKeepConnections } from './database.ts'

let h: House
beforeAll(async () => {
  h = await house()
})
afterAll(closeHouses)

describe('a connection', () => {
  it('is what it was told to be, or nothing begins', async () => {
    const log = makeLog('silent')
    await mustKeepConnections(h.databaseUrl, log)
    // As behind a pooler, which does not pass on with what a connection begins.
    const url = new URL(h.databaseUrl.replace('@/', '@localhost/'))
    url.searchParams.set('options', '-c timezone=UTC')
    await expect(mustKeepConnections(url.href, log)).rejects.toThrow(/pooler/)
  })
})
