import { contactsApi } from '@recado/contract/contacts'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../test/test-server.ts'
import { tinyPdf, tinyPng } from '../../test/upload.ts'

let d: Desk
let sales: { id: number; name: string }
let support: { id: number }
let ana: TestUser
let beto: TestUser
let boss: TestUser
beforeAll(async () => {
  d = await openDesk(await testServer())
  sales = await d.createQueue('Ventas')
  support = await d.createQueue('Soporte')
  ana = await d.createUser('user', [sales])
  beto = await d.createUser('user', [support])
  boss = await d.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

const picture = () => new File([tinyPng], 'foto.png', { type: 'image/png' })
const media = (by: TestUser, id: number, pageNumber = 1) =>
  by.call(contactsApi.media, { params: { id }, query: { pageNumber } })
const past = (by: TestUser, id: number, pageNumber = 1) =>
  by.call(contactsApi.tickets, { params: { id }, query: { pageNumber } })

/** Three conversations of one contact: closed in support, closed in sales, open with Ana in sales; an image in each. */
async function threeTimes() {
  const { customer, id: first } = await d.newTicket()
  const send = async () => ready(await customer.sends(picture()))
  const ids = [first]
  const pictures = [await send()]
  await d.putTicket(d.admin, first, { queueId: support.id, userId: beto.id })
  await d.putTicket(beto, first, { status: 'closed' })
  pictures.push(await send())
  const second = (await d.waitForMessage(await customer.says('otra vez'))).ticketId
  ids.push(second)
  await d.putTicket(d.admin, second, { queueId: sales.id, userId: d.admin.id })
  await d.putTicket(d.admin, second, { status: 'closed' })
  pictures.push(await send())
  const third = (await d.waitForMessage(await customer.says('y otra'))).ticketId
  ids.push(third)
  await d.putTicket(d.admin, third, { queueId: sales.id, userId: ana.id })
  const { contactId } = await d.showTicket(third)
  return { customer, ids, pictures, contactId }
}
async function ready(wid: string): Promise<string> {
  const row = await vi.waitFor(async () => {
    const found = await d.waitForMessage(wid)
    expect(found.mediaState).toBe('ready')
    return found
  })
  return String(row.id)
}

describe('past conversations of a contact', () => {
  it('include only conversations that the user may see, newest first', async () => {
    const { ids, contactId } = await threeTimes()
    const seen = async (by: TestUser) => (await past(by, contactId)).tickets.map((t) => t.id)
    expect(await seen(d.admin)).toEqual(ids.toReversed())
    expect(await seen(ana)).toEqual([ids[2], ids[1]])
    expect(await seen(boss)).toEqual([ids[2], ids[1]])
    expect(await seen(beto)).toEqual([ids[0]])
    expect((await past(d.admin, contactId)).tickets[0]).toMatchObject({
      status: 'open',
      queue: { id: sales.id, name: sales.name },
      user: { id: ana.id },
    })
    const other = await openDesk(d.server)
    await expect(past(other.admin, contactId)).rejects.toMatchObject({ code: 'ERR_NO_CONTACT_FOUND' })
  })
})

describe('media of a contact', () => {
  it('lists the files in threads that the user may read, with links that open them', async () => {
    const { pictures, contactId } = await threeTimes()
    const seen = async (by: TestUser) => (await media(by, contactId)).media.map((m) => m.id)
    expect(await seen(d.admin)).toEqual(pictures.toReversed())
    expect(await seen(ana)).toEqual([pictures[2], pictures[1]])
    expect(await seen(boss)).toEqual([pictures[2], pictures[1]])
    expect(await seen(beto)).toEqual([pictures[0]])
    const [newest] = (await media(ana, contactId)).media
    expect(newest).toMatchObject({ fromMe: false, mediaType: 'image', mediaName: 'foto.png' })
    expect((await fetch((newest?.mediaUrl ?? '').replace(/^https?:\/\/[^/]+/, d.server.address))).status).toBe(200)
  })

  it('contains the same files as the thread', async () => {
    const { ids, contactId } = await threeTimes()
    for (const [by, ticketId] of [
      [ana, ids[2]],
      [boss, ids[2]],
      [beto, ids[0]],
      [d.admin, ids[1]],
    ] as const) {
      const inThread = (await d.listMessages(by, ticketId as number)).filter((m) => m.mediaUrl).map((m) => m.id)
      expect((await media(by, contactId)).media.map((m) => m.id).toReversed()).toEqual(inThread)
    }
  })

  it('omits a conversation that another agent attends now', async () => {
    const { ids, pictures, contactId } = await threeTimes()
    const rival = await d.createUser('user', [sales])
    expect((await media(rival, contactId)).media.map((m) => m.id)).toEqual([pictures[1]])
    expect((await d.listMessages(rival, ids[1] as number)).filter((m) => m.mediaUrl).map((m) => m.id)).toEqual([
      pictures[1],
    ])
  })

  it('leaves out deleted messages, stickers and text, and is paged', async () => {
    const { customer, id } = await d.openTicket(d.admin)
    const { contactId } = await d.showTicket(id)
    const wids = [await customer.sends(picture()), await customer.sends(new File([tinyPdf], 'a.pdf'))]
    for (const wid of wids) await ready(wid)
    await customer.sendEvent('sticker')
    await customer.deletes(wids[0] as string)
    await d.waitForHandled(await customer.says('texto'))
    await vi.waitFor(async () =>
      expect((await media(d.admin, contactId)).media.map((m) => m.mediaType)).toEqual(['application']),
    )
    const { companyId, whatsappId, mediaPath } = await d.waitForMessage(wids[1] as string)
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
    await d.db.insertInto('messages').values(copies).execute()
    const pages = [await media(d.admin, contactId), await media(d.admin, contactId, 2)]
    expect(pages.map((p) => [p.media.length, p.hasMore])).toEqual([
      [20, true],
      [11, false],
    ])
    expect(new Set(pages.flatMap((p) => p.media.map((m) => m.id))).size).toBe(31)
  })
})

describe('the members of a group', () => {
  it('are read from its line for users who may see the ticket, with our names for known contacts', async () => {
    await d.admin.call(settingsApi.update, { params: { key: 'CheckMsgIsGroup' }, body: { value: 'disabled' } as never })
    const { customer: rosa, id } = await d.newTicket('hola', 'Rosa')
    const { contactId } = await d.showTicket(id)
    await d.admin.call(contactsApi.update, {
      params: { id: contactId },
      body: { name: 'Rosa Paredes', number: rosa.number, email: '' },
    })
    const group = await d.line.group('Obra', [rosa.number, '5491155550002', '5491155550003'])
    const { ticketId } = await d.waitForMessage(await rosa.says('al grupo', { group: group.number }))
    await d.putTicket(d.admin, ticketId, { queueId: sales.id, userId: ana.id })
    const members = (by: TestUser, id = ticketId) => by.call(ticketsApi.members, { params: { id } })
    const unknown = { contactId: null, name: '', profilePicUrl: null, isAdmin: false, isMe: false }
    expect(await members(ana)).toEqual([
      { contactId, name: 'Rosa Paredes', number: rosa.number, profilePicUrl: null, isAdmin: true, isMe: false },
      { ...unknown, number: '5491155550002' },
      { ...unknown, number: '5491155550003' },
      { ...unknown, number: expect.stringMatching(/^1555/), isMe: true },
    ])
    expect((await beto.request<{ error: string }>('GET', `/tickets/${ticketId}/members`)).status).toBe(404)
    expect(await members(d.admin, id)).toEqual([])

    await d.line.unlink()
    const refused = async () => (await ana.request<{ error: string }>('GET', `/tickets/${ticketId}/members`)).body.error
    await expect.poll(refused).toBe('ERR_WAPP_NOT_INITIALIZED')
  })
})
