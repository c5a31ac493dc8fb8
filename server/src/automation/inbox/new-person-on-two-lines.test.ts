import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { addContact, waitForContactTurn } from '../../directory/contacts/contact-store.ts'
import { phoneKey } from '../../directory/contacts/identity.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { makeLog } from '../../kernel/log.ts'
import { makeLane } from './lane.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

it('stores a batch, and logs no warning, when another line has just created one of its new contacts', async () => {
  const written: string[] = []
  const lane = makeLane(
    harness.server.deps,
    await desk.loadLineRow(),
    makeLog('warn', { write: (entry) => written.push(entry) }),
  )
  const numbers = [nextPhoneNumber(), nextPhoneNumber()] as const
  const key = { kind: 'phone' as const, value: phoneKey(numbers[0]) as string }
  const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
  const waitingTransactions = async () =>
    (await sql`select from pg_locks where not granted`.execute(desk.db)).rows.length
  const received = await scope.transaction(async (tx) => {
    await tx.inBatch([
      async (one) => {
        await waitForContactTurn(one)
        await addContact(one, { name: 'Otra línea', number: numbers[0], whatsappId: null }, [key])
      },
    ])
    const receiving = lane.receive(numbers.map((number) => makeTextEvent(number, 'hola')))
    await vi.waitFor(async () => expect(await waitingTransactions()).toBeGreaterThan(0), { timeout: 5000 })
    return receiving
  })
  await received
  await lane.idle()
  const contacts = await desk.db
    .selectFrom('contacts')
    .select(['name', 'number'])
    .where('companyId', '=', desk.company.id)
    .where('number', 'in', numbers)
    .execute()
  expect(contacts.map(({ number }) => number).sort()).toEqual([...numbers].sort())
  const messages = await desk.db.selectFrom('messages').select('id').where('companyId', '=', desk.company.id).execute()
  expect(messages).toHaveLength(2)
  expect(written).toEqual([])
  await lane.close()
})
