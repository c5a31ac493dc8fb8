import { contactDuplicatesApi } from '@recado/contract/contact-duplicates/contact-duplicates'
import { contactsApi } from '@recado/contract/contacts'
import { skillsApi } from '@recado/contract/routing/skills'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number }
let support: { id: number }
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue()
  support = await desk.createQueue()
})
afterAll(closeTestServers)

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (e: { code: string }) => e.code,
  )
const createContact = (name: string, more: object = {}) =>
  desk.admin.call(contactsApi.create, { body: { name, number: nextPhoneNumber(), ...more } })
const show = (id: number) => desk.admin.call(contactsApi.show, { params: { id } })
const duplicatesOf = async (id: number, by: TestUser = desk.admin) =>
  (await by.call(contactDuplicatesApi.ofContact, { params: { id } })).pairs
const join = (id: number, otherId: number, more: object = {}, by: TestUser = desk.admin) =>
  by.call(contactDuplicatesApi.join, { params: { id }, body: { otherId, ...more } as never })
const separate = (id: number) => desk.admin.call(contactsApi.unmerge, { params: { id } })
const fieldsOf = async (id: number) =>
  (await show(id)).extraInfo.map(({ name, value }) => `${name}: ${value}`).toSorted()

describe('likely duplicates', () => {
  it('are found by e-mail, full name and codes in own fields, with the evidence', async () => {
    const fields = [{ name: 'CUIT', value: '27-28456789-2' }]
    const one = await createContact('Carolina Ferrer', { email: 'Caro@mail.example', extraInfo: fields })
    const two = await createContact('carolina ferrer', { email: 'caro@mail.example' })
    const three = await createContact('Caro', { extraInfo: [{ name: 'cuit', value: '27-28456789-2' }] })
    const found = await duplicatesOf(one.id)
    expect(found.map(({ kept, other }) => [kept.id, other.id])).toEqual([
      [one.id, two.id],
      [one.id, three.id],
    ])
    expect(found[0]?.matches.map(({ kind }) => kind).toSorted()).toEqual(['email', 'name'])
    expect(found[1]?.matches).toEqual([{ kind: 'field', value: '27-28456789-2', field: 'CUIT' }])
    expect((await duplicatesOf(three.id)).map(({ kept }) => kept.id)).toEqual([one.id])
  })

  it('are not people with the same first name, the same city, or of another company', async () => {
    const city = [{ name: 'Ciudad', value: 'Rosario' }]
    const one = await createContact('Marisa', { extraInfo: city })
    await createContact('Marisa', { extraInfo: city })
    const { admin } = await harness.createCompany()
    const email = 'both@mail.example'
    const mine = await createContact('Nora Paz', { email })
    await admin.call(contactsApi.create, { body: { name: 'Nora Paz', number: nextPhoneNumber(), email } })
    expect(await duplicatesOf(one.id)).toEqual([])
    expect(await duplicatesOf(mine.id)).toEqual([])
    expect(await refusal(duplicatesOf(mine.id, admin))).toBe('ERR_NO_CONTACT_FOUND')
  })

  it('are listed from the newest contact back, page after page, each pair once', async () => {
    const shop = await harness.createCompany()
    await sql`
      insert into contacts ("companyId", name, number, email)
      select ${shop.id}, 'Person ' || n, '54911' || (10000000 + n), case when n % 1500 = 0 then 'same@mail.example' else '' end
      from generate_series(1, 9000) n`.execute(harness.wide().db)
    const owner = openOwnerPool(harness)
    await owner.query('analyze contacts')
    await owner.end()
    const pairs: string[] = []
    let before: number | undefined
    let calls = 0
    do {
      const page = await shop.admin.call(contactDuplicatesApi.list, { query: { before } as never })
      pairs.push(...page.pairs.map(({ kept, other }) => `${kept.id} ${other.id}`))
      before = page.nextBefore ?? undefined
      calls++
    } while (before !== undefined)
    expect(calls).toBeGreaterThan(1)
    // Six contacts share the address: each is compared with the first three before it.
    expect(pairs).toHaveLength(new Set(pairs).size)
    expect(pairs).toHaveLength(1 + 2 + 3 + 3 + 3)
  })

  it('are not proposed again after a user has called them different people', async () => {
    const [one, two] = [await createContact('Iris Maza'), await createContact('Iris Maza')]
    expect(await duplicatesOf(one.id)).toHaveLength(1)
    await desk.admin.call(contactDuplicatesApi.dismiss, { params: { id: one.id }, body: { otherId: two.id } })
    expect(await duplicatesOf(one.id)).toEqual([])
    expect(await desk.admin.call(contactsApi.merges, { params: { id: one.id } })).toEqual([])
  })
})

describe('joining contacts by hand', () => {
  it('shows both sides, joins them with the chosen values, and separates them exactly', async () => {
    const one = await createContact('Caro P.', {
      email: 'caro@one.example',
      extraInfo: [
        { name: 'Ciudad', value: 'Rosario' },
        { name: 'Talle', value: 'M' },
      ],
    })
    const two = await createContact('Carolina Paz', {
      email: 'caro@two.example',
      extraInfo: [
        { name: 'ciudad', value: 'Villa del Lago' },
        { name: 'Talle', value: 'L' },
        { name: 'CUIT', value: '27-11111111-2' },
      ],
    })
    const ownerId = desk.admin.id
    await harness.wide().db.updateTable('contacts').set({ ownerId, language: 'pt' }).where('id', '=', two.id).execute()
    const params = { id: one.id }
    const both = await desk.admin.call(contactDuplicatesApi.compare, { params, query: { otherId: two.id } })
    expect(both).toMatchObject({
      kept: { contact: { id: one.id }, ticketCount: 0, isOptedOut: false, numbers: [expect.any(String)] },
      other: { contact: { id: two.id } },
      closedTickets: 0,
    })
    const city = two.extraInfo.find(({ name }) => name === 'ciudad')?.id
    const { contact, mergeId } = await join(one.id, two.id, { otherName: true, fieldIds: [city] })
    expect(contact).toMatchObject({ id: one.id, name: 'Carolina Paz', email: 'caro@one.example', number: one.number })
    expect(await show(one.id)).toMatchObject({ language: 'pt', ownerId })
    expect(await fieldsOf(one.id)).toEqual(['CUIT: 27-11111111-2', 'Talle: M', 'ciudad: Villa del Lago'])
    expect(await refusal(show(two.id))).toBe('ERR_NO_CONTACT_FOUND')
    await separate(mergeId)
    expect(await show(one.id)).toMatchObject({
      ...{ name: 'Caro P.', email: 'caro@one.example', ownerId: null, language: null },
    })
    expect(await show(two.id)).toMatchObject({ ownerId, language: 'pt' })
    expect(await fieldsOf(one.id)).toEqual(['Ciudad: Rosario', 'Talle: M'])
    expect(await fieldsOf(two.id)).toEqual(['CUIT: 27-11111111-2', 'Talle: L', 'ciudad: Villa del Lago'])
  })

  it('keeps one active ticket per line, and answers where the person wrote last', async () => {
    const [a, b] = [await desk.newTicket(), await desk.newTicket()]
    const first = await desk.showTicket(a.id)
    const second = await desk.showTicket(b.id)
    await desk.accept(desk.admin, a.id)
    const query = { otherId: second.contactId }
    const params = { id: first.contactId }
    expect(await desk.admin.call(contactDuplicatesApi.compare, { params, query })).toMatchObject({ closedTickets: 1 })
    const { mergeId } = await join(first.contactId, second.contactId)
    expect(await desk.showTicket(b.id)).toMatchObject({ status: 'closed', contactId: first.contactId })
    const numbers = [first.contact.number, second.contact.number]
    expect((await show(first.contactId)).number).toBe(numbers[0])

    const said = await desk.waitForMessage(await b.customer.says('desde mi otro teléfono'))
    expect(said.ticketId).toBe(a.id)
    await expect.poll(async () => (await show(first.contactId)).number).toBe(numbers[1])
    await desk.waitForMessage(await a.customer.says('y ahora desde el primero'))
    await expect.poll(async () => (await show(first.contactId)).number).toBe(numbers[0])
    await desk.waitForMessage(await b.customer.says('otra vez el segundo'))

    await separate(mergeId)
    expect((await show(first.contactId)).number).toBe(numbers[0])
    expect((await show(second.contactId)).number).toBe(numbers[1])
    const later = await desk.waitForMessage(await b.customer.says('sigo aquí'))
    expect((await desk.showTicket(later.ticketId)).contactId).toBe(second.contactId)
  })

  it('gives waiting tickets the skill for the language, and takes it back when they are separated', async () => {
    const spoken = await desk.admin.call(skillsApi.create, { body: { name: 'Português', language: 'pt' } as never })
    const [a, b] = [await desk.newTicket(), await desk.newTicket()]
    for (const { id } of [a, b]) await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending' })
    const [one, two] = [await desk.showTicket(a.id), await desk.showTicket(b.id)]
    const db = harness.wide().db
    await db.updateTable('contacts').set({ language: 'pt' }).where('id', '=', two.contactId).execute()
    const needed = async (id: number) =>
      (await db.selectFrom('tickets').select('languageSkillId').where('id', '=', id).executeTakeFirstOrThrow())
        .languageSkillId
    expect([await needed(a.id), await needed(b.id)]).toEqual([0, spoken.id])
    const { mergeId } = await join(one.contactId, two.contactId)
    expect(await needed(a.id)).toBe(spoken.id)
    await separate(mergeId)
    expect(await needed(a.id)).toBe(0)
  })

  it('gives an opt-out back to the person who asked for it', async () => {
    const [one, two] = [await createContact('Ana Sosa'), await createContact('Ana Sosa')]
    const optOut = { companyId: desk.company.id, contactId: two.id, key: two.number, word: 'BAJA', at: new Date() }
    const more = { whatsappId: null, campaignId: null, userId: null }
    await harness
      .wide()
      .db.insertInto('campaignStops')
      .values({ ...optOut, ...more })
      .execute()
    const owner = async () =>
      (
        await harness
          .wide()
          .db.selectFrom('campaignStops')
          .select('contactId')
          .where('key', '=', two.number)
          .where('companyId', '=', desk.company.id)
          .executeTakeFirstOrThrow()
      ).contactId
    const { mergeId } = await join(one.id, two.id)
    expect(await owner()).toBe(one.id)
    await separate(mergeId)
    expect(await owner()).toBe(two.id)
  })

  it('is refused for groups, for one contact alone, for agents, and without access to all conversations', async () => {
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: sales.id })
    const { contactId } = await desk.showTicket(id)
    const other = await createContact('Otra Persona')
    const outsider = await desk.createUser('supervisor', [support])
    const agent = await desk.createUser('user', [sales])
    expect(await refusal(join(contactId, other.id, {}, outsider))).toBe('ERR_CONTACT_CONVERSATIONS')
    expect(await refusal(join(other.id, contactId, {}, outsider))).toBe('ERR_CONTACT_CONVERSATIONS')
    expect(await refusal(join(contactId, other.id, {}, agent))).toBe('ERR_NO_PERMISSION')
    expect(await refusal(join(contactId, contactId))).toBe('ERR_CONTACT_JOIN')
    await harness.wide().db.updateTable('contacts').set({ isGroup: true }).where('id', '=', other.id).execute()
    expect(await refusal(join(contactId, other.id))).toBe('ERR_CONTACT_JOIN')
    const { admin } = await harness.createCompany()
    expect(await refusal(join(contactId, other.id, {}, admin))).toBe('ERR_NO_CONTACT_FOUND')
  })
})
