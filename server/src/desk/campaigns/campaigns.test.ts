import {
  type Campaign,
  type CampaignPlanGroup,
  campaignStopsApi,
  campaignsApi,
} from '@recado/contract/campaigns/campaigns'
import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { campaignSettingsApi, defaultCampaignSettings } from '@recado/contract/campaigns/settings'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { filesApi } from '@recado/contract/files'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../test/upload.ts'
import { recountList } from '../../directory/contact-lists/contact-lists.ts'
import { addPeopleToList } from '../../directory/contact-lists/list-imports.ts'
import { scheduleNumberChecks } from '../../directory/contact-lists/number-checks.ts'
import { addMs, days, hours } from '../../kernel/clock.ts'
import { openPool } from '../../kernel/data/database.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { makeLog } from '../../kernel/log.ts'
import { failMessagesOfDeletedLine } from '../messages/line-deleted.ts'
import { pauseCampaignsWithoutLine } from './contact-changes.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  await desk.admin.call(campaignSettingsApi.save, {
    body: { settings: { messageInterval: 0, longerIntervalAfter: 0 } },
  })
})
afterAll(closeTestServers)

const pollOptions = { timeout: 60_000, interval: 50 }
const pollTimers = () => harness.server.switchboard.timers.poll()
const save = (settings: object) => desk.admin.call(campaignSettingsApi.save, { body: { settings } })

/** A list of this many people, all of them on WhatsApp. */
async function createListWith(count: number, name = `Lista ${nextPhoneNumber()}`) {
  const { id } = await desk.admin.call(contactListsApi.create, { body: { name } })
  const people = Array.from({ length: count }, (_, n) => ({ number: nextPhoneNumber(), name: `Persona ${n}` }))
  for (const person of people)
    await desk.admin.call(contactListItemsApi.create, { body: { ...person, email: '', contactListId: id } })
  await checked(id)
  return { id, people, phones: people.map(({ number }) => desk.line.customer(number)) }
}
const checked = (id: number) =>
  vi.waitFor(async () => {
    const { contactsCount, validCount, invalidCount } = await desk.admin.call(contactListsApi.show, { params: { id } })
    expect(validCount + invalidCount).toBe(contactsCount)
  }, pollOptions)

const createCampaign = (contactListId: number | null, more: object = {}) =>
  desk.admin.call(campaignsApi.create, {
    body: { name: 'Mayo', message1: 'Hola {nome}', contactListId, whatsappId: desk.line.id, ...more },
  })
/** Resets `nextAt` of the line, which would stay in the future, because tests run with a clock in the future. */
const freeLine = () => desk.db.updateTable('campaignLines').set({ nextAt: harness.clock.now() }).execute()
async function start(id: number, gets?: number) {
  await freeLine()
  return desk.admin.call(campaignsApi.start, { params: { id }, body: { gets } })
}
const show = (id: number) => desk.admin.call(campaignsApi.show, { params: { id }, query: { lean: true } })
const report = (id: number) => desk.admin.call(campaignsApi.report, { params: { id } })
const listBodies = async (phone: { listMessages(): Promise<{ body: string }[]> }) =>
  (await phone.listMessages()).map((m) => m.body)
const postToCampaign = (id: number, what: string, body: object = {}) =>
  desk.admin.request<Campaign>('POST', `/campaigns/${id}/${what}`, body)
const rowsOf = (id: number) =>
  desk.db.selectFrom('campaignShippings').selectAll().where('campaignId', '=', id).orderBy('id').execute()
/** Polls the timers until the campaign matches. */
const until = (id: number, like: object) =>
  vi.waitFor(async () => {
    await pollTimers()
    expect(await show(id)).toMatchObject(like)
  }, pollOptions)

describe('contact lists', () => {
  it('have their numbers checked later if their line is moving from one process to another', async () => {
    const other = await harness.createCompany()
    const line = { companyId: other.id, name: 'Moving', provider: 'sandbox' as const, isDefault: true, tokenHash: null }
    await desk.db
      .insertInto('whatsapps')
      .values({ ...line, wanted: false, status: 'CONNECTED' })
      .execute()
    const { id } = await other.admin.call(contactListsApi.create, { body: { name: 'Entre dos' } })
    const body = { name: 'Eva', number: nextPhoneNumber(), email: '', contactListId: id }
    await other.admin.call(contactListItemsApi.create, { body })
    const jobs = openPool(harness.databaseUrl, makeLog('silent'), { max: 1 })
    onTestFinished(() => jobs.end())
    await vi.waitFor(async () => {
      const key = `list-check-later:${other.id}`
      const { rows } = await jobs.query('select run_at > now() as later from graphile_worker.jobs where key = $1', [
        key,
      ])
      expect(rows).toEqual([{ later: true }])
    }, pollOptions)
  })

  it('have their numbers checked at once even if another transaction has just postponed the next check', async () => {
    const { id } = await desk.admin.call(contactListsApi.create, { body: { name: 'Aplazada' } })
    const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
    // A check job that found no number due ends while a number is being added.
    await scope.transaction(async (tx) => {
      await addPeopleToList(tx, id, [{ name: 'Eva', number: nextPhoneNumber(), email: '' }])
      await recountList(tx, id)
      await scheduleNumberChecks(tx)
      await scheduleNumberChecks(tx, new Date('2099-01-01'))
    })
    await checked(id)
  })

  it('store a duplicate number once, and count their rows', async () => {
    const socketClient = await desk.admin.listen()
    const list = await desk.admin.call(contactListsApi.create, { body: { name: 'Clientes' } })
    await socketClient.waitFor(`company-${desk.company.id}-ContactList`, { action: 'create' })
    // Older clients send the list id as text, with all other fields.
    const body = {
      name: 'Ana Paz',
      number: '+55 (11) 98888-7777',
      email: '',
      contactListId: String(list.id),
      companyId: 9,
    }
    const item = await desk.admin.request<{ id: number; number: string; isWhatsappValid: null }>(
      'POST',
      '/contact-list-items',
      body,
    )
    expect(item.body).toMatchObject({ number: '5511988887777', isWhatsappValid: null, contactListId: list.id })
    await socketClient.waitFor(`company-${desk.company.id}-ContactListItem`, { action: 'create' })
    expect(await desk.admin.request('POST', '/contact-list-items', { ...body, number: '551188887777' })).toMatchObject({
      status: 409,
      body: { error: 'ERR_DUPLICATED_CONTACT' },
    })
    await checked(list.id)
    const page = await desk.admin.call(contactListItemsApi.list, {
      query: { contactListId: list.id, searchParam: 'PAZ' },
    })
    expect(page).toMatchObject({ count: 1, contacts: [{ isWhatsappValid: true, name: 'Ana Paz' }] })
    const bad = await desk.admin.call(contactListItemsApi.create, {
      body: { name: 'Nadie', number: '1234567890123456', email: '', contactListId: list.id },
    })
    await checked(list.id)
    expect(await desk.admin.call(contactListItemsApi.show, { params: { id: bad.id } })).toMatchObject({
      isWhatsappValid: false,
    })
    expect(await desk.admin.call(contactListsApi.show, { params: { id: list.id } })).toMatchObject({
      contactsCount: 2,
      validCount: 1,
      invalidCount: 1,
    })
    await desk.admin.call(contactListItemsApi.remove, { params: { id: bad.id } })
    expect(await desk.admin.request('GET', '/contact-lists/list?companyId=1')).toMatchObject({ status: 200 })
    expect(await desk.admin.call(contactListsApi.show, { params: { id: list.id } })).toMatchObject({ contactsCount: 1 })
    socketClient.close()
  })

  it('are imported with a preview, chosen columns and errors by row, and an import can be stopped', async () => {
    const { id } = await desk.admin.call(contactListsApi.create, { body: { name: 'Importada' } })
    const socketClient = await desk.admin.listen()
    const text =
      'Quien;Fone;E-mail\nAna;5511977770001;ana@mail.example\nBeto;12;\nCaro;5511977770002;\nAna otra;5511977770001;\n'
    const sheet = Buffer.from(text)
    const found = await sendForm<{ id: number }>(desk.admin, `/contact-lists/${id}/imports`, {
      file: [[sheet, 'gente.csv']],
    })
    expect(found.body).toMatchObject({
      state: 'preview',
      headers: ['Quien', 'Fone', 'E-mail'],
      columns: { name: null, number: 'Fone', email: 'E-mail' },
      total: 4,
      samples: [['Ana', '5511977770001', 'ana@mail.example'], expect.anything(), expect.anything(), expect.anything()],
    })
    expect(
      await desk.admin.request('POST', `/contact-lists/imports/${found.body.id}/start`, {
        name: 'Quien',
        number: 'Nada',
        email: null,
      }),
    ).toMatchObject({ status: 400 })
    const columns = { name: 'Quien', number: 'Fone', email: 'E-mail' }
    await desk.admin.call(contactListsApi.start, { params: { id: found.body.id }, body: columns })
    expect(await desk.admin.request('POST', `/contact-lists/imports/${found.body.id}/start`, columns)).toMatchObject({
      status: 409,
    })
    const news = (await socketClient.waitFor(`company-${desk.company.id}-ContactListItem-${id}`, {
      action: 'reload',
    })) as {
      records: object[]
    }
    expect(news.records).toHaveLength(2)
    const [done] = await desk.admin.call(contactListsApi.imports, { params: { id } })
    expect(done).toMatchObject({ state: 'done', done: 4, created: 2, doubled: 1, refused: 1 })
    expect(done?.errors).toEqual([{ row: 2, name: 'Beto', field: 'number', message: 'Too Short!' }])
    // For older clients, the header names the columns, and the import starts without confirmation.
    const old = Buffer.from('nome;numero;e-mail\nDora;5511977770009;\n')
    await sendForm(desk.admin, `/contact-lists/${id}/upload`, { file: [[old, 'lista.csv']] })
    await vi.waitFor(
      async () =>
        expect(await desk.admin.call(contactListsApi.show, { params: { id } })).toMatchObject({ contactsCount: 3 }),
      pollOptions,
    )
    const third = await sendForm<{ id: number }>(desk.admin, `/contact-lists/${id}/imports`, {
      file: [[sheet, 'otra.csv']],
    })
    expect(await desk.admin.request('POST', `/contact-lists/imports/${third.body.id}/stop`)).toMatchObject({
      body: { state: 'stopped' },
    })
    socketClient.close()
  })

  it('can be a query that is counted live and evaluated again when a campaign begins', async () => {
    const queue = await desk.createQueue('Ventas')
    const { id: ticketId, customer } = await desk.newTicket('quiero comprar')
    await desk.putTicket(desk.admin, ticketId, { queueId: queue.id })
    const { contactId } = await desk.showTicket(ticketId)
    await desk.admin.call(contactsApi.update, {
      params: { id: contactId },
      body: { name: 'Rita', number: '', email: '', extraInfo: [{ name: 'Ciudad', value: 'Córdoba' }] },
    })
    const question = {
      tagIds: [],
      queueIds: [queue.id],
      wroteFrom: '2020-01-01',
      wroteUntil: null,
      field: { name: 'CIUDAD', value: 'cordoba' },
    }
    expect(await desk.admin.call(contactListsApi.count, { body: question })).toMatchObject({
      count: 1,
      first: [{ id: contactId }],
    })
    expect(
      await desk.admin.call(contactListsApi.count, { body: { ...question, wroteFrom: '2098-01-01' } }),
    ).toMatchObject({ count: 0 })
    const list = await desk.admin.call(contactListsApi.create, { body: { name: 'De Córdoba', question } })
    expect(list).toMatchObject({ contactsCount: 1, question: { queueIds: [queue.id] } })
    expect(
      await desk.admin.request('POST', '/contact-list-items', {
        name: 'No',
        number: '5511977770003',
        contactListId: list.id,
      }),
    ).toMatchObject({ status: 409, body: { error: 'ERR_CONTACTLIST_IS_QUESTION' } })
    const { id } = await createCampaign(list.id)
    await start(id, 1)
    await vi.waitFor(async () => {
      await pollTimers()
      expect(await listBodies(customer)).toContain('Hola Rita')
    }, pollOptions)
    const next = await createCampaign(list.id, { scheduledAt: '2099-01-01 10:00:00' })
    expect(await desk.admin.request('DELETE', `/contact-lists/${list.id}`)).toMatchObject({
      status: 409,
      body: { error: 'ERR_CONTACTLIST_IN_USE' },
    })
    await desk.admin.call(campaignsApi.remove, { params: { id: next.id } })
    await until(id, { status: 'FINALIZADA' })
    await desk.admin.call(contactListsApi.remove, { params: { id: list.id } })
    expect(await show(id)).toMatchObject({ contactListId: null, contactList: null })
  })
})

describe('a campaign', () => {
  it('is written, planned, confirmed and sent, and appears in the history without a ticket', async () => {
    const { id: listId, people, phones } = await createListWith(3)
    await save({ variables: [{ key: 'promo', value: '20% {nome}' }] })
    const campaign = await createCampaign(listId, { message1: 'Hola {nome}: {promo} {otra}' })
    expect(campaign).toMatchObject({
      status: 'INATIVA',
      editable: 'all',
      contactList: { id: listId },
      whatsapp: { id: desk.line.id },
    })
    const { id } = campaign
    const preview = await desk.admin.call(campaignsApi.preview, {
      body: { contactListId: listId, texts: ['Hola {nome}: {promo} {otra}'] },
    })
    // Placeholders inside a substituted value are not expanded.
    expect(preview.people[0]?.texts).toEqual(['Hola Persona 0: 20% {nome} {otra}'])
    expect(preview.unknown).toEqual(['otra'])
    const plan = await desk.admin.call(campaignsApi.plan, { body: { contactListId: listId, whatsappId: desk.line.id } })
    expect(plan).toMatchObject({ total: 3, gets: 3, skipped: { invalid: 0, stopped: 0 }, firstAt: expect.any(String) })
    expect(await postToCampaign(id, 'start', { gets: 2 })).toMatchObject({
      status: 409,
      body: { error: 'ERR_CAMPAIGN_PLAN_CHANGED' },
    })
    const socketClient = await desk.admin.listen()
    const begun = await start(id, plan.gets)
    expect(begun).toMatchObject({ status: 'EM_ANDAMENTO', startedAt: expect.any(String) })
    expect(await desk.admin.request('DELETE', `/campaigns/${id}`)).toMatchObject({
      status: 409,
      body: { error: 'ERR_CAMPAIGN_RUNNING' },
    })
    await until(id, { status: 'FINALIZADA', counts: { total: 3, valid: 3, sent: 3, delivered: 3, pending: 0 } })
    const news = await socketClient.waitFor(`company-${desk.company.id}-campaign`, { action: 'update' })
    expect(JSON.stringify(news)).not.toContain(people[0]?.number)
    for (const [n, phone] of phones.entries())
      expect(await listBodies(phone)).toEqual([`Hola Persona ${n}: 20% {nome} {otra}`])
    const [row] = await rowsOf(id)
    const message = await desk.db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', row?.messageId as number)
      .executeTakeFirstOrThrow()
    expect(message).toMatchObject({ ticketId: null, later: true, campaignId: id, bot: 'campaign' })
    expect(
      await desk.db
        .selectFrom('tickets')
        .select('id')
        .where('contactId', '=', row?.contactId as number)
        .execute(),
    ).toEqual([])
    // Older clients count the shippings in the response.
    const whole = await desk.admin.call(campaignsApi.show, { params: { id }, query: {} })
    expect(whole.shipping.filter((s) => s.deliveredAt !== null)).toHaveLength(3)
    expect(whole.contactList?.contacts).toEqual([1, 2, 3].map(() => ({ isWhatsappValid: true })))
    expect(await desk.admin.request('PUT', `/campaigns/${id}`, whole)).toMatchObject({
      status: 409,
      body: { error: 'ERR_CAMPAIGN_SETTLED' },
    })
    socketClient.close()
  })

  it('is scheduled by older clients with a time without zone, and begins when due, even after downtime', async () => {
    const { id: listId } = await createListWith(1)
    const old = {
      name: 'Vieja',
      message1: 'Oi {nome}',
      message2: null,
      message3: null,
      message4: null,
      message5: null,
      status: 'INATIVA',
      scheduledAt: '2099-05-04 10:30:00',
      whatsappId: desk.line.id,
      contactListId: listId,
      tagListId: 'Nenhuma',
      companyId: 999,
    }
    const made = await desk.admin.request<{ id: number; status: string; scheduledAt: string }>(
      'POST',
      '/campaigns',
      old,
    )
    expect(made.body).toMatchObject({ status: 'PROGRAMADA', scheduledAt: '2099-05-04T13:30:00.000Z', tagId: null })
    const { id } = made.body
    // The client sends the whole response back, with a status that is not a command.
    const whole = await desk.admin.call(campaignsApi.show, { params: { id }, query: {} })
    const put = await desk.admin.request<Campaign>('PUT', `/campaigns/${id}`, {
      ...whole,
      name: 'Otra',
      status: 'EM_ANDAMENTO',
      scheduledAt: '2099-05-05 10:30:00',
    })
    expect(put.body).toMatchObject({ name: 'Otra', status: 'PROGRAMADA' })
    expect(await desk.admin.request('GET', '/campaigns/?searchParam=otra&pageNumber=1')).toMatchObject({
      body: { records: [{ id }], hasMore: false },
    })
    await desk.db
      .updateTable('campaigns')
      .set({ scheduledAt: new Date(harness.clock.now().getTime() - days(3)) })
      .where('id', '=', id)
      .execute()
    expect(await show(id)).toMatchObject({ editable: 'nothing' })
    await until(id, { status: 'FINALIZADA' })
    // A campaign that is incomplete at its start time reports the reason instead.
    const lost = await createCampaign(listId, { scheduledAt: '2099-01-01 10:00:00' })
    await desk.db
      .updateTable('campaigns')
      .set({ contactListId: null, scheduledAt: new Date(harness.clock.now().getTime() - hours(1)) })
      .where('id', '=', lost.id)
      .execute()
    await until(lost.id, { status: 'CANCELADA', held: 'ERR_CAMPAIGN_NO_AUDIENCE' })
  })

  it('waits for the file that an older client uploads after saving, and sends it', async () => {
    const { id: listId, phones } = await createListWith(1)
    const soon = (ms: number) => new Date(harness.clock.now().getTime() + ms).toISOString()
    const upload = (id: number) =>
      sendForm(desk.admin, `/campaigns/${id}/media-upload`, { file: [[tinyPng, 'foto.png']] })
    const later = await createCampaign(listId, { scheduledAt: soon(hours(0.5)) })
    expect((await upload(later.id)).status).toBe(200)
    await desk.admin.call(campaignsApi.remove, { params: { id: later.id } })
    const { id } = await createCampaign(listId, { scheduledAt: soon(-1000) })
    await pollTimers()
    expect(await show(id)).toMatchObject({ status: 'PROGRAMADA' })
    expect((await upload(id)).status).toBe(200)
    await freeLine()
    await until(id, { status: 'FINALIZADA' })
    expect(await phones[0]?.listMessages()).toMatchObject([{ mediaName: 'foto.png' }])
    expect((await upload(id)).status).toBe(409)
    // A campaign without a file begins after a minute.
    const bare = await createCampaign((await createListWith(1)).id, { scheduledAt: soon(-1000) })
    await pollTimers()
    expect(await show(bare.id)).toMatchObject({ status: 'PROGRAMADA' })
    await desk.withClockForward(61_000, async () => {
      await freeLine()
      await until(bare.id, { status: 'FINALIZADA' })
    })
  })

  it('is refused with a time but without message, audience or line, and keeps its file list', async () => {
    const { id: contactListId } = await createListWith(1)
    const whole = {
      name: 'Junio',
      message1: 'Hola',
      contactListId,
      whatsappId: desk.line.id,
      scheduledAt: '2099-05-04T10:30',
    }
    const code = async (changes: object, method = 'POST', path = '/campaigns') =>
      (await desk.admin.request<{ error?: string; id: number }>(method, path, { ...whole, ...changes })).body
    expect(await code({ message1: '' })).toEqual({ error: 'ERR_CAMPAIGN_NO_MESSAGE' })
    expect(await code({ contactListId: null })).toEqual({ error: 'ERR_CAMPAIGN_NO_AUDIENCE' })
    expect(await code({ whatsappId: null })).toEqual({ error: 'ERR_CAMPAIGN_NO_LINE' })
    expect(await code({ message1: '', fileFollows: true })).toMatchObject({ status: 'PROGRAMADA' })
    const files = await desk.admin.call(filesApi.create, {
      body: { name: 'Folletos', message: 'x', options: [] } as never,
    })
    const { id } = await code({ fileListId: files.id })
    expect(await code({ whatsappId: null }, 'PUT', `/campaigns/${id}`)).toEqual({ error: 'ERR_CAMPAIGN_NO_LINE' })
    const remove = () => desk.admin.request('DELETE', `/files/${files.id}`)
    expect(await remove()).toMatchObject({ status: 409, body: { error: 'ERR_FILELIST_IN_USE' } })
    await desk.admin.call(campaignsApi.remove, { params: { id } })
    expect((await remove()).status).toBe(200)
  })

  it('skips recipients who are invalid, unknown, opted out, in an open ticket or recently contacted, and reports them', async () => {
    const { id: listId, people } = await createListWith(5)
    const items = (await desk.admin.call(contactListItemsApi.list, { query: { contactListId: listId } })).contacts
    const valid = (n: number, isWhatsappValid: boolean | null) =>
      desk.db
        .updateTable('contactListItems')
        .set({ isWhatsappValid, checkAfter: '2099-01-01' })
        .where('id', '=', items[n]?.id as number)
        .execute()
    await valid(0, false)
    await valid(1, null)
    const contact = await desk.admin.call(contactsApi.create, {
      body: { name: 'Dos', number: people[2]?.number as string, email: '' },
    })
    await desk.admin.call(campaignStopsApi.create, { body: { contactId: contact.id } })
    const { ticketId } = await desk.waitForMessage(await desk.line.customer(people[3]?.number as string).says('hola'))
    await desk.accept(desk.admin, ticketId)
    const plan = await desk.admin.call(campaignsApi.plan, { body: { contactListId: listId, whatsappId: desk.line.id } })
    expect(plan).toMatchObject({
      total: 5,
      gets: 1,
      skipped: { invalid: 1, unknown: 1, stopped: 1, inConversation: 1, recent: 0 },
    })
    // The people behind each number are listed as well.
    const asked = { contactListId: listId, whatsappId: desk.line.id }
    const behind = async (reason: CampaignPlanGroup) =>
      (await desk.admin.call(campaignsApi.planPeople, { body: { ...asked, reason } })).people.map((p) => p.number)
    expect(await behind('stopped')).toEqual([people[2]?.number])
    expect(await behind('in-conversation')).toEqual([people[3]?.number])
    expect(await behind('recent')).toEqual([])
    expect(await behind('gets')).toEqual([people[4]?.number])
    const unknown = await desk.admin.call(campaignsApi.planPeople, { body: { ...asked, reason: 'unknown' } })
    expect(unknown).toMatchObject({ people: [{ contactId: null, name: 'Persona 1' }], count: 1, hasMore: false })
    const { id } = await createCampaign(listId)
    await start(id)
    await until(id, { status: 'FINALIZADA', counts: { total: 5, valid: 1, skipped: 4, sent: 1 } })
    const told = await report(id)
    expect(new Map(told.skipped.map((one) => [one.reason, one.count]))).toEqual(
      new Map([
        ['invalid', 1],
        ['unknown', 1],
        ['stopped', 1],
        ['in-conversation', 1],
      ]),
    )
    await desk.admin.call(ticketsApi.update, { params: { id: ticketId }, body: { status: 'closed' } as never })
    const settings = { daysBetween: 7, skipOpen: true }
    const again = await desk.admin.call(campaignsApi.plan, {
      body: { contactListId: listId, whatsappId: desk.line.id, settings },
    })
    expect(again).toMatchObject({ gets: 1, skipped: { recent: 1, inConversation: 0 } })
  })

  it('lists page by page the people who get the message on a later day because of the daily limit', async () => {
    const { id: contactListId } = await desk.admin.call(contactListsApi.create, { body: { name: 'Larga' } })
    await desk.db
      .insertInto('contactListItems')
      .values(
        Array.from({ length: 30 }, (_, n) => {
          const number = String(5_491_170_000_000 + n)
          const row = { companyId: desk.company.id, contactListId, name: `Persona ${n}`, number, key: number }
          return { ...row, email: '', isWhatsappValid: true }
        }),
      )
      .execute()
    // The campaign begins on a day whose limit is still unused.
    const scheduledAt = new Date(harness.clock.now().getTime() + days(3)).toISOString()
    const asked = { contactListId, whatsappId: desk.line.id, scheduledAt, settings: { dailyLimit: 8 } }
    const plan = await desk.admin.call(campaignsApi.plan, { body: asked })
    expect(plan).toMatchObject({ gets: 30, overLimit: 22 })
    expect(plan.days.map(({ count }) => count)).toEqual([8, 8, 8, 6])
    // A linked phone that has proved nothing yet writes to ten people a day.
    const linked = await desk.admin.call(connectionsApi.create, {
      body: { name: 'Teléfono', provider: 'beta', maxUseBotQueues: 3, timeUseBotQueues: 0, expiresTicket: 0 } as never,
    })
    const onPhone = { ...asked, whatsappId: linked.id, settings: { dailyLimit: 0 } }
    const phonePlan = await desk.admin.call(campaignsApi.plan, { body: onPhone })
    expect(phonePlan).toMatchObject({ gets: 30, overLimit: 20, unplanned: 0 })
    expect(phonePlan.days.map(({ count }) => count)).toEqual([10, 10, 10])
    await desk.admin.call(connectionsApi.remove, { params: { id: linked.id } })
    const page = (pageNumber: number) =>
      desk.admin.call(campaignsApi.planPeople, { body: { ...asked, reason: 'over-limit', pageNumber } })
    const first = await page(1)
    expect(first).toMatchObject({ count: 22, hasMore: true })
    expect(first.people[0]).toMatchObject({ name: 'Persona 8', contactId: null })
    expect(await page(2)).toMatchObject({
      people: [{ name: 'Persona 28' }, { name: 'Persona 29' }],
      count: 22,
      hasMore: false,
    })
    expect(await page(3)).toEqual({ people: [], count: 22, hasMore: false })
    // If the campaign takes several days only because of its pace, no limit is reported.
    const minute = (weekdayEn: string) => ({ weekday: '', weekdayEn, startTime: '10:00', endTime: '10:01' })
    const hours = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(minute) as never
    const slow = { ...asked, settings: { dailyLimit: 100, messageInterval: 20, hours } }
    const long = await desk.admin.call(campaignsApi.plan, { body: slow })
    expect(long).toMatchObject({ gets: 30, overLimit: 0 })
    expect(long.days.length).toBeGreaterThan(5)
  })

  it('sends a whole batch at once, and a recipient who cannot be written to does not block the others', async () => {
    const { id: listId, people, phones } = await createListWith(6)
    for (const { number, name } of people)
      await desk.admin.call(contactsApi.create, { body: { name, number, email: '' } })
    const { id } = await createCampaign(listId, { message1: '{nome}' })
    const closed = { weekday: '', weekdayEn: 'monday' as const, startTime: '00:00', endTime: '00:00' }
    await save({ hours: [closed] })
    await start(id)
    // One recipient's contact was merged into another a moment ago.
    const [odd] = (await rowsOf(id)).slice(2)
    await desk.db
      .updateTable('contacts')
      .set({ mergedInto: (await rowsOf(id))[0]?.contactId as number })
      .where('id', '=', odd?.contactId as number)
      .execute()
    await save({ hours: null })
    await freeLine()
    await until(id, { status: 'FINALIZADA', counts: { sent: 5, failed: 1 } })
    const after = await rowsOf(id)
    expect(after.map(({ state, reason }) => [state, reason])).toEqual(
      after.map((row) => (row.id === odd?.id ? ['failed', 'ERR_NO_CONTACT_FOUND'] : ['sent', null])),
    )
    expect(after.filter(({ messageId }) => messageId !== null)).toHaveLength(5)
    // Each recipient gets their own message, in list order.
    const ids = after.flatMap(({ messageId }) => messageId ?? [])
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    for (const [n, phone] of phones.entries()) expect(await listBodies(phone)).toEqual(n === 2 ? [] : [`Persona ${n}`])
  })

  it('is cancelled and resumed without sending twice or missing anybody, and waiting people get the new text', async () => {
    const { id: listId, phones } = await createListWith(4)
    await save({ messageInterval: 20, longerIntervalAfter: 5, greaterInterval: 60 })
    const { id } = await createCampaign(listId, { message1: 'antes' })
    await start(id)
    await vi.waitFor(async () => {
      await pollTimers()
      expect((await rowsOf(id)).filter((row) => row.state === 'sent')).toHaveLength(1)
    }, pollOptions)
    // The pace is kept: nothing else is sent, however often the timers run.
    for (let n = 0; n < 3; n++) await pollTimers()
    expect((await rowsOf(id)).filter((row) => row.state !== 'pending')).toHaveLength(1)
    const cancelled = await postToCampaign(id, 'cancel')
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELADA' } })
    await desk.withClockForward(hours(1), pollTimers)
    expect((await rowsOf(id)).filter((row) => row.state !== 'pending')).toHaveLength(1)
    const whole = await show(id)
    expect(whole.editable).toBe('texts')
    await desk.admin.call(campaignsApi.update, {
      params: { id },
      body: { ...whole, name: 'Otro nombre', message1: 'después' },
    })
    expect(await show(id)).toMatchObject({ name: 'Mayo', message1: 'después', status: 'CANCELADA' })
    expect(await postToCampaign(id, 'restart')).toMatchObject({ status: 200, body: { status: 'EM_ANDAMENTO' } })
    await save({ messageInterval: 0, longerIntervalAfter: 0 })
    await freeLine()
    await until(id, { status: 'FINALIZADA', counts: { sent: 4 } })
    expect((await Promise.all(phones.map(listBodies))).map(([first, ...more]) => [first, more.length])).toEqual(
      expect.arrayContaining([
        ['antes', 0],
        ['después', 0],
      ]),
    )
    for (const phone of phones) expect(await listBodies(phone)).toHaveLength(1)
  })

  it('continues over another line with the remaining people when its line is deleted', async () => {
    const leaving = await harness.openLine({ admin: desk.admin })
    const { id: listId, phones } = await createListWith(2)
    await leaving.setFaults({ failSends: 'network' })
    const { id } = await createCampaign(listId, { whatsappId: leaving.id })
    await start(id)
    const states = async () => (await rowsOf(id)).map(({ state, reason }) => [state, reason])
    await vi.waitFor(async () => {
      await pollTimers()
      expect(await states()).toEqual([
        ['queued', null],
        ['queued', null],
      ])
    }, pollOptions)
    await desk.admin.call(connectionsApi.remove, { params: { id: leaving.id } })
    await until(id, { status: 'CANCELADA', held: 'line-gone' })
    expect(await states()).toEqual([
      ['failed', 'line-gone'],
      ['failed', 'line-gone'],
    ])
    const whole = await show(id)
    await desk.admin.call(campaignsApi.update, { params: { id }, body: { ...whole, whatsappId: desk.line.id } })
    expect(await postToCampaign(id, 'restart')).toMatchObject({ status: 200 })
    expect((await postToCampaign(id, 'retry')).body).toEqual({ count: 2 })
    await freeLine()
    await until(id, { status: 'FINALIZADA', counts: { sent: 2, failed: 0 } })
    expect(await Promise.all(phones.map(listBodies))).toEqual([['Hola Persona 0'], ['Hola Persona 1']])
  })

  it('does not count as finished between the deletion of its line and its cancellation', async () => {
    const leaving = await harness.openLine({ admin: desk.admin })
    const { id: listId } = await createListWith(2)
    await leaving.setFaults({ failSends: 'network' })
    const { id } = await createCampaign(listId, { whatsappId: leaving.id })
    await start(id)
    await vi.waitFor(async () => {
      await pollTimers()
      expect((await rowsOf(id)).map(({ state }) => state)).toEqual(['queued', 'queued'])
    }, pollOptions)
    // The state after the first of two listeners of `line.deleted` has run.
    const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
    await desk.db.updateTable('campaigns').set({ whatsappId: null }).where('id', '=', id).execute()
    await failMessagesOfDeletedLine(scope, leaving.id)
    await until(id, { counts: { failed: 2 } })
    expect(await show(id)).toMatchObject({ status: 'EM_ANDAMENTO' })
    await pauseCampaignsWithoutLine(scope)
    expect(await show(id)).toMatchObject({ status: 'CANCELADA', held: 'line-gone' })
  })

  it('is not started again when it has ended and its line was deleted', async () => {
    const leaving = await harness.openLine({ admin: desk.admin })
    const { id: listId } = await createListWith(1)
    const { id } = await createCampaign(listId, { whatsappId: leaving.id })
    await leaving.setFaults({ failSends: 'spam-limited' })
    await start(id)
    await until(id, { status: 'FINALIZADA', counts: { failed: 1 } })
    await desk.admin.call(connectionsApi.remove, { params: { id: leaving.id } })
    expect(await postToCampaign(id, 'retry')).toMatchObject({ status: 409, body: { error: 'ERR_CAMPAIGN_NO_LINE' } })
    expect(await show(id)).toMatchObject({ status: 'FINALIZADA' })
  })

  it('waits outside its sending hours and above its daily limit', async () => {
    const { id: listId } = await createListWith(3)
    const closed = { weekday: '', weekdayEn: 'monday' as const, startTime: '00:00', endTime: '00:00' }
    await save({ hours: [closed] })
    const { id } = await createCampaign(listId)
    expect(
      await desk.admin.call(campaignsApi.plan, { body: { contactListId: listId, whatsappId: desk.line.id } }),
    ).toMatchObject({ gets: 3, firstAt: null })
    await start(id)
    await pollTimers()
    expect((await report(id)).waits).toMatchObject({ why: 'hours' })
    expect((await rowsOf(id)).every((row) => row.state === 'pending')).toBe(true)
    const today = await desk.db
      .selectFrom('campaignLines')
      .selectAll()
      .where('whatsappId', '=', desk.line.id)
      .executeTakeFirstOrThrow()
    await save({ hours: null, dailyLimit: today.sentToday + 2 })
    await freeLine()
    await vi.waitFor(async () => {
      await pollTimers()
      expect((await rowsOf(id)).filter((row) => row.state === 'sent')).toHaveLength(2)
    }, pollOptions)
    await pollTimers()
    expect((await report(id)).waits).toMatchObject({ why: 'day-limit', until: expect.any(String) })
    await save({ dailyLimit: 0 })
    await freeLine()
    await until(id, { status: 'FINALIZADA' })
  })

  it('waits while WhatsApp locks its line out of writing to strangers, and says so in its plan and report', async () => {
    const lockUntil = (lockedUntil: Date) =>
      desk.db.updateTable('whatsapps').set({ lockedUntil }).where('id', '=', desk.line.id).execute()
    const ends = addMs(harness.clock.now(), days(2))
    await lockUntil(ends)
    const { id: listId } = await createListWith(2)
    const { id } = await createCampaign(listId)
    const plan = () => desk.admin.call(campaignsApi.plan, { body: { contactListId: listId, whatsappId: desk.line.id } })
    const { basis, firstAt } = await plan()
    expect(basis.lockedUntil).toBe(ends.toISOString())
    expect(Date.parse(firstAt ?? '')).toBeGreaterThanOrEqual(ends.getTime())
    await start(id)
    await freeLine()
    await pollTimers()
    expect((await report(id)).waits).toEqual({ why: 'locked', until: ends.toISOString() })
    expect((await rowsOf(id)).every((row) => row.state === 'pending')).toBe(true)
    await lockUntil(harness.clock.now())
    await freeLine()
    await until(id, { status: 'FINALIZADA' })
    expect((await plan()).basis.lockedUntil).toBeNull()
    await desk.db.updateTable('whatsapps').set({ lockedUntil: null }).where('id', '=', desk.line.id).execute()
  })

  it('keeps messages that wait in the outbox when its sending hours end, until they begin again', async () => {
    const { id: listId, phones } = await createListWith(3)
    const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
    const week = (open: boolean) =>
      weekdays.map((weekdayEn) => ({
        ...{ weekday: '', weekdayEn, startTime: '00:00', endTime: open ? '23:59' : '00:00' },
      }))
    const { id } = await createCampaign(listId)
    await harness.server.switchboard.outbox.end(desk.line.id)
    await start(id)
    await vi.waitFor(async () => {
      await pollTimers()
      expect((await rowsOf(id)).every((row) => row.state === 'queued')).toBe(true)
    }, pollOptions)
    await save({ hours: week(false) })
    const line = harness.server.lines.connectedLine(desk.line.id)
    if (line) harness.server.switchboard.outbox.begin(await desk.loadLineRow(), line)
    // An agent's answer is sent; the campaign's messages were claimed before it and put back.
    const { id: ticketId, customer } = await desk.openTicket(desk.admin)
    await desk.send(desk.admin, ticketId, 'Ya te respondo')
    await vi.waitFor(async () => expect(await listBodies(customer)).toContain('Ya te respondo'), pollOptions)
    for (const phone of phones) expect(await listBodies(phone)).toEqual([])
    await save({ hours: week(true) })
    await desk.withClockForward(120_000, async () => {
      harness.server.switchboard.outbox.wake(desk.line.id)
      for (const phone of phones)
        await vi.waitFor(async () => expect(await listBodies(phone)).toHaveLength(1), pollOptions)
      await until(id, { status: 'FINALIZADA' })
    })
    await save({ hours: null })
  })

  it('stops after consecutive failures with the reason, and retries the failed messages', async () => {
    const { id: listId } = await createListWith(4)
    await save({ stopAfter: 2, messageInterval: 5 })
    const { id } = await createCampaign(listId)
    await start(id)
    // The outbox is stopped, and the test marks each message as refused.
    await harness.server.switchboard.outbox.end(desk.line.id)
    const fail = async () => {
      await pollTimers()
      const [row] = (await rowsOf(id)).filter((one) => one.state === 'queued')
      if (!row) return
      await desk.db
        .updateTable('messages')
        .set({ state: 'failed', error: 'spam-limited', ack: 0, ackAt: harness.clock.now() })
        .where('id', '=', row.messageId as number)
        .execute()
    }
    for (let n = 1; n <= 3; n++) await desk.withClockForward(n * 60_000, fail)
    await desk.withClockForward(hours(1), pollTimers)
    const held = await show(id)
    expect(held).toMatchObject({ status: 'EM_ANDAMENTO', held: 'spam-limited' })
    expect((await rowsOf(id)).filter((row) => row.state === 'failed')).toHaveLength(2)
    expect((await report(id)).failures).toEqual([{ reason: 'spam-limited', count: 2, retryable: true }])
    expect(await postToCampaign(id, 'restart')).toMatchObject({ status: 200, body: { held: null } })
    expect((await postToCampaign(id, 'retry', { reason: 'spam-limited' })).body).toEqual({ count: 2 })
    expect((await rowsOf(id)).every((row) => row.state === 'pending')).toBe(true)
    await postToCampaign(id, 'cancel')
    await desk.admin.call(campaignsApi.remove, { params: { id } })
    await save({ stopAfter: defaultCampaignSettings.stopAfter, messageInterval: 0 })
    const line = harness.server.lines.connectedLine(desk.line.id)
    if (line) harness.server.switchboard.outbox.begin(await desk.loadLineRow(), line)
  })
})

describe('customer answers to a campaign', () => {
  const stops = async (contactId?: number) =>
    (await desk.admin.call(campaignStopsApi.list, { query: { contactId: contactId ?? null } })).stops
  /** A campaign that was sent to everybody in a list. */
  async function createSentCampaign(more: object = {}, count = 1) {
    const list = await createListWith(count)
    const { id } = await createCampaign(list.id, more)
    await start(id)
    await until(id, { status: 'FINALIZADA' })
    return { ...list, id }
  }

  it('open a ticket in the queue of the campaign, link to the campaign and count once', async () => {
    const queue = await desk.createQueue('Promociones')
    const { id, phones } = await createSentCampaign({ queueId: queue.id, name: 'Con cola' })
    const [phone] = phones
    const first = await desk.waitForMessage((await phone?.says('me interesa')) as string)
    expect(first).toMatchObject({ campaignId: id })
    const ticket = await desk.showTicket(first.ticketId)
    expect(ticket).toMatchObject({ status: 'pending', queueId: queue.id, unreadMessages: 1 })
    const second = await desk.waitForMessage((await phone?.says('¿sigue?')) as string)
    expect(second).toMatchObject({ campaignId: null, ticketId: first.ticketId })
    const thread = await desk.listMessages(desk.admin, first.ticketId)
    expect(thread.map(({ body, campaign }) => [body, campaign?.name ?? null])).toEqual(
      expect.arrayContaining([
        ['Hola Persona 0', 'Con cola'],
        ['me interesa', 'Con cola'],
        ['¿sigue?', null],
      ]),
    )
    await until(id, { counts: { answered: 1 } })
    const told = await report(id)
    expect(told.variants).toMatchObject([{ variant: 1, sent: 1, answered: 1, text: 'Hola {nome}' }])
    expect(told.curve.at(-1)).toMatchObject({ sent: 1, answered: 1 })
    // The report includes the plan; without sending hours, the whole time counts as open.
    expect(told.plan.reduce((sum, run) => sum + run.count, 0)).toBe(told.campaign.counts.valid)
    expect(told.open).toEqual([{ from: told.curve[0]?.at, until: told.curve.at(-1)?.at }])
  })

  it('join the existing ticket, also when they take the fast path', async () => {
    const list = await createListWith(1)
    const [phone] = list.phones
    const { ticketId } = await desk.waitForMessage((await phone?.says('hola')) as string)
    await desk.accept(desk.admin, ticketId)
    await save({ skipOpen: false })
    const { id } = await createCampaign(list.id)
    await start(id)
    await until(id, { status: 'FINALIZADA' })
    await save({ skipOpen: true })
    expect(await desk.showTicket(ticketId)).toMatchObject({ status: 'open', lastMessage: 'hola' })
    const answer = await desk.waitForMessage((await phone?.says('gracias')) as string)
    expect(answer).toMatchObject({ ticketId, campaignId: id })
    expect(await desk.waitForMessage((await phone?.says('otra cosa')) as string)).toMatchObject({
      ticketId,
      campaignId: null,
    })
  })

  it('opt out: this is stored and confirmed once, and valid for every campaign until the customer or an agent undoes it', async () => {
    const { id, phones, id: campaignId } = await createSentCampaign()
    const [phone] = phones as [(typeof phones)[number]]
    const [row] = await rowsOf(id)
    const contactId = row?.contactId as number
    const said = await desk.waitForMessage(await phone.says(' *STOP!* '))
    expect(await desk.showTicket(said.ticketId)).toMatchObject({ status: 'closed', unreadMessages: 0 })
    await vi.waitFor(async () => expect(await listBodies(phone)).toHaveLength(3), pollOptions)
    expect((await listBodies(phone)).at(-1)).toContain('ALTA')
    expect(await stops(contactId)).toMatchObject([
      { word: 'stop', campaign: { id: campaignId }, whatsapp: { id: desk.line.id } },
    ])
    await until(id, { counts: { stopped: 1 } })
    await desk.waitForMessage(await phone.says('stop'))
    const before = (await phone.listMessages()).length
    const again = await desk.admin.call(campaignsApi.plan, {
      body: { contactListId: (await show(id)).contactListId, whatsappId: desk.line.id },
    })
    expect(again).toMatchObject({ gets: 0, skipped: { stopped: 1 } })
    // Deleting the contact does not undo the opt-out.
    await desk.admin.call(contactsApi.remove, { params: { id: contactId } })
    const still = await desk.admin.call(campaignsApi.plan, {
      body: { contactListId: (await show(id)).contactListId, whatsappId: desk.line.id },
    })
    expect(still).toMatchObject({ gets: 0, skipped: { stopped: 1 } })
    await desk.waitForHandled(await phone.says('ALTA'))
    await vi.waitFor(async () => expect((await phone.listMessages()).length).toBe(before + 2), pollOptions)
    expect((await stops()).filter((one) => one.word === 'stop')).toEqual([])
    // Without an earlier opt-out, the opt-in keyword is an ordinary message for agents.
    const word = await desk.waitForMessage(await phone.says('alta'))
    expect(await desk.showTicket(word.ticketId)).toMatchObject({ status: 'pending', unreadMessages: 1 })
  })

  it('opt out before the company has ever made a campaign, also in an open ticket', async () => {
    const fresh = await openDesk(harness)
    const [stranger, known] = [fresh.line.customer(nextPhoneNumber()), await fresh.openTicket(fresh.admin)]
    await fresh.waitForMessage(await stranger.says('Baja'))
    await fresh.waitForMessage(await known.customer.says('BAJA'))
    for (const phone of [stranger, known.customer])
      await vi.waitFor(async () => expect((await listBodies(phone)).at(-1)).toContain('ALTA'), pollOptions)
    const { stops: all } = await fresh.admin.call(campaignStopsApi.list, { query: { contactId: null } })
    expect(all.map(({ word }) => word)).toEqual(['baja', 'baja'])
  })

  it('confirm or refuse: yes releases the message, no opts out, anything else goes to agents', async () => {
    const { id: listId, phones } = await createListWith(3)
    const question = { confirmation: true, confirmationMessage1: '¿Quieres saber más, {nome}?', message1: 'Es esto' }
    const { id } = await createCampaign(listId, question)
    await start(id)
    await vi.waitFor(async () => {
      await pollTimers()
      for (const phone of phones) expect((await listBodies(phone))[0]).toContain('¿Quieres saber más')
    }, pollOptions)
    const [yes, no, other] = phones as [(typeof phones)[number], (typeof phones)[number], (typeof phones)[number]]
    const accepted = await desk.waitForMessage(await yes.says('Sí'))
    expect(await desk.showTicket(accepted.ticketId)).toMatchObject({ status: 'closed' })
    await desk.waitForMessage(await no.says('não'))
    const { ticketId } = await desk.waitForMessage(await other.says('¿quién eres?'))
    expect(await desk.showTicket(ticketId)).toMatchObject({ status: 'pending', unreadMessages: 1 })
    await vi.waitFor(async () => {
      await pollTimers()
      expect((await listBodies(yes)).at(-1)).toBe('Es esto')
    }, pollOptions)
    expect(await listBodies(other)).not.toContain('Es esto')
    expect(await listBodies(no)).not.toContain('Es esto')
    // People who answer no still count as recipients, because percentages refer to everybody who was asked.
    await until(id, { status: 'EM_ANDAMENTO', counts: { valid: 3, asked: 3, confirmed: 1, sent: 1, stopped: 1 } })
    await desk.withClockForward(days(3), async () => {
      await pollTimers()
      await pollTimers()
    })
    await until(id, { status: 'FINALIZADA' })
    expect((await rowsOf(id)).map((row) => [row.state, row.reason])).toEqual([
      ['sent', null],
      ['skipped', 'stopped'],
      ['skipped', 'unanswered'],
    ])
  })
})

describe('campaign tools', () => {
  it("send a test to one's own number, with its file, without counting it", async () => {
    const { id: listId } = await createListWith(1)
    const { id } = await createCampaign(listId, { message2: 'Segundo para {nome}' })
    await sendForm(desk.admin, `/campaigns/${id}/media-upload`, { file: [[tinyPng, 'dot.png']] })
    const me = nextPhoneNumber()
    expect((await postToCampaign(id, 'test', { number: `+${me}` })).body).toEqual({ sent: 2 })
    await vi.waitFor(async () => expect(await desk.line.customer(me).listMessages()).toHaveLength(2), pollOptions)
    expect(await rowsOf(id)).toEqual([])
    await desk.admin.request('DELETE', `/campaigns/${id}/media-upload`)
    expect(await show(id)).toMatchObject({ mediaPath: null, counts: { total: 0 } })
  })

  it('list the people behind every count and export them as a file', async () => {
    const { id: listId, people } = await createListWith(2)
    const { id } = await createCampaign(listId)
    await start(id)
    await until(id, { status: 'FINALIZADA' })
    const page = () =>
      desk.admin.call(campaignsApi.people, {
        params: { id },
        query: { group: 'delivered', searchParam: 'persona 1' },
      })
    // The phone acknowledges delivery automatically.
    await expect.poll(page).toMatchObject({
      count: 1,
      people: [{ name: 'Persona 1', number: people[1]?.number, state: 'sent', variant: 1 }],
    })
    expect((await desk.admin.call(campaignsApi.people, { params: { id }, query: { group: 'failed' } })).count).toBe(0)
    const csv = await desk.admin.call(campaignsApi.export, { params: { id }, query: { group: 'sent' } })
    expect(csv.split('\r\n')).toHaveLength(4)
    const sheet = await fetch(`${harness.address}/campaigns/${id}/export-sheet`, {
      headers: { authorization: `Bearer ${desk.admin.token}` },
    })
    expect(sheet.headers.get('content-type')).toContain('spreadsheetml')
    expect(
      Buffer.from(await sheet.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
  })

  it('return all settings as JSON text, and let older clients write the four they support', async () => {
    await save({ dailyLimit: 77 })
    await desk.admin.request('POST', '/campaign-settings', {
      settings: { messageInterval: 0, longerIntervalAfter: 0, greaterInterval: 60, variables: [] },
    })
    const all = await desk.admin.call(campaignSettingsApi.list)
    const values = Object.fromEntries(all.map(({ key, value }) => [key, JSON.parse(value)]))
    expect(values).toEqual({ ...defaultCampaignSettings, messageInterval: 0, longerIntervalAfter: 0, dailyLimit: 77 })
    expect(await desk.admin.request('POST', '/campaign-settings', { settings: { messageInterval: 7 } })).toMatchObject({
      status: 400,
    })
    await save({ dailyLimit: 0 })
  })
})
