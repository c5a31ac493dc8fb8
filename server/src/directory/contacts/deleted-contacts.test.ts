import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { apiKeysApi } from '@recado/contract/api-access/api-keys'
import { auditApi } from '@recado/contract/api-access/audit'
import { contactErasureApi } from '@recado/contract/api-access/export-and-erasure'
import { contactsApi } from '@recado/contract/contacts'
import type { KeyScope } from '@recado/contract/endpoint'
import { notesApi } from '@recado/contract/tickets'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { type FixtureTable, insertFixtures, openOwnerPool, readFixtureTables } from '../../../test/fixtures.ts'
import { closeTestServers, makeCaller, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { days } from '../../kernel/clock.ts'
import { deletedContactJobs } from './deleted-contacts.ts'

let harness: TestServer
let desk: Desk
let owner: pg.Pool
let tables: FixtureTable[]
let sales: { id: number }
let seller: TestUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
  sales = await desk.createQueue()
  seller = await desk.createUser('user', [sales])
})
afterAll(async () => {
  await owner?.end()
  await closeTestServers()
})

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (e: { code: string }) => e.code,
  )
const remove = (id: number, by: Pick<TestUser, 'call'> = desk.admin) => by.call(contactsApi.remove, { params: { id } })
const deletedOf = async (contactId: number) =>
  (await desk.admin.call(contactsApi.deleted, { query: {} })).deleted.find((one) => one.contactId === contactId)
const restore = async (contactId: number) =>
  desk.admin.call(contactsApi.restore, { params: { id: (await deletedOf(contactId))?.id as number } })
const filesOf = () => readdir(join(harness.dataDir, 'files', String(desk.company.id))).catch(() => [])
const latest = async (action: string) =>
  (await desk.admin.call(auditApi.list, { query: { deed: action } as never })).entries[0]

/** A contact who wrote, was answered, sent a picture and has a note. */
async function createKnownContact() {
  const { customer, id } = await desk.newTicket('hola, soy yo')
  await desk.putTicket(desk.admin, id, { queueId: sales.id })
  await desk.accept(seller, id)
  await desk.send(seller, id, 'Buen día')
  const { id: messageId } = await desk.waitForMessage(
    await customer.sends(new File([tinyPng], 'foto.png', { type: 'image/png' })),
  )
  await vi.waitFor(async () => {
    const picture = desk.db.selectFrom('messages').select('mediaState').where('id', '=', messageId)
    expect((await picture.executeTakeFirstOrThrow()).mediaState).toBe('ready')
  })
  await seller.call(notesApi.create, { body: { note: 'Paga puntual', ticketId: id } as never })
  const { contactId } = await desk.showTicket(id)
  return { customer, id, contactId }
}

/** All rows of the company by table, sorted, without counters and change logs. */
async function readAllRows(): Promise<Record<string, string[]>> {
  const left =
    /^(deletedContact|audit|campaignNews|campaigns$|figure|tallies|ticketTallies|ticketView(Members|Tallies|Changes)|journal|lineErrands|sessions|lineLeases|linePaceDays|lineSends|lineUp|sandbox|webhookEvents|asks|webhookDeliveries|ratingRequests|users|userOnline|userActivity|availabilitySpans|liveWords)/
  const all: Record<string, string[]> = {}
  for (const { name, columns } of tables) {
    if (left.test(name) || !columns.some((column) => column.name === 'companyId')) continue
    const { rows } = await owner.query<{ row: string }>(
      `select (to_jsonb(t) - 'updatedAt' - 'botLeft' - 'laneSayAt' - 'updatedMinute' - 'state' - 'error' - 'reason' - 'settledAt')::text as row from "${name}" t where "companyId" = $1 order by 1`,
      [desk.company.id],
    )
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

describe('deleting a contact', () => {
  it('is refused to users who do not see the conversations of the contact', async () => {
    const { contactId } = await createKnownContact()
    const other = await desk.createUser('supervisor', [await desk.createQueue()])
    expect(await refusal(remove(contactId, other))).toBe('ERR_CONTACT_CONVERSATIONS')
    await harness.wide().db.updateTable('plans').set({ useExternalApi: true }).execute()
    const keyWith = async (...scopes: KeyScope[]) => {
      const { key } = await desk.admin.call(apiKeysApi.create, { body: { name: `Key ${scopes}`, scopes } as never })
      return makeCaller(harness.address, key)
    }
    expect(await refusal(remove(contactId, await keyWith('contacts')))).toBe('ERR_API_KEY_SCOPE')
    expect(await deletedOf(contactId)).toBeUndefined()
    await remove(contactId, await keyWith('contacts', 'messages'))
    expect(await latest('contact.deleted')).toMatchObject({ about: contactId, key: { name: 'Key contacts,messages' } })
    expect(await deletedOf(contactId)).toMatchObject({ key: 'Key contacts,messages', tickets: 1 })
  })

  it('removes the contact at once, and audits the deletion with the contact’s name', async () => {
    const { id, contactId } = await createKnownContact()
    const { name, number } = await desk.admin.call(contactsApi.show, { params: { id: contactId } })
    const files = await filesOf()
    const socketClient = await seller.listen()
    await remove(contactId)
    await socketClient.waitFor(`company-${desk.company.id}-contact`, { action: 'delete' })
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'delete' })
    expect(await refusal(desk.showTicket(id))).toBe('ERR_NO_TICKET_FOUND')
    expect(await refusal(desk.admin.call(contactsApi.show, { params: { id: contactId } }))).toBe('ERR_NO_CONTACT_FOUND')
    for (const table of ['contacts', 'tickets', 'messages', 'ticketNotes', 'contactIdentities', 'ticketEvents']) {
      const column =
        table === 'contacts' ? 'id' : table === 'tickets' || table === 'contactIdentities' ? 'contactId' : 'ticketId'
      const of = column === 'ticketId' ? id : contactId
      const { rows } = await owner.query(`select 1 from "${table}" where "companyId" = $1 and "${column}" = $2`, [
        desk.company.id,
        of,
      ])
      expect(rows, table).toEqual([])
    }
    expect(await filesOf()).toEqual(expect.arrayContaining(files))
    expect(await latest('contact.deleted')).toMatchObject({
      about: contactId,
      by: { id: desk.admin.id },
      name: `${name} · +${number}`,
    })
    const found = await desk.admin.call(contactsApi.deleted, { query: { searchParam: name } })
    expect(found).toMatchObject({
      count: 1,
      deleted: [{ contactId, name, number, messages: 3, by: { id: desk.admin.id } }],
    })
    for (const profile of ['user', 'supervisor'] as const)
      expect(await refusal((await desk.createUser(profile)).call(contactsApi.deleted, { query: {} }))).toBe(
        'ERR_NO_PERMISSION',
      )
  })
})

describe('restoring a contact', () => {
  it('restores the rows of every table', async () => {
    const { id, contactId } = await createKnownContact()
    // A row in every table that references the contact.
    await insertFixtures(
      owner,
      tables,
      { id: desk.company.id, mark: 'Mueble', person: desk.admin.id },
      {
        contacts: { companyId: desk.company.id, id: contactId },
        tickets: { companyId: desk.company.id, id },
        whatsapps: { companyId: desk.company.id, id: desk.line.id },
      },
    )
    // An earlier deletion in the fixtures names the same contact.
    await owner.query(`delete from "deletedContacts" where "contactId" = $1`, [contactId])
    const before = await readAllRows()
    await remove(contactId)
    const between = await readAllRows()
    const touched = Object.keys(before).filter((name) => before[name]?.length !== between[name]?.length)
    expect(touched.length).toBeGreaterThan(12)
    const socketClient = await seller.listen()
    await restore(contactId)
    await socketClient.waitFor(`company-${desk.company.id}-contact`, { action: 'update' })
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    const after = await readAllRows()
    for (const name of Object.keys(before)) expect(after[name], name).toEqual(before[name])
    expect(await deletedOf(contactId)).toBeUndefined()
    expect(await latest('contact.restored')).toMatchObject({ about: contactId, by: { id: desk.admin.id } })
  })

  it('continues the conversation, and does not send messages that were pending at the deletion', async () => {
    const { customer, id, contactId } = await createKnownContact()
    await desk.db
      .updateTable('messages')
      .set({ state: 'queued' })
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .execute()
    await remove(contactId)
    await restore(contactId)
    const thread = await desk.listMessages(seller, id)
    expect(thread.map(({ body }) => body)).toContain('hola, soy yo')
    const { rows } = await owner.query(`select state, error from messages where "ticketId" = $1 and "fromMe"`, [id])
    expect(rows).toContainEqual({ state: 'failed', error: 'contact-gone' })
    const { ticketId } = await desk.waitForMessage(await customer.says('aquí sigo'))
    expect(ticketId).toBe(id)
    expect(
      await desk.admin.request(
        'GET',
        (thread.find(({ mediaUrl }) => mediaUrl)?.mediaUrl ?? '').replace(/^https?:\/\/[^/]+/, ''),
      ),
    ).toMatchObject({ status: 200 })
  })

  it('merges the restored contact with the new contact of a customer who has written since', async () => {
    const { customer, id, contactId } = await createKnownContact()
    await remove(contactId)
    const fresh = await desk.waitForMessage(await customer.says('¿hay alguien?'))
    expect(fresh.ticketId).not.toBe(id)
    const { contactId: newer } = await desk.showTicket(fresh.ticketId)
    expect(newer).not.toBe(contactId)
    const kept = await restore(contactId)
    expect(kept.id).toBe(newer)
    expect((await desk.showTicket(id)).contactId).toBe(newer)
    const [merge] = await desk.admin.call(contactsApi.merges, { params: { id: newer } })
    expect(merge).toMatchObject({ reason: 'phone' })
  })

  it('leaves out references that were deleted meanwhile: a queue, an agent, a tag', async () => {
    const night = await desk.createQueue()
    const agent = await desk.createUser('user', [night])
    const { id, contactId } = await createKnownContact()
    await desk.putTicket(desk.admin, id, { queueId: night.id, userId: agent.id })
    await remove(contactId)
    await owner.query('delete from queues where id = $1', [night.id])
    await owner.query('delete from users where id = $1', [agent.id])
    await restore(contactId)
    expect(await desk.showTicket(id)).toMatchObject({ queueId: null, userId: null, contactId })
  })

  it('is for admins only', async () => {
    const { contactId } = await createKnownContact()
    await remove(contactId)
    const params = { id: (await deletedOf(contactId))?.id as number }
    const leader = await desk.createUser('supervisor', [sales])
    expect(await refusal(leader.call(contactsApi.restore, { params }))).toBe('ERR_NO_PERMISSION')
    expect(await refusal(leader.call(contactsApi.purge, { params }))).toBe('ERR_NO_PERMISSION')
  })
})

describe('a deleted contact', () => {
  const gone = async (contactId: number) => {
    const { rows } = await owner.query(`select 1 from "deletedContacts" where "contactId" = $1`, [contactId])
    return rows.length === 0
  }

  it('is purged manually with its files, and its name is removed from the audit', async () => {
    const { contactId } = await createKnownContact()
    const { rows: own } = await owner.query<{ mediaPath: string }>(
      `select "mediaPath" from messages where "contactId" = $1 and "mediaPath" is not null`,
      [contactId],
    )
    await remove(contactId)
    expect(await filesOf()).toContain(own[0]?.mediaPath)
    const params = { id: (await deletedOf(contactId))?.id as number }
    await desk.admin.call(contactsApi.purge, { params })
    expect(await refusal(desk.admin.call(contactsApi.purge, { params }))).toBe('ERR_NO_DELETEDCONTACT_FOUND')
    expect(await gone(contactId)).toBe(true)
    await vi.waitFor(async () => expect(await filesOf()).not.toContain(own[0]?.mediaPath), { timeout: 20_000 })
    expect(await latest('contact.purged')).toMatchObject({ about: contactId, name: '' })
    const { entries } = await desk.admin.call(auditApi.list, { query: { deed: 'contact.deleted' } as never })
    expect(entries.find(({ about }) => about === contactId)).toMatchObject({ name: '' })
  })

  it('is purged automatically after 30 days, not before', async () => {
    const { contactId } = await createKnownContact()
    await remove(contactId)
    const purge = deletedContactJobs(harness.server.deps)['contacts:purge']
    const run = () => (purge as never as (payload: object, helpers: object) => Promise<void>)({}, {})
    await desk.withClockForward(days(29), run)
    expect(await gone(contactId)).toBe(false)
    await desk.withClockForward(days(31), run)
    expect(await gone(contactId)).toBe(true)
    const { entries } = await desk.admin.call(auditApi.list, { query: { deed: 'contact.purged' } as never })
    expect(entries.find(({ about }) => about === contactId)).toMatchObject({ by: { id: 0, name: 'Recado' } })
  })

  it('is purged at once when the same person’s data is erased', async () => {
    const { customer, contactId } = await createKnownContact()
    await remove(contactId)
    const { ticketId } = await desk.waitForMessage(await customer.says('otra vez yo'))
    const { contactId: newer } = await desk.showTicket(ticketId)
    const { id } = await desk.admin.call(contactErasureApi.erase, { params: { id: newer } })
    await vi.waitFor(
      async () => expect((await desk.admin.call(contactErasureApi.erasure, { params: { id } })).state).toBe('done'),
      { timeout: 30_000, interval: 50 },
    )
    expect(await gone(contactId)).toBe(true)
  })
})
