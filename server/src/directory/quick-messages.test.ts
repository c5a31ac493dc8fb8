import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { queuesApi } from '@recado/contract/queues'
import { type QuickMessage, quickMessagesApi } from '@recado/contract/quick-messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  closeTestServers,
  type SocketClient,
  type TestServer,
  type TestUser,
  testServer,
} from '../../test/test-server.ts'
import { sendForm, tinyPdf, tinyPng } from '../../test/upload.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const create = (who: TestUser, over: object = {}) =>
  who.call(quickMessagesApi.create, { body: { shortcode: 'hola', message: 'Hola {{firstName}}', ...over } })
const codes = async (who: TestUser) => (await who.call(quickMessagesApi.all)).map((q) => q.shortcode)
const attach = (who: TestUser, id: number, content: Uint8Array | string, name: string) =>
  sendForm(who, `/quick-messages/${id}/media-upload`, { typeArch: ['quickMessage'], file: [[content, name]] })
const show = (who: TestUser, id: number) => who.call(quickMessagesApi.show, { params: { id } })
const stored = async (companyId: number) => {
  const folder = join(harness.dataDir, 'files', String(companyId))
  return existsSync(folder) ? readdir(folder) : []
}
/** The list of a browser that applies only the events of this socket client. */
const replayPublished = (socketClient: SocketClient, companyId: number) => {
  const list = new Map<number, QuickMessage>()
  for (const { name, payload } of socketClient.received) {
    if (name !== `company${companyId}-quickemessage`) continue
    if (payload.action === 'delete') list.delete(payload.id as number)
    else list.set((payload.record as QuickMessage).id, payload.record as QuickMessage)
  }
  return [...list.values()]
}
const missing = { status: 404, body: { error: 'ERR_NO_QUICKMESSAGE_FOUND' } }
const denied = { status: 400, body: { error: 'ERR_NO_PERMISSION' } }

it('limits the number of quick messages per company, and allows another after one is deleted', async () => {
  const { admin, id } = await harness.createCompany()
  await sql`insert into "quickMessages" ("companyId", "userId", shortcode, message)
    select ${id}, ${admin.id}, 'code ' || n, 'hola' from generate_series(1, 4999) n`.execute(harness.wide().db)
  const { id: last } = await create(admin)
  await expect(create(admin, { shortcode: 'adios' })).rejects.toMatchObject({ status: 409, code: 'ERR_LIST_FULL' })
  await admin.call(quickMessagesApi.remove, { params: { id: last } })
  expect((await create(admin, { shortcode: 'adios' })).shortcode).toBe('adios')
})

describe('an inactive quick message', () => {
  it('is kept and listed, but not offered in the composer', async () => {
    const { admin } = await harness.createCompany()
    const { id } = await create(admin, { status: false })
    expect(await codes(admin)).toEqual([])
    const listed = async () => (await admin.call(quickMessagesApi.list, { query: {} as never })).records
    expect(await listed()).toMatchObject([{ id, status: false }])
    // Older forms always send `active` as true.
    await admin.call(quickMessagesApi.update, {
      params: { id },
      body: { shortcode: 'hola', message: 'x', status: true },
    })
    expect(await codes(admin)).toEqual(['hola'])
  })
})

describe('a shortcut', () => {
  it('is unique among the user’s own quick messages and among the shared ones, in any spelling', async () => {
    const company = await harness.createCompany()
    const [ana, leo] = [await company.user(), await company.user()]
    const twice = { status: 409, code: 'ERR_QUICKMESSAGE_SHORTCODE_EXISTS' }
    const mine = await create(ana)
    await expect(create(ana, { shortcode: 'HOLA' })).rejects.toMatchObject(twice)
    await create(leo)
    const ours = await create(ana, { geral: true })
    await expect(create(leo, { geral: true })).rejects.toMatchObject(twice)
    const body = { shortcode: 'hola', message: 'x', geral: true }
    await expect(ana.call(quickMessagesApi.update, { params: { id: mine.id }, body })).rejects.toMatchObject(twice)
    await ana.call(quickMessagesApi.update, { params: { id: ours.id }, body: { ...body, shortcode: 'otra' } })
    await ana.call(quickMessagesApi.update, { params: { id: mine.id }, body })
    await create((await harness.createCompany()).admin, { geral: true })
  })
})

describe('quick messages', () => {
  it('are visible to their author, and to all when marked geral', async () => {
    const company = await harness.createCompany()
    const [ana, leo] = [await company.user(), await company.user()]
    const mine = await create(ana, { shortcode: 'mine' })
    const ours = await create(ana, { shortcode: 'ours', geral: 'true' })
    expect(mine).toMatchObject({
      geral: false,
      status: true,
      isMedia: false,
      mediaPath: null,
      mediaName: null,
      userId: ana.id,
      editable: true,
      viewable: true,
    })
    expect(await codes(ana)).toEqual(['mine', 'ours'])
    expect(await codes(leo)).toEqual(['ours'])
    expect(await codes(company.admin)).toEqual(['ours'])
    for (const who of [leo, company.admin])
      expect(await who.request('GET', `/quick-messages/${mine.id}`)).toMatchObject(missing)
    expect(await codes((await harness.createCompany()).admin)).toEqual([])
    // The list is that of the logged-in user, whatever user a parameter names.
    expect(
      (
        await leo.request<{ records: QuickMessage[] }>('GET', `/quick-messages?userId=${ana.id}&pageNumber=1`)
      ).body.records.map((q) => q.id),
    ).toEqual([ours.id])
  })

  it('contain for each user whether that user may change them', async () => {
    const company = await harness.createCompany()
    const [ana, leo] = [await company.user(), await company.user('supervisor')]
    const { id } = await create(ana, { geral: true })
    expect([
      (await show(ana, id)).editable,
      (await show(leo, id)).editable,
      (await show(company.admin, id)).editable,
    ]).toEqual([true, false, true])
    const body = { shortcode: 'changed', message: 'x', geral: true }
    expect(await leo.request('PUT', `/quick-messages/${id}`, body)).toMatchObject(denied)
    expect(await leo.request('DELETE', `/quick-messages/${id}`)).toMatchObject(denied)
    expect(await attach(leo, id, tinyPng, 'a.png')).toMatchObject(denied)
    expect(await leo.request('DELETE', `/quick-messages/${id}/media-upload`)).toMatchObject(denied)
    expect(await stored(company.id)).toEqual([])
    expect((await company.admin.request('PUT', `/quick-messages/${id}`, body)).status).toBe(200)
    expect(await show(ana, id)).toMatchObject({ shortcode: 'changed', userId: ana.id })
    expect((await ana.request('DELETE', `/quick-messages/${id}`)).status).toBe(200)
    expect(await ana.request('DELETE', `/quick-messages/${id}`)).toMatchObject(missing)
  })

  it('are paged by 20 in the order of their shortcuts, and searchable by shortcut', async () => {
    const { admin } = await harness.createCompany()
    for (let n = 0; n < 21; n++) await create(admin, { shortcode: `code ${String(20 - n).padStart(2, '0')}` })
    const first = await admin.call(quickMessagesApi.list, { query: { pageNumber: 1 } })
    expect([first.records.length, first.count, first.hasMore, first.records[0]?.shortcode]).toEqual([
      20,
      21,
      true,
      'code 00',
    ])
    expect(await admin.call(quickMessagesApi.list, { query: { pageNumber: 2 } })).toMatchObject({
      records: [{ shortcode: 'code 20' }],
      hasMore: false,
    })
    expect((await admin.call(quickMessagesApi.list, { query: { searchParam: 'DE 07' } })).records).toHaveLength(1)
    expect(await codes(admin)).toHaveLength(21)
  })

  it('require a shortcut, but no text', async () => {
    const { admin } = await harness.createCompany()
    expect(await admin.request('POST', '/quick-messages', { message: 'x' })).toMatchObject({
      status: 400,
      body: { fields: { shortcode: 'Required' } },
    })
    expect(await create(admin, { message: '' })).toMatchObject({ message: '' })
    // The old form always sends isMedia and mediaPath; they have no effect.
    expect(
      await create(admin, {
        shortcode: 'x',
        isMedia: true,
        mediaPath: '../../app-secret',
        mediaName: 'x',
        userId: 1,
        companyId: 1,
      }),
    ).toMatchObject({ isMedia: false, mediaPath: null, userId: admin.id })
  })
})

describe('live events of quick messages', () => {
  it('do not publish a personal quick message to other users, not even its deletion', async () => {
    const company = await harness.createCompany()
    const ana = await company.user()
    const [own, other, admin] = [
      await ana.listen(),
      await (await company.user()).listen(),
      await company.admin.listen(),
    ]
    const mine = await create(ana)
    await ana.call(quickMessagesApi.update, { params: { id: mine.id }, body: { shortcode: 'edited', message: '' } })
    await ana.call(quickMessagesApi.remove, { params: { id: mine.id } })
    for (const socketClient of [own, other, admin]) await socketClient.whenCaughtUp()
    const news = (socketClient: SocketClient) =>
      socketClient.received.filter((e) => e.name === `company${company.id}-quickemessage`).map((e) => e.payload.action)
    expect([news(own), news(other), news(admin)]).toEqual([['create', 'update', 'delete'], [], []])
  })

  it('keep every list equal to a reloaded list after sharing, hiding, attaching and deleting', async () => {
    const company = await harness.createCompany()
    const [ana, leo] = [await company.user(), await company.user()]
    const people = [ana, leo, company.admin]
    const socketClients = await Promise.all(people.map((p) => p.listen()))
    const q = await create(ana, { geral: true })
    const same = async () => {
      for (const [n, socketClient] of socketClients.entries()) {
        await socketClient.whenCaughtUp()
        const byId = (list: QuickMessage[]) => [...list].sort((a, b) => a.id - b.id)
        expect(byId(replayPublished(socketClient, company.id)), String(n)).toEqual(
          byId(await (people[n] as TestUser).call(quickMessagesApi.all)),
        )
      }
    }
    await same()
    await create(company.admin, { geral: true, shortcode: 'from the admin' })
    await same()
    await attach(ana, q.id, tinyPng, 'a.png')
    await same()
    for (const geral of [false, true, false]) {
      await ana.call(quickMessagesApi.update, {
        params: { id: q.id },
        body: { shortcode: 'hola', message: String(geral), geral },
      })
      await same()
    }
    await ana.request('DELETE', `/quick-messages/${q.id}/media-upload`)
    await ana.call(quickMessagesApi.remove, { params: { id: q.id } })
    await same()
  })
})

describe('the file of a quick message', () => {
  it('is attached, replaced and removed; unused files are deleted from disk', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const { id } = await create(admin)
    expect(await attach(admin, id, tinyPdf, 'lista de precios.pdf')).toMatchObject({
      status: 200,
      body: { mensagem: expect.any(String) },
    })
    const first = await show(admin, id)
    expect(first).toMatchObject({ isMedia: true, mediaName: 'lista_de_precios.pdf' })
    expect(first.mediaPath).toMatch(
      new RegExp(
        `^${harness.address}/public/${companyId}/[\\w-]{32}\\.pdf/lista_de_precios\\.pdf\\?until=\\d+&sig=[\\w-]+$`,
      ),
    )
    expect(await stored(companyId)).toHaveLength(1)
    const fetched = await fetch(first.mediaPath as string)
    expect([fetched.status, fetched.headers.get('content-type'), Buffer.from(await fetched.arrayBuffer())]).toEqual([
      200,
      'application/pdf',
      tinyPdf,
    ])

    await attach(admin, id, tinyPng, 'foto.png')
    expect(await show(admin, id)).toMatchObject({ mediaName: 'foto.png' })
    await vi.waitFor(async () => expect(await stored(companyId)).toEqual([expect.stringMatching(/\.png$/)]), {
      timeout: 10_000,
    })
    expect((await fetch(first.mediaPath as string)).status).toBe(404)

    await admin.call(quickMessagesApi.detach, { params: { id } })
    expect(await show(admin, id)).toMatchObject({ isMedia: false, mediaPath: null, mediaName: null })
    await vi.waitFor(async () => expect(await stored(companyId)).toEqual([]), { timeout: 10_000 })

    await attach(admin, id, tinyPng, 'again.png')
    await admin.call(quickMessagesApi.remove, { params: { id } })
    await vi.waitFor(async () => expect(await stored(companyId)).toEqual([]), { timeout: 10_000 })
  })

  it('leaves nothing behind when it is refused', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const stranger = (await harness.createCompany()).admin
    const { id } = await create(admin, { geral: true })
    expect(await attach(stranger, id, tinyPng, 'a.png')).toMatchObject(missing)
    expect(await attach(admin, 987_654, tinyPng, 'a.png')).toMatchObject(missing)
    expect(await sendForm(admin, `/quick-messages/${id}/media-upload`, { typeArch: ['quickMessage'] })).toMatchObject({
      status: 400,
      body: { fields: { file: 'Required' } },
    })
    expect(await sendForm(admin, `/quick-messages/${id}/media-upload`, { wrong: [[tinyPng, 'a.png']] })).toMatchObject({
      status: 400,
      body: { fields: { file: 'Required' } },
    })
    expect([
      await stored(companyId),
      await stored(stranger.companyId),
      await readdir(join(harness.dataDir, 'incoming')),
    ]).toEqual([[], [], []])
  })

  it('keeps its original name, without dangerous characters', async () => {
    const { admin } = await harness.createCompany()
    const { id } = await create(admin)
    for (const [given, name] of [
      ['../../../etc/passwd', 'passwd'],
      ['C:\\fakepath\\photo.png', 'photo.png'],
      ['a<b>c|d:e*f?.png', 'abcdef.png'],
      ["100% a+b&c#d=e;f'.png", "100%_a+b&c#d=e;f'.png"],
      ['dos  palabras.png', 'dos_palabras.png'],
      ['..', 'file'],
      ['precio\u202egnp.exe', 'preciognp.exe'],
      [`x${'😀'.repeat(200)}.png`, `${'😀'.repeat(146)}.png`],
    ] as const) {
      expect((await attach(admin, id, tinyPng, given)).status).toBe(200)
      const q = await show(admin, id)
      expect(q.mediaName).toBe(name)
      expect((await fetch(q.mediaPath as string)).status).toBe(200)
    }
  })
})

describe('deleting the author of a quick message', () => {
  it('deletes the quick message with its file, unless it was shared', async () => {
    const company = await harness.createCompany()
    const agent = await company.user('user')
    const own = await create(agent, { shortcode: 'mine' })
    await attach(agent, own.id, tinyPng, 'photo.png')
    await create(agent, { shortcode: 'ours', geral: true })
    await company.admin.request('DELETE', `/users/${agent.id}`)
    await vi.waitFor(async () => expect(await stored(company.id)).toEqual([]), 10_000)
    const { db } = harness.wide()
    const left = await db.selectFrom('quickMessages').select('shortcode').where('companyId', '=', company.id).execute()
    expect(left).toEqual([{ shortcode: 'ours' }])
  })
})

describe('a quick message of queues', () => {
  const openCompany = async () => {
    const company = await harness.createCompany()
    const createQueue = async (name: string, color: string) =>
      (await company.admin.call(queuesApi.create, { body: { name, color } as never })).id
    const [sales, support] = [await createQueue('Ventas', '#112233'), await createQueue('Soporte', '#445566')]
    const [ana, leo] = [await company.user(), await company.user()]
    const { id: companyId } = company
    const users = [
      { companyId, userId: ana.id, queueId: sales },
      { companyId, userId: leo.id, queueId: support },
    ]
    await harness
      .wide()
      .db.insertInto('userQueues')
      .values(users as never)
      .execute()
    // Sessions read the queues of a user anew.
    for (const { id } of [ana, leo]) await company.admin.request('PUT', `/users/${id}`, {})
    return { ...company, sales, support, ana, leo }
  }

  it('is offered to users of these queues, and managed by its author and admins', async () => {
    const { admin, ana, leo, sales, support } = await openCompany()
    const { id } = await create(leo, { geral: true, queueIds: [sales] })
    await create(leo, { shortcode: 'todos', geral: true })
    expect(await codes(ana)).toEqual(['hola', 'todos'])
    expect(await codes(admin)).toEqual(['hola', 'todos'])
    expect(await show(ana, id)).toMatchObject({ queueIds: [sales], editable: false })
    await leo.call(quickMessagesApi.update, {
      params: { id },
      body: { shortcode: 'hola', message: 'x', geral: true, queueIds: [support] },
    })
    expect(await codes(ana)).toEqual(['todos'])
    expect(await ana.request('GET', `/quick-messages/${id}`)).toMatchObject(missing)
  })

  it('keeps its queues when an older client saves it without them, and refuses queues of another company', async () => {
    const { ana, sales } = await openCompany()
    const foreign = await openCompany()
    const { id } = await create(ana, { queueIds: [sales] })
    await ana.call(quickMessagesApi.update, { params: { id }, body: { shortcode: 'hola', message: 'nuevo' } })
    expect(await show(ana, id)).toMatchObject({ message: 'nuevo', queueIds: [sales] })
    await expect(create(ana, { shortcode: 'otra', queueIds: [foreign.sales] })).rejects.toMatchObject({
      code: 'ERR_QUEUE_NOT_FOUND',
    })
  })

  it('is published to nobody outside its queues', async () => {
    const { id: companyId, ana, leo, admin, sales } = await openCompany()
    const [inside, outside] = [await ana.listen(), await leo.listen()]
    await create(admin, { geral: true, queueIds: [sales] })
    for (const socket of [inside, outside]) await socket.whenCaughtUp()
    expect(replayPublished(inside, companyId)).toMatchObject([{ shortcode: 'hola', editable: false }])
    expect(replayPublished(outside, companyId)).toEqual([])
  })

  it('is paused when its only queue is deleted, instead of being offered everywhere', async () => {
    const { admin, leo, sales, support } = await openCompany()
    const { id } = await create(admin, { geral: true, queueIds: [sales] })
    const both = await create(admin, { shortcode: 'ambas', geral: true, queueIds: [sales, support] })
    await admin.request('DELETE', `/queue/${sales}`)
    expect(await show(admin, id)).toMatchObject({ status: false, queueIds: [] })
    expect(await show(admin, both.id)).toMatchObject({ status: true, queueIds: [support] })
    expect(await codes(leo)).toEqual(['ambas'])
  })
})
