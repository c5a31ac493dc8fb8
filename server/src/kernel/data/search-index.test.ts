import { afterAll, expect, it, vi } from 'vitest'
import { makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'
import { makeLog } from '../log.ts'
import { openPool } from './database.ts'

afterAll(closeTestServers)

it('adds new messages to the search index in the background, however few they are', async () => {
  const h = await testServer()
  const d = await openDesk(h)
  const owner = openOwnerPool(h)
  // Inspecting an index requires the database superuser.
  const server = openPool(h.databaseUrl.replace('//recado@', '//postgres@'), makeLog('silent'), { max: 1 })
  try {
    await server.query('create extension pageinspect')
    const unsorted = async () => {
      const { rows } = await server.query(
        `select n_pending_tuples::int as n from gin_metapage_info(get_raw_page('messages_search', 0))`,
      )
      return rows[0].n
    }
    const event = makeTextEvent(nextPhoneNumber(), 'zanahorias')
    await d.receive(event)
    await d.waitForMessage(event.id)
    // A new message first goes to the pending list of the index, unless that list is being merged at this very moment.
    await vi.waitFor(async () => {
      await owner.query(
        `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
         select "companyId", "ticketId", "contactId", "whatsappId", gen_random_uuid(), false, 'calabazas', now() from messages limit 1`,
      )
      expect(await unsorted()).toBeGreaterThan(0)
    })
    await vi.waitFor(async () => expect(await unsorted()).toBe(0))
  } finally {
    await owner.end()
    await server.end()
  }
})
