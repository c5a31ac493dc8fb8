import { type Notice, noticesApi } from '@recado/contract/notices'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseQueries } from '../../../../test/database-failures.ts'
import { type Desk, openDesk } from '../../../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../../test/wait-timeout.ts'
import { handleLineDeleted } from '../../composition/deletion-handlers.ts'

let desk: Desk
let queue: { id: number }
let ana: TestUser & { name: string }
let beto: TestUser & { name: string }
let topic: string
beforeAll(async () => {
  desk = await openDesk(await testServer())
  queue = await desk.createQueue()
  ana = await desk.createUser('user', [queue])
  beto = await desk.createUser('user', [queue])
  topic = `company-${desk.company.id}-notice`
})
afterAll(closeTestServers)

const listNotices = async (who: TestUser): Promise<Notice[]> => (await who.call(noticesApi.list)).notices
const noticesOfTicket = async (who: TestUser, ticketId: number) =>
  (await listNotices(who)).filter((one) => one.ticketId === ticketId)

async function createPendingTicket() {
  const { customer, id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  return { customer, id }
}

describe('notice of an assigned ticket', () => {
  it('reaches the new agent with the sender and the note, and nobody else', async () => {
    const { id } = await createPendingTicket()
    await desk.accept(ana, id)
    const socketClients = { ana: await ana.listen(), beto: await beto.listen() }
    await desk.putTicket(ana, id, {
      queueId: queue.id,
      userId: beto.id,
      note: '  Quiere la factura a nombre de su hermana ',
    })
    const { contact, uuid } = await desk.showTicket(id)
    const { notice } = await socketClients.beto.waitFor(topic, { action: 'create' })
    expect(notice).toMatchObject({
      kind: 'assigned',
      ticketId: id,
      uuid,
      contact: { name: contact.name },
      by: { id: ana.id, name: ana.name },
      note: 'Quiere la factura a nombre de su hermana',
    })
    expect(await noticesOfTicket(beto, id)).toEqual([notice])
    // The note stays with the ticket.
    const notes = await beto.request<{ note: string }[]>('GET', `/ticket-notes/list?ticketId=${id}`)
    expect(notes.body.map((one) => one.note)).toEqual(['Quiere la factura a nombre de su hermana'])
    expect(await noticesOfTicket(ana, id)).toEqual([])
    expect(socketClients.ana.received.filter((one) => one.name === topic)).toEqual([])

    // A notice that is read in one tab is removed from all tabs.
    const seen = await beto.call(noticesApi.read, { body: { ticketId: id } })
    expect(seen.noticeIds).toEqual([(notice as Notice).id])
    await socketClients.beto.waitFor(topic, { action: 'delete', noticeIds: seen.noticeIds })
    expect(await noticesOfTicket(beto, id)).toEqual([])
    socketClients.ana.close()
    socketClients.beto.close()
  })

  it('is sent also when the ticket is accepted or started for another agent', async () => {
    const { id } = await createPendingTicket()
    await desk.putTicket(desk.admin, id, { status: 'open', userId: ana.id })
    expect(await noticesOfTicket(ana, id)).toMatchObject([{ kind: 'assigned', by: { id: desk.admin.id }, note: null }])
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    const { contactId } = await desk.showTicket(id)
    const begun = await desk.admin.call(ticketsApi.create, {
      body: { contactId, queueId: queue.id, whatsappId: desk.line.id, userId: ana.id, status: 'open' },
    })
    expect(await noticesOfTicket(ana, begun.id)).toHaveLength(1)
  })

  it('reaches all agents of a queue until one of them accepts', async () => {
    const there = await desk.createQueue()
    const dora = await desk.createUser('user', [there])
    const elsa = await desk.createUser('user', [there])
    const { id } = await createPendingTicket()
    const socketClients = await dora.listen()
    const people = await desk.admin.call(ticketsApi.people, { params: { id }, query: { queueId: there.id } })
    expect(people.filter((one) => !one.byNote).map((one) => one.id)).toEqual(expect.arrayContaining([dora.id, elsa.id]))
    expect(people.find((one) => one.id === ana.id)).toMatchObject({ byNote: true })
    await desk.putTicket(ana, id, { queueId: there.id, note: `Llámale, @${elsa.name}`, mentions: [elsa.id, beto.id] })
    await socketClients.waitFor(topic, { action: 'create' })
    socketClients.close()
    const what = { kind: 'queued', by: { id: ana.id }, note: `Llámale, @${elsa.name}` }
    expect(await noticesOfTicket(dora, id)).toMatchObject([what])
    expect((await noticesOfTicket(elsa, id)).map((one) => one.kind).toSorted()).toEqual(['mention', 'queued'])
    // The user does not see the ticket any more, but may read it because of the mention.
    expect((await noticesOfTicket(beto, id)).map((one) => one.kind)).toEqual(['mention'])
    await desk.accept(dora, id)
    expect(await noticesOfTicket(dora, id)).toEqual([])
    expect((await noticesOfTicket(elsa, id)).filter((one) => one.kind === 'queued')).toEqual([])
  })

  it('is removed once the ticket is reassigned, returned or closed', async () => {
    const { id } = await createPendingTicket()
    for (const after of [{ queueId: queue.id, userId: ana.id }, { status: 'pending' }, { status: 'closed' }]) {
      await desk.putTicket(desk.admin, id, { userId: beto.id, queueId: queue.id })
      expect(await noticesOfTicket(beto, id)).toHaveLength(1)
      await desk.putTicket(desk.admin, id, after)
      expect(await noticesOfTicket(beto, id)).toEqual([])
    }
    expect(await noticesOfTicket(ana, id)).toEqual([])
  })

  it('contains the note also for a queue, and stores no note without a change of the ticket', async () => {
    const { id } = await createPendingTicket()
    await desk.accept(ana, id)
    await desk.putTicket(ana, id, { status: 'open', userId: ana.id, note: 'nada cambió' })
    await desk.putTicket(ana, id, { status: 'pending', queueId: queue.id, userId: null, note: 'Espera un repuesto' })
    const notes = await beto.request<{ note: string }[]>('GET', `/ticket-notes/list?ticketId=${id}`)
    expect(notes.body.map((one) => one.note)).toEqual(['Espera un repuesto'])
  })
})

describe('a return to the queue', () => {
  const said = async (id: number) => (await desk.listMessages(desk.admin, id)).filter((m) => m.fromMe).length
  it('can be undone without any message or notice', async () => {
    const { id } = await createPendingTicket()
    await desk.accept(ana, id)
    await desk.setSetting('sendGreetingAccepted', 'enabled')
    await desk.putTicket(desk.admin, id, { status: 'pending', userId: null })
    const back = await desk.admin.request('POST', `/tickets/${id}/undo`, {})
    expect(back.body).toMatchObject({ status: 'open', userId: ana.id })
    expect([await said(id), await noticesOfTicket(ana, id)]).toEqual([0, []])
    await desk.setSetting('sendGreetingAccepted', 'disabled')
  })
})

describe('notice of an unsent message', () => {
  /** A message is written while the line is offline, and the ticket is closed before the message is sent. */
  async function closedTooSoon(by: TestUser, text: string) {
    const { customer, id } = await createPendingTicket()
    await desk.accept(by, id)
    await desk.line.setFaults({ failSends: 'network' })
    await desk.send(by, id, text)
    await desk.putTicket(by, id, { status: 'closed', justClose: true })
    await desk.line.setFaults({ failSends: 'blocked' })
    return { customer, id }
  }
  const unsent = (who: TestUser, id: number) => async () => (await noticesOfTicket(who, id)).map(({ kind }) => kind)
  const soon = { timeout: waitTimeoutMs }

  it('is sent once the conversation is closed, until the message is retried', async () => {
    const socketClient = await ana.listen()
    const { customer, id } = await closedTooSoon(ana, 'Pasamos hoy a las 14')
    await expect.poll(unsent(ana, id), soon).toEqual(['unsent'])
    const [notice] = await noticesOfTicket(ana, id)
    await socketClient.waitFor(topic, { action: 'create', notice: notice as Notice })
    const { contact } = await desk.showTicket(id)
    expect(notice).toMatchObject({ by: { id: 0, name: contact.name }, note: null })
    expect(await noticesOfTicket(beto, id)).toEqual([])
    const failed = (await desk.listMessages(ana, id)).find((one) => one.body === 'Pasamos hoy a las 14')
    expect(failed).toMatchObject({ ack: 0, error: 'blocked' })
    // The message fails again: there is still one notice.
    expect((await ana.request('POST', `/messages/${failed?.id}/retry`)).status).toBe(200)
    await socketClient.waitFor(topic, { action: 'delete', noticeIds: [notice?.id] })
    await expect.poll(unsent(ana, id), soon).toEqual(['unsent'])
    await desk.line.setFaults({ failSends: '' })
    expect((await ana.request('POST', `/messages/${failed?.id}/retry`)).status).toBe(200)
    await expect.poll(async () => (await customer.listMessages()).at(-1)?.body, soon).toBe('Pasamos hoy a las 14')
    expect(await noticesOfTicket(ana, id)).toEqual([])
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed' })
    socketClient.close()
  })

  it('is sent for a deleted line, even if the process dies half-way', async () => {
    const { id } = await createPendingTicket()
    await desk.accept(ana, id)
    await desk.line.setFaults({ failSends: 'network' })
    await desk.send(ana, id, 'Mañana a primera hora')
    await desk.putTicket(ana, id, { status: 'closed', justClose: true })
    const gone = () =>
      handleLineDeleted(desk.server.server.deps, {
        companyId: desk.company.id,
        whatsappId: desk.line.id,
        ticketIds: [],
      })
    // The process dies between the state change of the message and its event to browsers.
    const dead = refuseQueries((text) => text.includes('"status", "contactId", "whatsappId" from "tickets"'))
    await expect(gone()).rejects.toThrow('starting up')
    dead.end()
    await gone()
    expect((await desk.listMessages(ana, id)).at(-1)).toMatchObject({ ack: 0, error: 'line-gone' })
    expect(await unsent(ana, id)()).toEqual(['unsent'])
    await desk.line.setFaults({ failSends: '' })
  })

  it('goes to the last agent if the author was deleted, and is not sent for an open ticket', async () => {
    const gone = await desk.createUser('user', [queue])
    const { id } = await createPendingTicket()
    await desk.accept(gone, id)
    await desk.line.setFaults({ failSends: 'network' })
    await desk.send(gone, id, 'Hasta luego')
    await desk.putTicket(desk.admin, id, { queueId: queue.id, userId: beto.id })
    await desk.putTicket(beto, id, { status: 'closed', justClose: true })
    await desk.admin.request('DELETE', `/users/${gone.id}`)
    const open = await createPendingTicket()
    await desk.accept(ana, open.id)
    await desk.send(ana, open.id, 'Aquí sigo')
    await desk.line.setFaults({ failSends: 'blocked' })
    await expect.poll(unsent(beto, id), soon).toContain('unsent')
    await expect.poll(async () => (await desk.listMessages(ana, open.id)).at(-1)?.error, soon).toBe('blocked')
    expect(await unsent(ana, open.id)()).toEqual([])
    await desk.line.setFaults({ failSends: '' })
  })
})
