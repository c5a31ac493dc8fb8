import { apiKeysApi } from '@recado/contract/api-access/api-keys'
import { auditApi } from '@recado/contract/api-access/audit'
import { contactsApi } from '@recado/contract/contacts'
import type { KeyScope } from '@recado/contract/endpoint'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import type { HttpCaller } from '../../../test/http-caller.ts'
import { closeTestServers, makeCaller, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { mergeContacts } from './merge-contacts.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number }
let support: { id: number }
let seller: TestUser
let otherQueueAgent: TestUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue()
  support = await desk.createQueue()
  seller = await desk.createUser('user', [sales])
  otherQueueAgent = await desk.createUser('user')
})
afterAll(closeTestServers)

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (e: { code: string }) => e.code,
  )
const renumber = (by: HttpCaller, id: number, number: string, more: object = {}) =>
  by.call(contactsApi.update, { params: { id }, body: { name: 'Sol', number, ...more } as never })
const numberOf = async (id: number) => (await desk.admin.call(contactsApi.show, { params: { id } })).number

/** A customer with a ticket in the seller's queue that the seller attends. */
async function createAttendedCustomer() {
  const { customer, id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: sales.id })
  await desk.accept(seller, id)
  const { contactId } = await desk.showTicket(id)
  return { customer, id, contactId, before: await numberOf(contactId) }
}
async function keyWith(...scopes: KeyScope[]) {
  await harness.wide().db.updateTable('plans').set({ useExternalApi: true }).execute()
  const name = `Program ${scopes.join(' ')}`
  const { key } = await desk.admin.call(apiKeysApi.create, { body: { name, scopes } as never })
  return Object.assign(makeCaller(harness.address, key), { keyName: name })
}
const latest = async (action: string) =>
  (await desk.admin.call(auditApi.list, { query: { deed: action } as never })).entries[0]

describe('changing the number of a contact', () => {
  it('is refused to users who do not see the conversation', async () => {
    const { contactId, before } = await createAttendedCustomer()
    const colleague = await desk.createUser('user', [sales])
    const leader = await desk.createUser('supervisor', [support])
    for (const by of [otherQueueAgent, colleague, leader])
      for (const more of [{}, { confirmNumber: true }])
        expect(await refusal(renumber(by, contactId, nextPhoneNumber(), more))).toBe('ERR_CONTACT_CONVERSATIONS')
    expect(await numberOf(contactId)).toBe(before)
  })

  it('is refused while one of several tickets is hidden from the user', async () => {
    const { id, contactId, customer } = await createAttendedCustomer()
    await desk.putTicket(seller, id, { status: 'closed' })
    await desk.putTicket(desk.admin, id, { status: 'closed', queueId: support.id })
    const again = await desk.waitForMessage(await customer.says('otra cosa'))
    await desk.putTicket(desk.admin, again.ticketId, { queueId: sales.id, status: 'pending', userId: null })
    const helper = await desk.createUser('user', [support])
    expect(await refusal(renumber(helper, contactId, nextPhoneNumber(), { confirmNumber: true }))).toBe(
      'ERR_CONTACT_CONVERSATIONS',
    )
  })

  it('asks for confirmation while a ticket is active, and then records the change in the conversation and the audit', async () => {
    const { id, contactId, before } = await createAttendedCustomer()
    const next = nextPhoneNumber()
    expect(await refusal(renumber(seller, contactId, next))).toBe('ERR_CONTACT_NUMBER_CONFIRM')
    expect(await numberOf(contactId)).toBe(before)
    const socketClient = await seller.listen()
    const { number } = await renumber(seller, contactId, next, { confirmNumber: true })
    expect(number).not.toBe(before)
    const line = (await desk.listEvents(id)).flatMap(({ steps, actor }) => steps.map((step) => ({ ...step, actor })))
    expect(line).toContainEqual(
      expect.objectContaining({
        step: 'renumbered',
        with: { from: before, to: number },
        actor: { id: seller.id, name: expect.anything() },
      }),
    )
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    expect(await latest('contact.renumbered')).toMatchObject({
      about: contactId,
      by: { id: seller.id },
      key: null,
      name: expect.stringContaining('Sol'),
      changes: [{ field: 'number', from: before, to: number }],
    })
  })

  it('needs no confirmation for the same number, for other fields, or without an active ticket', async () => {
    const { id, contactId, before } = await createAttendedCustomer()
    await renumber(otherQueueAgent, contactId, before)
    await renumber(otherQueueAgent, contactId, '')
    await desk.putTicket(seller, id, { status: 'closed' })
    await renumber(seller, contactId, nextPhoneNumber())
    const fresh = await otherQueueAgent.call(contactsApi.create, { body: { name: 'Nadie', number: nextPhoneNumber() } })
    await renumber(otherQueueAgent, fresh.id, nextPhoneNumber())
  })

  it('is refused to users who do not see a message that a colleague has scheduled for the contact', async () => {
    const { id: contactId } = await desk.admin.call(contactsApi.create, {
      body: { name: 'Luz', number: nextPhoneNumber() },
    })
    const sendAt = new Date(harness.clock.now().getTime() + 86_400_000).toISOString()
    await seller.call(schedulesApi.create, { body: { contactId, body: 'Mañana', sendAt } as never })
    expect(await refusal(renumber(otherQueueAgent, contactId, nextPhoneNumber()))).toBe('ERR_CONTACT_CONVERSATIONS')
    await renumber(seller, contactId, nextPhoneNumber())
  })

  it('requires an API key that may read messages, and is audited with the key’s name', async () => {
    const { contactId } = await createAttendedCustomer()
    const next = nextPhoneNumber()
    const blind = await keyWith('contacts')
    expect(await refusal(renumber(blind, contactId, next, { confirmNumber: true }))).toBe('ERR_API_KEY_SCOPE')
    const reading = await keyWith('contacts', 'messages')
    expect(await refusal(renumber(reading, contactId, next))).toBe('ERR_CONTACT_NUMBER_CONFIRM')
    await renumber(reading, contactId, next, { confirmNumber: true })
    expect(await latest('contact.renumbered')).toMatchObject({ key: { name: reading.keyName } })
    expect((await desk.admin.request<string>('GET', '/audit/export')).body).toContain(reading.keyName)
  })
})

describe('splitting merged contacts', () => {
  it('is refused to a supervisor who does not see the conversations of these contacts', async () => {
    const kept = await createAttendedCustomer()
    const gone = await createAttendedCustomer()
    const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
    await scope.transaction((tx) => mergeContacts(tx, kept.contactId, gone.contactId, 'phone', deskContactHooks))
    const [merge] = await desk.admin.call(contactsApi.merges, { params: { id: kept.contactId } })
    const params = { id: merge?.id as number }
    const leader = await desk.createUser('supervisor', [support])
    expect(await refusal(leader.call(contactsApi.unmerge, { params }))).toBe('ERR_CONTACT_CONVERSATIONS')
    const own = await desk.createUser('supervisor', [sales])
    await own.call(contactsApi.unmerge, { params })
    expect(await latest('contact.separated')).toMatchObject({ about: gone.contactId, by: { id: own.id } })
  })
})
