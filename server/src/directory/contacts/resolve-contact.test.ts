import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { Scope } from '../../kernel/data/scope.ts'
import type { PersonIdentity } from '../../lines/line.ts'
import { findContactsByKeys, updateContactRow } from './contact-store.ts'
import { toIdentityKeys } from './identity.ts'
import { recognizeContact, resolveContact } from './resolve-contact.ts'
import { unmergeContacts } from './unmerge-contacts.ts'

let harness: TestServer
let scope: Scope
let whatsappId: number
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)
beforeEach(async () => {
  const { id: companyId } = await harness.createCompany()
  const line = await harness
    .wide()
    .db.insertInto('whatsapps')
    .values({ companyId, name: 'Line', tokenHash: null, timeToTransfer: null, transferQueueId: null, promptId: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  whatsappId = line.id
  scope = new Scope(harness.server.deps, { companyId })
})

const meet = (identity: PersonIdentity, name = '') =>
  scope.transaction((s) => resolveContact(s, { identity, name, whatsappId }, deskContactHooks))
const contacts = () =>
  scope.db.selectFrom('contacts').selectAll().where('mergedInto', 'is', null).orderBy('id').execute()
const identities = () =>
  scope.db.selectFrom('contactIdentities').select(['kind', 'value', 'contactId']).orderBy('kind').execute()

describe('resolving a contact', () => {
  it('creates a contact once and finds it afterwards, with and without the ninth digit', async () => {
    const first = await meet({ phone: '551188887777' }, 'Lucía')
    expect(first).toMatchObject({
      outcome: 'new',
      matchedBy: 'phone',
      isChanged: true,
      contact: { name: 'Lucía', number: '551188887777', email: '', profilePicUrl: null, whatsappId },
    })
    const longer = await meet({ phone: '+55 11 98888-7777' }, 'Somebody else')
    expect(longer).toMatchObject({
      outcome: 'known',
      isChanged: true,
      contact: { id: first.contact.id, name: 'Lucía', number: '5511988887777' },
    })
    expect(await meet({ phone: '551188887777' })).toMatchObject({
      outcome: 'known',
      matchedBy: 'phone',
      isChanged: false,
      contact: { number: '5511988887777' },
    })
    expect(await contacts()).toHaveLength(1)
  })

  it('takes a reported name only while the contact’s name is just its number', async () => {
    await meet({ phone: '5491155550000' })
    expect((await contacts())[0]).toMatchObject({ name: '5491155550000' })
    expect((await meet({ phone: '5491155550000' }, ' Ana\u0007 \n Ruiz ')).contact.name).toBe('Ana Ruiz')
    expect((await meet({ phone: '5491155550000' }, 'Anita')).contact.name).toBe('Ana Ruiz')
    expect([...(await meet({ phone: '5491155550001' }, '🙂'.repeat(90))).contact.name]).toHaveLength(50)
  })

  it('sets the number of a contact first known by a LID when the phone number appears', async () => {
    const hidden = await meet({ lid: '998877@lid' })
    expect(hidden.contact).toMatchObject({ name: '998877', number: '' })
    const shown = await meet({ phone: '5491155550000@s.whatsapp.net', lid: '998877@lid' })
    expect(shown).toMatchObject({
      outcome: 'known',
      matchedBy: 'lid',
      isChanged: true,
      contact: { id: hidden.contact.id, number: '5491155550000', name: '5491155550000' },
    })
    expect(await meet({ phone: '5491155550000' })).toMatchObject({
      outcome: 'known',
      isChanged: false,
      contact: { id: hidden.contact.id },
    })
  })

  it('merges two or three contacts when one event names all of them', async () => {
    const phone = await meet({ phone: '5491155550000' }, 'Ana')
    const lid = await meet({ lid: '111' }, 'Ana R')
    const cloud = await meet({ cloud: 'AR.5' }, 'A')
    const one = await meet({ phone: '5491155550000', lid: '111', cloud: 'AR.5' })
    expect(one).toMatchObject({
      outcome: 'merged',
      matchedBy: 'phone',
      isChanged: true,
      contact: { id: phone.contact.id, name: 'Ana' },
    })
    expect((await identities()).map((i) => i.contactId)).toEqual([phone, phone, phone].map((r) => r.contact.id))
    const merges = await scope.db
      .selectFrom('contactMerges')
      .select(['keptId', 'mergedId', 'reason'])
      .orderBy('id')
      .execute()
    expect(merges).toEqual([
      { keptId: phone.contact.id, mergedId: lid.contact.id, reason: 'lid' },
      { keptId: phone.contact.id, mergedId: cloud.contact.id, reason: 'cloud' },
    ])
  })

  it('merges into the oldest, whichever key names it, and keeps the phone number', async () => {
    const lid = await meet({ lid: '111' })
    await meet({ phone: '5491155550000' }, 'Ana')
    await meet({ cloud: 'AR.5', phone: '5491155550000' })
    const one = await meet({ phone: '5491155550000', lid: '111', cloud: 'AR.5' })
    expect(one).toMatchObject({
      outcome: 'merged',
      contact: { id: lid.contact.id, number: '5491155550000', name: 'Ana' },
    })
  })

  it('moves a user name to its new owner, unless it is the only key of a contact', async () => {
    const ana = await meet({ phone: '5491155550000', username: 'ana' })
    const eva = await meet({ phone: '5491155550001', username: '@Ana' }, 'Eva')
    expect(eva).toMatchObject({ outcome: 'new', matchedBy: 'phone', contact: { name: 'Eva' } })
    expect((await meet({ username: 'ana' })).contact.id).toBe(eva.contact.id)
    expect((await meet({ phone: '5491155550000' })).contact.id).toBe(ana.contact.id)
    const bea = await meet({ phone: '5491155550002' }, 'Bea')
    expect((await meet({ phone: '5491155550002', username: 'ana' })).contact.id).toBe(bea.contact.id)
    expect((await meet({ username: 'ana' })).contact.id).toBe(bea.contact.id)
    await meet({ username: 'carla' })
    expect(await meet({ phone: '5491155550002', username: 'carla' })).toMatchObject({
      outcome: 'merged',
      contact: { id: bea.contact.id },
    })
  })

  it('does not merge contacts again after users split them', async () => {
    const phone = await meet({ phone: '5491155550000' })
    const lid = await meet({ lid: '111' })
    const both = { phone: '5491155550000', lid: '111' }
    await meet(both)
    const { id } = await scope.db.selectFrom('contactMerges').select('id').executeTakeFirstOrThrow()
    await scope.transaction((s) => unmergeContacts(s, id, deskContactHooks))
    expect(await meet(both)).toMatchObject({ outcome: 'known', matchedBy: 'phone', contact: { id: phone.contact.id } })
    expect((await meet({ lid: '111' })).contact.id).toBe(lid.contact.id)
  })

  it('finds groups by their whole id, separate from phone numbers', async () => {
    const group = {
      identity: {},
      name: '',
      whatsappId,
      isGroup: { id: '5491155550000-1400000000@g.us', name: 'Ventas' },
    }
    const first = await resolveContact(scope, group, deskContactHooks)
    expect(first).toMatchObject({
      outcome: 'new',
      matchedBy: 'group',
      contact: { name: 'Ventas', number: '5491155550000-1400000000', isGroup: true },
    })
    expect(await resolveContact(scope, group, deskContactHooks)).toMatchObject({
      outcome: 'known',
      isChanged: false,
      contact: { id: first.contact.id },
    })
    expect((await meet({ phone: '5491155550000' })).contact.id).not.toBe(first.contact.id)
  })

  it('uses the group’s name from WhatsApp until an agent renames the contact', async () => {
    const group = (name: string) => {
      const isGroup = { id: '1203630001@g.us', name }
      return resolveContact(
        scope,
        { identity: { phone: '5491155551111' }, name: 'Ana', whatsappId, isGroup },
        deskContactHooks,
      )
    }
    const named = async (name: string) => (await group(name)).contact.name
    expect(await named('')).toBe('1203630001')
    expect([await named('Obra'), await named('Obra norte'), await named('')]).toEqual([
      'Obra',
      'Obra norte',
      'Obra norte',
    ])
    expect((await group('Obra norte')).isChanged).toBe(false)
    const { id } = (await group('Obra norte')).contact
    await updateContactRow(scope, id, { name: 'Los de la obra' })
    expect([await named('Obra sur'), await named('Obra este')]).toEqual(['Los de la obra', 'Los de la obra'])
    // After an agent gives the contact the group's own name again, the contact follows later changes of the group's
    // name.
    await updateContactRow(scope, id, { name: 'Obra este' })
    expect(await named('Obra')).toBe('Obra')
    // Rows of earlier versions do not record who chose the name, so the name stays.
    await updateContactRow(scope, id, { name: 'Obra vieja', heardName: null })
    expect([await named('Obra'), await named('Obra nueva')]).toEqual(['Obra vieja', 'Obra vieja'])
  })
})

describe('parallel events of one contact', () => {
  it('create one contact from parallel first messages, and leave no orphan', async () => {
    const same: PersonIdentity[] = [
      { phone: '5511988887777' },
      { phone: '551188887777', lid: '9' },
      { lid: '9', phone: '5511988887777' },
      { phone: '551188887777' },
    ]
    const all = await Promise.all([...same, ...same, ...same].map((who, n) => meet(who, `Name ${n}`)))
    expect(new Set(all.map((r) => r.contact.id)).size).toBe(1)
    expect(all.filter((r) => r.outcome === 'new')).toHaveLength(1)
    expect(await scope.db.selectFrom('contacts').select('id').execute()).toHaveLength(1)
  })

  it('end as one contact, whichever keys were known before', async () => {
    await meet({ phone: '5491155550000' })
    await meet({ lid: '111' })
    const both = { phone: '5491155550000', lid: '111' }
    await Promise.all([both, { lid: '111' }, both, { phone: '5491155550000' }, both, both].map((who) => meet(who)))
    expect(await contacts()).toHaveLength(1)
    expect(await scope.db.selectFrom('contactMerges').select('id').execute()).toHaveLength(1)
  })

  it('do not lose rows written for a contact that is being merged', async () => {
    const phone = (await meet({ phone: '5491155550000' })).contact
    const lid = (await meet({ lid: '111' })).contact
    const { companyId } = scope
    const ticket = {
      companyId,
      status: 'open',
      whatsappId,
      queueId: null,
      userId: null,
      promptId: null,
      integrationId: null,
    } as const
    let joining: ReturnType<typeof meet> | undefined
    await scope.transaction(async (s) => {
      const { contact } = await resolveContact(s, { identity: { lid: '111' }, name: '', whatsappId }, deskContactHooks)
      expect(contact.id).toBe(lid.id)
      joining = meet({ phone: '5491155550000', lid: '111' })
      // Wait until another transaction waits for the row that this transaction has locked.
      await vi.waitFor(async () => {
        const { rows } =
          await sql`select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')`.execute(
            harness.wide().db,
          )
        expect(rows.length).toBeGreaterThan(0)
      })
      await s.db
        .insertInto('tickets')
        .values({ ...ticket, contactId: contact.id })
        .execute()
    })
    expect(await joining).toMatchObject({ outcome: 'merged', contact: { id: phone.id } })
    expect(await scope.db.selectFrom('tickets').select('contactId').execute()).toEqual([{ contactId: phone.id }])
  })

  it('find known contacts with one query, and leave out contacts that may have to be merged', async () => {
    const ana = (await meet({ phone: '5491155550000', lid: '1' }, 'Ana')).contact
    const eva = (await meet({ phone: '5491155550001' }, 'Eva')).contact
    const whos = [
      { phone: '5491155550000' },
      { lid: '1' },
      { phone: '5491155550001' },
      { phone: '5491155550001', lid: '2' },
      { phone: '5491155550000', lid: '3' },
      { phone: '549115555' },
      {},
    ]
    const found = await findContactsByKeys(scope, whos.flatMap(toIdentityKeys))
    expect([...found].map(([key, c]) => [key, c.id])).toEqual([
      ['phone:5491155550000', ana.id],
      ['lid:1', ana.id],
      ['phone:5491155550001', eva.id],
    ])
    expect(whos.map((identity) => recognizeContact(found, { identity, name: 'X', whatsappId })?.contact.name)).toEqual([
      'Ana',
      'Ana',
      'Eva',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('contact events', () => {
  it('are published to the company only when something changed', async () => {
    const admin = await harness.createUser(scope.companyId, 'admin')
    const socketClient = await admin.listen()
    await meet({ phone: '551188887777' })
    await meet({ phone: '551188887777' })
    await meet({ phone: '551188887777' }, 'Lucía')
    await meet({ lid: '5' })
    await meet({ phone: '5511988887777', lid: '5' })
    await socketClient.whenCaughtUp()
    const heard = socketClient.received
      .filter((e) => e.name === `company-${scope.companyId}-contact`)
      .map((e) => e.payload)
    expect(heard.map((p) => [p.action, (p.contact as { name?: string } | undefined)?.name ?? 'gone'])).toEqual([
      ['create', '551188887777'],
      ['update', 'Lucía'],
      ['create', '5'],
      ['delete', 'gone'],
      ['update', 'Lucía'],
      ['update', 'Lucía'],
    ])
  })
})
