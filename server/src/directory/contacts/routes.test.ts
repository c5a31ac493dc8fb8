import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { contactsApi } from '@recado/contract/contacts'
import { settingsApi } from '@recado/contract/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { resolveContact } from './resolve-contact.ts'

let harness: TestServer
let company: Awaited<ReturnType<TestServer['createCompany']>>
let admin: TestUser
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)
beforeEach(async () => {
  company = await harness.createCompany()
  admin = company.admin
})

let last = 0
const nextNumber = () => String(5_491_160_000_000 + ++last)
const create = (name: string, number = nextNumber(), more: object = {}) =>
  admin.call(contactsApi.create, { body: { name, number, ...more } })
const list = (query: object = {}) => admin.call(contactsApi.list, { query })
const names = async (searchParam: string) => (await list({ searchParam })).contacts.map((c) => c.name)
const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (e: { code: string }) => e.code,
  )
const scope = () => new Scope(harness.server.deps, { companyId: company.id })

describe('contacts', () => {
  it('are created, shown, changed and deleted, and published to everybody', async () => {
    const agent = await company.user('user')
    const socketClient = await agent.listen()
    const made = await agent.call(contactsApi.create, {
      body: {
        name: ' Lucía Campos ',
        number: '+54 9 11 5555-0000',
        email: null,
        extraInfo: [{ name: 'CUIT', value: '20' }],
      },
    })
    expect(made).toMatchObject({
      name: 'Lucía Campos',
      number: '5491155550000',
      email: '',
      profilePicUrl: null,
      isGroup: false,
      whatsapp: null,
      extraInfo: [{ name: 'CUIT', value: '20' }],
    })
    expect(await agent.call(contactsApi.show, { params: { id: made.id } })).toEqual(made)
    const changed = await agent.call(contactsApi.update, {
      params: { id: made.id },
      body: { ...made, name: 'Lucía', email: 'L@MAIL.test' },
    })
    expect(changed).toMatchObject({
      name: 'Lucía',
      email: 'l@mail.test',
      number: made.number,
      extraInfo: made.extraInfo,
    })
    expect(await refusal(agent.call(contactsApi.remove, { params: { id: made.id } }))).toBe('ERR_NO_PERMISSION')
    const supervisor = await company.user('supervisor')
    await supervisor.call(contactsApi.remove, { params: { id: made.id } })
    expect(await refusal(agent.call(contactsApi.show, { params: { id: made.id } }))).toBe('ERR_NO_CONTACT_FOUND')
    await socketClient.whenCaughtUp()
    const news = socketClient.received.filter((e) => e.name === `company-${company.id}-contact`).map((e) => e.payload)
    expect(news).toMatchObject([
      { action: 'create', contact: { id: made.id, email: '' } },
      { action: 'update', contact: { name: 'Lucía' } },
      { action: 'delete', contactId: made.id },
    ])
  })

  it('are unique per phone number, however it is written', async () => {
    await create('Ana', '5511988887777')
    for (const number of ['5511988887777', '551188887777', '+55 (11) 8888-7777'])
      expect(await refusal(create('Otra', number))).toBe('ERR_DUPLICATED_CONTACT')
    const eva = await create('Eva', '5511977776666')
    expect(
      await refusal(
        admin.call(contactsApi.update, { params: { id: eva.id }, body: { ...eva, number: '551188887777' } }),
      ),
    ).toBe('ERR_DUPLICATED_CONTACT')
    const [first, second] = await Promise.allSettled([create('Uno', '5491100000001'), create('Dos', '5491100000001')])
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('are refused with invalid fields, with the same rules as the form', async () => {
    const bad = async (body: object) => (await admin.request<{ fields: object }>('POST', '/contacts', body)).body.fields
    expect(await bad({ name: 'A', number: '123', email: 'x' })).toEqual({
      name: 'Too Short!',
      number: 'Too Short!',
      email: 'Invalid email',
    })
    expect(await bad({})).toEqual({ name: 'Required', number: 'Required' })
    expect(await bad({ name: 'Zero', number: '00000000' })).toEqual({ number: 'Invalid' })
  })

  it('are found by a changed number, and no longer by the old one', async () => {
    const ana = await create('Ana', '5491100000010')
    await admin.call(contactsApi.update, { params: { id: ana.id }, body: { ...ana, number: '5491100000011' } })
    const meet = (phone: string) =>
      resolveContact(scope(), { identity: { phone }, name: '', whatsappId: null }, deskContactHooks)
    expect((await meet('5491100000011')).contact.id).toBe(ana.id)
    expect((await meet('5491100000010')).outcome).toBe('new')
  })

  it('without a phone number keep none when they are saved, and groups keep their id', async () => {
    const hidden = (
      await resolveContact(scope(), { identity: { lid: '77' }, name: 'Oculta', whatsappId: null }, deskContactHooks)
    ).contact
    const whole = await admin.call(contactsApi.show, { params: { id: hidden.id } })
    expect(
      await admin.call(contactsApi.update, { params: { id: hidden.id }, body: { ...whole, name: 'Marta' } }),
    ).toMatchObject({ name: 'Marta', number: '' })
    const group = { id: '5491155550000-1400000000@g.us', name: 'Ventas' }
    const met = (
      await resolveContact(scope(), { identity: {}, name: '', whatsappId: null, isGroup: group }, deskContactHooks)
    ).contact
    const shown = await admin.call(contactsApi.show, { params: { id: met.id } })
    expect(
      await admin.call(contactsApi.update, { params: { id: met.id }, body: { ...shown, name: 'Equipo' } }),
    ).toMatchObject({ name: 'Equipo', number: '5491155550000-1400000000' })
  })

  it('keep the custom fields that the form sends, lose the others, and do not change fields of another contact', async () => {
    const ana = await create('Ana', nextNumber(), {
      extraInfo: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
    })
    const eva = await create('Eva', nextNumber(), { extraInfo: [{ name: 'c', value: '3' }] })
    const [a] = ana.extraInfo
    const foreign = eva.extraInfo[0]?.id
    const saved = await admin.call(contactsApi.update, {
      params: { id: ana.id },
      body: {
        ...ana,
        extraInfo: [
          { id: a?.id, name: 'a', value: 'one' },
          { name: 'new', value: '' },
          // The user added this field and left it blank.
          { name: '', value: ' ' },
          { id: foreign, name: 'stolen', value: 'x' },
        ],
      },
    })
    expect(saved.extraInfo.map(({ name, value }) => [name, value])).toEqual([
      ['a', 'one'],
      ['new', ''],
      ['stolen', 'x'],
    ])
    expect(saved.extraInfo[0]?.id).toBe(a?.id)
    const body = { ...ana, extraInfo: [{ name: '', value: 'x' }] }
    expect(await refusal(admin.call(contactsApi.update, { params: { id: ana.id }, body }))).toBe('ERR_VALIDATION')
    expect((await admin.call(contactsApi.show, { params: { id: eva.id } })).extraInfo).toEqual(eva.extraInfo)
    const { extraInfo: _, ...without } = ana
    expect((await admin.call(contactsApi.update, { params: { id: ana.id }, body: without })).extraInfo).toHaveLength(3)
  })

  it('are deleted with all their data, including pictures and merged contacts', async () => {
    const [ana, ani] = [await create('Ana'), await create('Ani')]
    const { db } = harness.wide()
    const { files } = harness.server.deps
    const folder = join(harness.dataDir, 'files', String(company.id))
    const pictureOf = async (id: number) => {
      const stored = await files.store(company.id, await files.receive(Readable.from([tinyPng]), 'picture.png'))
      const profilePicUrl = `/public/${files.permanentPath(company.id, stored)}`
      await db.updateTable('contacts').set({ profilePicUrl }).where('id', '=', id).execute()
    }
    for (const { id } of [ana, ani]) await pictureOf(id)
    await db.updateTable('contacts').set({ mergedInto: ana.id }).where('id', '=', ani.id).execute()
    expect(await readdir(folder)).toHaveLength(2)
    const ticket = await db
      .insertInto('tickets')
      .values({
        companyId: company.id,
        contactId: ana.id,
        status: 'open',
        whatsappId: null,
        queueId: null,
        userId: null,
        promptId: null,
        integrationId: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await admin.call(contactsApi.remove, { params: { id: ana.id } })
    expect(await db.selectFrom('tickets').select('id').where('id', '=', ticket.id).execute()).toEqual([])
    // Files stay as long as the contact can be restored.
    expect(await readdir(folder)).not.toEqual([])
    const { deleted } = await admin.call(contactsApi.deleted, { query: {} })
    for (const { id } of deleted) await admin.call(contactsApi.purge, { params: { id } })
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]))
    expect(
      await db.selectFrom('contactIdentities').select('value').where('companyId', '=', company.id).execute(),
    ).toEqual([])
  })
})

describe('the contact list', () => {
  it('is sorted by name, thirty a page, with a count', async () => {
    for (let n = 0; n < 33; n++) await create(`Contact ${String(n).padStart(2, '0')}`)
    const first = await list()
    expect([first.contacts.length, first.count, first.hasMore, first.contacts[0]?.name]).toEqual([
      30,
      33,
      true,
      'Contact 00',
    ])
    const second = await list({ pageNumber: 2 })
    expect([second.contacts.map((c) => c.name), second.count, second.hasMore]).toEqual([
      ['Contact 30', 'Contact 31', 'Contact 32'],
      33,
      false,
    ])
    expect(
      (await admin.request<{ contacts: unknown[] }>('GET', '/contacts/?searchParam=&pageNumber=2')).body.contacts,
    ).toHaveLength(3)
    expect(await admin.call(contactsApi.all, { query: {} })).toHaveLength(33)
  })

  it('ignores accents in its order, across pages', async () => {
    const names = ['Rosa', 'Íris', 'ana maría', 'Ana', 'Ñandú', 'Nadia', 'Zoé', 'Élida', 'Ángel', 'Oscar']
    for (const name of names) await create(name)
    for (let n = 0; n < 27; n++) await create(`Éva ${String(n).padStart(2, '0')}`)
    const [first, second] = [await list(), await list({ pageNumber: 2 })]
    const all = [...first.contacts, ...second.contacts].map(({ name }) => name)
    expect([all.length, new Set(all).size]).toEqual([37, 37])
    expect(all.filter((name) => !name.startsWith('Éva'))).toEqual([
      ...['Ana', 'ana maría', 'Ángel', 'Élida', 'Íris', 'Nadia', 'Ñandú', 'Oscar', 'Rosa', 'Zoé'],
    ])
    expect(all.indexOf('Éva 00')).toBe(all.indexOf('Élida') + 1)
    expect((await admin.call(contactsApi.all, { query: {} })).map(({ name }) => name)).toEqual(all)
  })

  it('finds names regardless of accents and case, numbers by any part, and short words', async () => {
    await create('Lucía Núñez', '5511988887777')
    await create('luciana', '5491122223333')
    await create('100% Ñandú_x', '5491144445555')
    expect((await names('LUCIA')).sort()).toEqual(['Lucía Núñez', 'luciana'])
    expect(await names('lucía nu')).toEqual(['Lucía Núñez'])
    expect(await names('2222-3')).toEqual(['luciana'])
    expect(await names('+54 9 11')).toEqual(['100% Ñandú_x', 'luciana'])
    expect(await names('551188887777')).toEqual(['Lucía Núñez'])
    expect(await names('11 8888-7777')).toEqual(['Lucía Núñez'])
    expect(await names('nú')).toEqual(['Lucía Núñez'])
    expect(await names('0% n')).toEqual(['100% Ñandú_x'])
    expect(await names('_')).toEqual(['100% Ñandú_x'])
    expect(await names('%%%')).toEqual([])
    expect((await admin.call(contactsApi.all, { query: { name: 'nandu' } })).map((c) => c.name)).toEqual([
      '100% Ñandú_x',
    ])
  })

  it('finds addresses, and words in any order', async () => {
    for (const [name, number, email] of [
      ['Ana Belén Ríos', '5491100001111', 'ventas@tienda.example'],
      ['Belén Ana', '5491100002222', ''],
      ['Río Ana', '5491100003333', 'Ana.RIO@correo.example'],
    ] as const)
      await admin.call(contactsApi.create, { body: { name, number, email } })
    expect(await names('ríos ana')).toEqual(['Ana Belén Ríos'])
    expect(await names('ana be')).toEqual(['Ana Belén Ríos', 'Belén Ana'])
    expect(await names('tienda.example')).toEqual(['Ana Belén Ríos'])
    expect(await names('rio@CORREO')).toEqual(['Río Ana'])
    expect(await names('2222 ana')).toEqual(['Belén Ana'])
    expect(await names('ana nadie')).toEqual([])
  })

  it('is filtered by groups or people, and can be sorted by newest first', async () => {
    await create('Zoe')
    await create('Abel')
    const values = { companyId: company.id, profilePicUrl: null, whatsappId: null, mergedInto: null }
    const team = { ...values, name: 'Equipo', number: '120363041234567890', isGroup: true }
    await harness.wide().db.insertInto('contacts').values(team).execute()
    const shown = async (query: object) => {
      const { contacts, count } = await list(query)
      return [...contacts.map(({ name }) => name), count]
    }
    expect(await shown({ kind: 'group' })).toEqual(['Equipo', 1])
    expect(await shown({ kind: 'person' })).toEqual(['Abel', 'Zoe', 2])
    expect(await shown({ kind: 'group', searchParam: 'abel' })).toEqual([0])
    expect(await shown({ sortBy: 'newest', kind: 'person' })).toEqual(['Abel', 'Zoe', 2])
    await create('Bruna')
    expect(await shown({ sortBy: 'newest', kind: 'person' })).toEqual(['Bruna', 'Abel', 'Zoe', 3])
    expect(await shown({ kind: 'x', sortBy: 'x' })).toEqual(['Abel', 'Bruna', 'Equipo', 'Zoe', 4])
  })

  it('reads contacts from the name index when too many match to be sorted', async () => {
    const { db } = harness.wide()
    const values = Array.from({ length: 2100 }, (_, n) => ({
      companyId: company.id,
      name: `Común ${String(n).padStart(4, '0')}`,
      number: '',
      profilePicUrl: null,
      whatsappId: null,
      mergedInto: null,
    }))
    await db.insertInto('contacts').values(values).execute()
    const page = await list({ searchParam: 'comun', pageNumber: 70 })
    expect([page.contacts[0]?.name, page.contacts.length, page.count, page.isLowerBound, page.hasMore]).toEqual([
      'Común 2070',
      30,
      2000,
      true,
      false,
    ])
  })

  it('counts days in the company’s time zone', async () => {
    await admin.call(settingsApi.update, {
      params: { key: 'timezone' },
      body: { value: 'America/Argentina/Buenos_Aires' },
    })
    const { db } = harness.wide()
    // 02:30 in London is still the evening before in Buenos Aires.
    for (const [name, createdAt] of [
      ['Before', '2026-03-10T02:30:00Z'],
      ['Day', '2026-03-10T03:00:00Z'],
      ['Late', '2026-03-11T02:59:59.999Z'],
      ['After', '2026-03-11T03:00:00Z'],
    ] as const)
      await db
        .insertInto('contacts')
        .values({
          companyId: company.id,
          name,
          number: '',
          profilePicUrl: null,
          whatsappId: null,
          mergedInto: null,
          createdAt,
        })
        .execute()
    const of = async (query: object) => (await list(query)).contacts.map((c) => c.name)
    expect(await of({ date: '2026-03-10' })).toEqual(['Day', 'Late'])
    expect(await of({ dateStart: '2026-03-10' })).toEqual(['After', 'Day', 'Late'])
    expect(await of({ dateStart: '2026-03-09', dateEnd: '2026-03-10' })).toEqual(['Before', 'Day', 'Late'])
    expect((await list({ date: '2026-03-10', searchParam: 'late' })).count).toBe(1)
    for (const date of ['2026-99-99', '0000-00-00', '2026-02-31', 'yesterday', ''])
      expect((await list({ date })).count).toBe(4)
  })
})

describe('the contact export', () => {
  it('opens in any spreadsheet program, contains no formulas, and has only the matches of the search', async () => {
    const add = (name: string, number: string, email = '') =>
      admin.call(contactsApi.create, { body: { name, number, email } })
    await add('zoe; la de ventas', '5491155550003')
    await add('=1+1', '5491155550002')
    await add('Lucía', '5491155550001', 'lucia@mail.test')
    const whole = await admin.request<string>('GET', '/contacts/export')
    expect(whole.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="contatos.csv"')
    expect(whole.headers.get('x-total-count')).toBe('3')
    expect(whole.body.replace('\ufeff', '')).toBe(
      'name;number;email\r\n' +
        "'=1+1;5491155550002;\r\n" +
        'Lucía;5491155550001;lucia@mail.test\r\n' +
        '"zoe; la de ventas";5491155550003;\r\n',
    )
    const found = await admin.request<string>('GET', '/contacts/export?searchParam=lucia')
    expect(found.body.replace('\ufeff', '')).toBe('name;number;email\r\nLucía;5491155550001;lucia@mail.test\r\n')
  })

  it('has every contact of a long list once, in order, while the list for selects is limited', async () => {
    await sql`insert into contacts ("companyId", name, number)
      select ${admin.companyId}, 'Ana ' || (n % 300), (5491160000000 + n)::text from generate_series(1, 20010) n`.execute(
      harness.wide().db,
    )
    const { body, headers } = await admin.request<string>('GET', '/contacts/export')
    const rows = body.trim().split('\r\n').slice(1)
    expect([headers.get('x-total-count'), rows.length, new Set(rows).size]).toEqual(['20010', 20_010, 20_010])
    const names = rows.map((row) => row.split(';')[0] as string)
    expect(names).toEqual(names.toSorted())
    const all = await admin.call(contactsApi.all, { query: {} })
    expect([all.length, all[0]?.name]).toEqual([20_000, names[0]])
  })
})

describe('merged contacts', () => {
  it('can be viewed and split by users who may delete contacts', async () => {
    const meet = (identity: object, name = '') =>
      resolveContact(scope(), { identity, name, whatsappId: null }, deskContactHooks)
    const phone = await meet({ phone: '5491155550000' }, 'Ana')
    const lid = await meet({ lid: '1' }, 'Anita')
    await meet({ cloud: 'x' })
    await meet({ phone: '5491155550000', lid: '1' })
    const params = { id: phone.contact.id }
    const [merge] = await admin.call(contactsApi.merges, { params })
    expect(merge).toMatchObject({ name: 'Anita', number: '', reason: 'lid' })
    expect(await refusal(admin.call(contactsApi.show, { params: { id: lid.contact.id } }))).toBe('ERR_NO_CONTACT_FOUND')
    expect((await list()).count).toBe(2)
    const agent = await company.user('user')
    expect(await refusal(agent.call(contactsApi.unmerge, { params: { id: merge?.id } }))).toBe('ERR_NO_PERMISSION')
    const socketClient = await agent.listen()
    expect(await admin.call(contactsApi.unmerge, { params: { id: merge?.id } })).toMatchObject({
      id: lid.contact.id,
      name: 'Anita',
      extraInfo: [],
    })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((e) => e.name.endsWith('-contact')).map((e) => e.payload.action)).toEqual([
      'create',
      'update',
    ])
    expect(await admin.call(contactsApi.merges, { params })).toEqual([])
    expect(await refusal(admin.call(contactsApi.unmerge, { params: { id: merge?.id } }))).toBe('ERR_NO_CONTACT_FOUND')
    expect((await list()).count).toBe(3)
  })
})
