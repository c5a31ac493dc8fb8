import { tagsApi } from '@recado/contract/tags'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

describe('tags', () => {
  it('are created, listed, searched, changed, deleted and published live', async () => {
    const { admin } = await harness.createCompany()
    const socketClient = await admin.listen()
    const vip = await admin.call(tagsApi.create, { body: { name: 'vip', color: '' } })
    expect(vip).toMatchObject({ name: 'vip', color: '#A4CCCC', kanban: 0, ticketsCount: 0 })
    expect((await admin.call(tagsApi.list, { query: { searchParam: 'VI', pageNumber: 1 } })).tags).toEqual([vip])
    expect(
      (await admin.call(tagsApi.update, { params: { id: vip.id }, body: { name: 'gold', color: '#ff0000' } })).name,
    ).toBe('gold')
    await admin.call(tagsApi.remove, { params: { id: vip.id } })
    await socketClient.whenCaughtUp()
    const news = socketClient.received.filter((e) => e.name === `company-${admin.companyId}-tag`).map((e) => e.payload)
    expect(news).toMatchObject([
      { action: 'create', tag: vip },
      { action: 'update', tag: { name: 'gold' } },
      { action: 'delete', tagId: vip.id },
    ])
  })

  it('are limited in number, because a very long list would slow down every user who reads it', async () => {
    const { admin, id } = await harness.createCompany()
    await sql`insert into tags ("companyId", name, color)
      select ${id}, 'tag ' || n, '#112233' from generate_series(1, 4999) n`.execute(harness.wide().db)
    const add = (path: string, name: string) => admin.request<{ id: number }>('POST', path, { name, color: '#112233' })
    const last = await add('/tags', 'the last one')
    expect(last.status).toBe(200)
    const full = { status: 409, body: { error: 'ERR_LIST_FULL' } }
    expect(await add('/tags', 'one too many')).toMatchObject(full)
    expect(await add('/kanban/lanes', 'one too many')).toMatchObject(full)
    // Creating a tag that exists still returns that tag, and deleting a tag makes room for another.
    expect((await add('/tags', 'the last one')).body.id).toBe(last.body.id)
    await admin.call(tagsApi.remove, { params: { id: last.body.id } })
    expect((await add('/tags', 'another one')).status).toBe(200)
    expect(await admin.call(tagsApi.all, { query: {} })).toHaveLength(5000)
  })

  it('are found regardless of accents and case, and special characters are literal', async () => {
    const { admin } = await harness.createCompany()
    for (const name of ['Ligação', 'Señal 100%', 'Árbol_alto', 'otra'])
      await admin.call(tagsApi.create, { body: { name, color: '' } })
    const found = async (searchParam: string) =>
      (await admin.call(tagsApi.list, { query: { searchParam, pageNumber: 1 } })).tags.map((tag) => tag.name)
    expect(await found('ligacao')).toEqual(['Ligação'])
    expect(await found('LIGAÇÃO')).toEqual(['Ligação'])
    expect(await found('senal 100%')).toEqual(['Señal 100%'])
    expect(await found('arbol_')).toEqual(['Árbol_alto'])
    expect(await found('%')).toEqual(['Señal 100%'])
  })

  it('are published to older clients under the old name, except for deletes, which break their page', async () => {
    const { admin } = await harness.createCompany()
    const socketClient = await admin.listen()
    const tag = await admin.call(tagsApi.create, { body: { name: 'old client', color: '' } })
    await admin.call(tagsApi.remove, { params: { id: tag.id } })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((e) => e.name === 'user').map((e) => e.payload)).toEqual([
      { action: 'create', tags: tag },
    ])
  })

  it('have a board switch that only users of the board can change', async () => {
    const company = await harness.createCompany()
    const agent = await company.user('user')
    const supervisor = await company.user('supervisor')
    const tag = await agent.call(tagsApi.create, { body: { name: 'lane', color: '', kanban: 1 } })
    expect(tag.kanban).toBe(0)
    expect(
      (await supervisor.call(tagsApi.update, { params: { id: tag.id }, body: { name: 'lane', color: '', kanban: 1 } }))
        .kanban,
    ).toBe(1)
    expect(
      (await agent.call(tagsApi.update, { params: { id: tag.id }, body: { name: 'lanes', color: '', kanban: 0 } }))
        .kanban,
    ).toBe(1)
    expect((await agent.call(tagsApi.kanban)).lista).toMatchObject([{ id: tag.id }])
  })

  it('that are lanes can be deleted only by users who may create a lane', async () => {
    const company = await harness.createCompany()
    const [agent, supervisor] = [await company.user('user'), await company.user('supervisor')]
    const lane = await supervisor.call(tagsApi.create, { body: { name: 'lane', color: '', kanban: 1 } })
    const plain = await supervisor.call(tagsApi.create, { body: { name: 'plain', color: '' } })
    expect((await agent.request('DELETE', `/tags/${lane.id}`)).body).toEqual({ error: 'ERR_NO_PERMISSION' })
    expect((await agent.request('DELETE', `/tags/${plain.id}`)).status).toBe(200)
    expect((await supervisor.request('DELETE', `/tags/${lane.id}`)).status).toBe(200)
  })

  it('are paged with a page number and complete without one', async () => {
    const { admin } = await harness.createCompany()
    for (let n = 0; n < 23; n++)
      await admin.call(tagsApi.create, { body: { name: `tag ${String(n).padStart(2, '0')}`, color: '' } })
    expect(await admin.call(tagsApi.list, { query: { pageNumber: 1 } })).toMatchObject({ count: 23, hasMore: true })
    const second = await admin.call(tagsApi.list, { query: { pageNumber: 2 } })
    expect([second.tags.length, second.hasMore]).toEqual([3, false])
    expect((await admin.request<{ tags: unknown[] }>('GET', '/tags/?companyId=1')).body.tags).toHaveLength(23)
  })

  it('count the tickets that have them', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const tag = await admin.call(tagsApi.create, { body: { name: 'worn', color: '' } })
    const { db } = harness.wide()
    const contact = await db
      .insertInto('contacts')
      .values({ companyId, name: 'Lucía', number: '5511999990000' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ticket = await db
      .insertInto('tickets')
      .values({ companyId, contactId: contact.id, status: 'open', whatsappId: null, queueId: null, userId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('ticketTags').values({ companyId, ticketId: ticket.id, tagId: tag.id }).execute()
    expect((await admin.call(tagsApi.show, { params: { id: tag.id } })).ticketsCount).toBe(1)
  })

  it('refuse short names and report which field is invalid', async () => {
    const { admin } = await harness.createCompany()
    expect(await admin.request('POST', '/tags', { name: 'x' })).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION', fields: { name: 'Too Short!' } },
    })
    expect((await admin.request('POST', '/tags', {})).body).toMatchObject({ fields: { name: 'Required' } })
  })
})
