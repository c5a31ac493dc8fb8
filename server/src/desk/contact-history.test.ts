import { contactsApi } from '@recado/contract/contacts'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../test/test-server.ts'
import { tinyPdf, tinyPng } from '../../test/upload.ts'

let desk: Desk
let sales: { id: number; name: string }
let support: { id: number }
let ana: TestUser
let beto: TestUser
let supervisor: TestUser
beforeAll(async () => {
  desk = await openDesk(await testServer())
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [support])
  supervisor = await desk.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

const picture = () => new File([tinyPng], 'foto.png', { type: 'image/png' })
const media = (by: TestUser, id: number, pageNumber = 1) =>
  by.call(contactsApi.media, { params: { id }, query: { pageNumber } })
const listPastTickets = (by: TestUser, id: number, pageNumber = 1) =>
  by.call(contactsApi.tickets, { params: { id }, query: { pageNumber } })

/** Three conversations of one contact: closed in support, closed in sales, open with Ana in sales; an image in each. */
async function threeTimes() {
  const { customer, id: first } = await desk.newTicket()
  const send = async () => waitForMedia(await customer.sends(picture()))
  const ids = [first]
  const pictures = [await send()]
  await desk.putTicket(desk.admin, first, { queueId: support.id, userId: beto.id })
  await desk.putTicket(beto, first, { status: 'closed' })
  pictures.push(await send())
  const second = (await desk.waitForMessage(await customer.says('otra vez'))).ticketId
  ids.push(second)
  await desk.putTicket(desk.admin, second, { queueId: sales.id, userId: desk.admin.id })
  await desk.putTicket(desk.admin, second, { status: 'closed' })
  pictures.push(await send())
  const third = (await desk.waitForMessage(await customer.says('y otra'))).ticketId
  ids.push(third)
  await desk.putTicket(desk.admin, third, { queueId: sales.id, userId: ana.id })
  const { contactId } = await desk.showTicket(third)
  return { customer, ids, pictures, contactId }
}
async function waitForMedia(wid: string): Promise<string> {
  const row = await vi.waitFor(async () => {
    const found = await desk.waitForMessage(wid)
    expect(found.mediaState).toBe('ready')
    return found
  })
  return String(row.id)
}

describe('past conversations of a contact', () => {
  it('include only conversations that the user may see, newest first', async () => {
    const { ids, contactId } = await threeTimes()
    const seen = async (by: TestUser) => (await listPastTickets(by, contactId)).tickets.map((t) => t.id)
    expect(await seen(desk.admin)).toEqual(ids.toReversed())
    expect(await seen(ana)).toEqual([ids[2], ids[1]])
    expect(await seen(supervisor)).toEqual([ids[2], ids[1]])
    expect(await seen(beto)).toEqual([ids[0]])
    expect((await listPastTickets(desk.admin, contactId)).tickets[0]).toMatchObject({
      status: 'open',
      queue: { id: sales.id, name: sales.name },
      user: { id: ana.id },
    })
    const other = await openDesk(desk.server)
    await expect(listPastTickets(other.admin, contactId)).rejects.toMatchObject({ code: 'ERR_NO_CONTACT_FOUND' })
  })
})

describe('media of a contact', () => {
  it('lists the files in threads that the user may read, with links that open them', async () => {
    const { pictures, contactId } = await threeTimes()
    const seen = async (by: TestUser) => (await media(by, contactId)).media.map((m) => m.id)
    expect(await seen(desk.admin)).toEqual(pictures.toReversed())
    expect(await seen(ana)).toEqual([pictures[2], pictures[1]])
    expect(await seen(supervisor)).toEqual([pictures[2], pictures[1]])
    expect(await seen(beto)).toEqual([pictures[0]])
    const [newest] = (await media(ana, contactId)).media
    expect(newest).toMatchObject({ fromMe: false, mediaType: 'image', mediaName: 'foto.png' })
    expect((await fetch((newest?.mediaUrl ?? '').replace(/^https?:\/\/[^/]+/, desk.server.address))).status).toBe(200)
  })

  it('contains the same files as the thread', async () => {
    const { ids, contactId } = await threeTimes()
    for (const [by, ticketId] of [
      [ana, ids[2]],
      [supervisor, ids[2]],
      [beto, ids[0]],
      [desk.admin, ids[1]],
    ] as const) {
      const inThread = (await desk.listMessages(by, ticketId as number)).filter((m) => m.mediaUrl).map((m) => m.id)
      expect((await media(by, contactId)).media.map((m) => m.id).toReversed()).toEqual(inThread)
    }
  })

  it('omits a conversation that another agent attends now', async () => {
    const { ids, pictures, contactId } = await threeTimes()
    const rival = await desk.createUser('user', [sales])
    expect((await media(rival, contactId)).media.map((m) => m.id)).toEqual([pictures[1]])
    expect((await desk.listMessages(rival, ids[1] as number)).filter((m) => m.mediaUrl).map((m) => m.id)).toEqual([
      pictures[1],
    ])
  })

  it('leaves out deleted messages, stickers and text, and is paged', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    const { contactId } = await desk.showTicket(id)
    const wids = [await customer.sends(picture()), await customer.sends(new File([tinyPdf], 'a.pdf'))]
    for (const wid of wids) await waitForMedia(wid)
    await customer.sendEvent('sticker')
    await customer.deletes(wids[0] as string)
    await desk.waitForHandled(await customer.says('texto'))
    await vi.waitFor(async () =>
      expect((await media(desk.admin, contactId)).media.map((m) => m.mediaType)).toEqual(['application']),
    )
    const { companyId, whatsappId, mediaPath } = await desk.waitForMessage(wids[1] as string)
    const copies = Array.from({ length: 30 }, (_, i) => ({
      companyId,
      whatsappId,
      mediaPath,
      ticketId: id,
      contactId,
      wid: `copy-${contactId}-${i}`,
      fromMe: true,
      mediaType: 'image' as const,
      mediaName: `${i}.png`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, i)),
    }))
    await desk.db.insertInto('messages').values(copies).execute()
    const pages = [await media(desk.admin, contactId), await media(desk.admin, contactId, 2)]
    expect(pages.map((p) => [p.media.length, p.hasMore])).toEqual([
      [20, true],
      [11, false],
    ])
    expect(new Set(pages.flatMap((p) => p.media.map((m) => m.id))).size).toBe(31)
  })
})

describe('the members of a group', () => {
  it('are read from its line for users who may see the ticket, with our names for known contacts', async () => {
    await desk.admin.call(settingsApi.update, {
      params: { key: 'CheckMsgIsGroup' },
      body: { value: 'disabled' } as never,
    })
    const { customer: rosa, id } = await desk.newTicket('hola', 'Rosa')
    const { contactId } = await desk.showTicket(id)
    await desk.admin.call(contactsApi.update, {
      params: { id: contactId },
      body: { name: 'Rosa Paredes', number: rosa.number, email: '' },
    })
    const group = await desk.line.group('Obra', [rosa.number, '5491155550002', '5491155550003'])
    const { ticketId } = await desk.waitForMessage(await rosa.says('al grupo', { group: group.number }))
    await desk.putTicket(desk.admin, ticketId, { queueId: sales.id, userId: ana.id })
    const members = (by: TestUser, id = ticketId) => by.call(ticketsApi.members, { params: { id } })
    const unknown = { contactId: null, name: '', profilePicUrl: null, isAdmin: false, isMe: false }
    expect(await members(ana)).toEqual([
      { contactId, name: 'Rosa Paredes', number: rosa.number, profilePicUrl: null, isAdmin: true, isMe: false },
      { ...unknown, number: '5491155550002' },
      { ...unknown, number: '5491155550003' },
      { ...unknown, number: expect.stringMatching(/^1555/), isMe: true },
    ])
    expect((await beto.request<{ error: string }>('GET', `/tickets/${ticketId}/members`)).status).toBe(404)
    expect(await members(desk.admin, id)).toEqual([])

    await desk.line.unlink()
    const refused = async () => (await ana.request<{ error: string }>('GET', `/tickets/${ticketId}/members`)).body.error
    await expect.poll(refused).toBe('ERR_WAPP_NOT_INITIALIZED')
  })
})
