import type { Message } from '@recado/contract/messages'
import { messageEditWindowMs, messagesApi } from '@recado/contract/messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { readRecording, risingWaveform } from '../../../test/recordings.ts'
import type { TestCustomer } from '../../../test/sandbox-phone.ts'
import {
  closeTestServers,
  type SocketClient,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { sendForm, tinyPdf, tinyPng } from '../../../test/upload.ts'

let harness: TestServer
let desk: Desk
let agent: TestUser
beforeAll(async () => {
  harness = await testServer({}, undefined, {
    pace: { pollMs: 100, retryMs: 20 },
    sandbox: { reconnectMs: 20, pollMs: 100 },
  })
  desk = await openDesk(harness)
  agent = await desk.createUser('user')
})
afterAll(closeTestServers)

/** A conversation of the agent with a new contact. */
async function openConversation() {
  const { customer, id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { status: 'open', userId: agent.id })
  return { customer, id }
}
const rowOf = (id: string | undefined) =>
  desk.db.selectFrom('messages').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()
const until = (id: string | undefined, like: object) =>
  vi.waitFor(async () => expect(await rowOf(id)).toMatchObject(like), { timeout: 8000, interval: 20 })
/** Our messages on the customer's phone. */
const listReceived = async (customer: TestCustomer) => (await customer.listMessages()).filter((m) => !m.fromCustomer)
const bodies = async (customer: TestCustomer) => (await listReceived(customer)).map((m) => m.body)
const acksHeard = (socketClient: SocketClient, id: string | undefined) =>
  socketClient.received.flatMap((n) =>
    n.name.endsWith('appMessage') && (n.payload.message as Message).id === id
      ? [(n.payload.message as Message).ack]
      : [],
  )
/** An ack from the vendor, which may arrive before or after the answer to the send call. */
const ackEvent = (customer: TestCustomer, wid: string, ack: 2 | 3 | 4 | 5) => ({
  kind: 'ack' as const,
  id: `late-${wid}-${ack}`,
  chat: `${customer.number}@s.whatsapp.net`,
  at: new Date().toISOString(),
  targetId: wid,
  ack,
})
/** The message arrived at the customer, the send call got no answer, and the retry fails. */
async function arrivedUnanswered(id: string | undefined): Promise<string> {
  await until(id, { state: 'sent', ack: 3 })
  await desk.line.setFaults({ failSends: 'network' })
  await desk.db.updateTable('messages').set({ state: 'sending', ack: 1 }).where('id', '=', Number(id)).execute()
  return (await rowOf(id)).wid
}
const remove = (by: TestUser, id: string | undefined) => by.request<{ error: string }>('DELETE', `/messages/${id}`)
const retry = (by: TestUser, id: string | undefined) =>
  by.request<Message & { error: string }>('POST', `/messages/${id}/retry`)

describe('sending messages', () => {
  it('returns the stored message before it is sent, and publishes its acks to everyone who sees the ticket', async () => {
    const { customer, id } = await openConversation()
    const socketClient = await agent.listen()
    const sent = await desk.send(agent, id, 'buen día')
    expect(sent).toMatchObject({
      body: 'buen día',
      fromMe: true,
      read: true,
      ack: 1,
      user: { id: agent.id },
      contact: null,
      mediaType: 'conversation',
    })
    expect(sent.messages).toHaveLength(1)
    await until(sent.id, { ack: 3, state: 'sent' })
    expect(await listReceived(customer)).toMatchObject([{ body: 'buen día' }])
    await customer.reads()
    await until(sent.id, { ack: 4 })
    await vi.waitFor(() => expect(acksHeard(socketClient, sent.id).at(-1)).toBe(4))
    const heard = acksHeard(socketClient, sent.id)
    expect(heard[0]).toBe(1)
    expect(heard).toEqual([...heard].sort())
    socketClient.close()
  })

  it('never lowers an ack', async () => {
    const { customer, id } = await openConversation()
    const sent = await desk.send(agent, id, 'hola')
    await until(sent.id, { ack: 3 })
    const { wid } = await rowOf(sent.id)
    await desk.receive(ackEvent(customer, wid, 4), ackEvent(customer, wid, 2))
    expect((await rowOf(sent.id)).ack).toBe(4)
    await desk.receive(ackEvent(customer, wid, 3))
    expect((await rowOf(sent.id)).ack).toBe(4)
    await desk.receive(ackEvent(customer, wid, 5))
    expect((await rowOf(sent.id)).ack).toBe(5)
  })

  it('keeps the order of messages within each conversation of a line', async () => {
    const [one, two] = [await openConversation(), await openConversation()]
    const words = Array.from({ length: 12 }, (_, i) => `mensaje ${i}`)
    const sent: string[] = []
    for (const [i, text] of words.entries())
      sent.push((await desk.send(agent, i % 2 ? one.id : two.id, text)).id as string)
    // Each conversation has its own order: that the last message of one was sent says nothing about the other.
    for (const last of sent.slice(-2)) await until(last, { state: 'sent' })
    expect(await bodies(two.customer)).toEqual(words.filter((_, i) => i % 2 === 0))
    expect(await bodies(one.customer)).toEqual(words.filter((_, i) => i % 2 === 1))
  })

  it('sends the quoted message along', async () => {
    const { customer, id } = await openConversation()
    const [asked] = await desk.listMessages(agent, id)
    const sent = await desk.send(agent, id, { body: 'sí', quotedMsg: asked })
    expect(sent.quotedMsg).toMatchObject({ id: asked?.id, body: 'hola' })
    await vi.waitFor(async () => expect((await listReceived(customer))[0]?.quotedId).toBe((await rowOf(asked?.id)).wid))
  })

  it('sends files with their captions, and a voice note as a voice note', async () => {
    const { customer, id } = await openConversation()
    const answer = await sendForm<{ messages: Message[] }>(agent, `/messages/${id}`, {
      medias: [
        [tinyPng, 'foto.png'],
        [tinyPdf, 'contrato.pdf'],
        [Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.from('....webm....')]), 'audio-record-site-1712.mp3'],
      ],
      body: ['Esta es', 'contrato.pdf', 'audio-record-site-1712.mp3'],
      fromMe: ['true'],
    })
    expect(answer.body.messages.map((m) => [m.mediaType, m.body, m.mediaState])).toEqual([
      ['image', 'Esta es', 'ready'],
      ['application', '', 'ready'],
      ['audio', '', 'ready'],
    ])
    await vi.waitFor(async () => expect(await listReceived(customer)).toHaveLength(3), { timeout: 5000 })
    const shown = await listReceived(customer)
    expect(shown.map((m) => [m.kind, m.mediaName])).toEqual([
      ['image', 'foto.png'],
      ['application', 'contrato.pdf'],
      ['audio', 'audio-record-site-1712.mp3'],
    ])
    const address = String(shown[0]?.mediaUrl).replace(/^https?:\/\/[^/]+/, harness.address)
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(tinyPng)
  })

  it('sends the opus recording beside the mp3 as a voice note, and plays the mp3 in the browser', async () => {
    const { customer, id } = await openConversation()
    const { body: sent } = await sendForm<Message>(agent, `/messages/${id}`, {
      medias: [[readRecording('two-seconds.mp3'), 'audio-record-site-1712.mp3']],
      body: [''],
      voice: [[readRecording('two-seconds.webm'), 'voice']],
      waveform: [JSON.stringify(risingWaveform)],
    })
    expect(sent).toMatchObject({ mediaType: 'audio', mediaName: 'audio-record-site-1712.mp3', mediaState: 'ready' })
    const bytesOf = async (url: string | null | undefined) =>
      Buffer.from(await (await fetch(String(url).replace(/^https?:\/\/[^/]+/, harness.address))).arrayBuffer())
    expect(await bytesOf(sent.mediaUrl)).toEqual(readRecording('two-seconds.mp3'))
    await vi.waitFor(async () => expect(await listReceived(customer)).toHaveLength(1), { timeout: 5000 })
    const [note] = await listReceived(customer)
    expect(note).toMatchObject({
      kind: 'audio',
      mediaName: 'audio-record-site-1712.ogg',
      voice: { seconds: 2, waveform: risingWaveform },
    })
    expect((await bytesOf(note?.mediaUrl)).subarray(0, 4).toString()).toBe('OggS')
  })

  it('reports a missing file, and continues with the other messages', async () => {
    const { customer, id } = await openConversation()
    await desk.line.setFaults({ failSends: 'network' })
    const lost = await sendForm<{ id: string }>(agent, `/messages/${id}`, { medias: [[tinyPng, 'x.png']] })
    const next = await desk.send(agent, id, 'y esto')
    await desk.db
      .updateTable('messages')
      .set({ mediaPath: `${'z'.repeat(32)}.png` })
      .where('id', '=', Number(lost.body.id))
      .execute()
    await desk.line.setFaults({})
    harness.server.switchboard.outbox.wake(desk.line.id)
    await until(lost.body.id, { state: 'failed', error: 'file-missing' })
    await until(next.id, { state: 'sent' })
    expect(await bodies(customer)).toEqual(['y esto'])
  })
})

describe('failed messages', () => {
  it('keep their reason, and are sent on retry', async () => {
    const { customer, id } = await openConversation()
    const socketClient = await agent.listen()
    await desk.line.setFaults({ failSends: 'number-blocked' })
    const sent = await desk.send(agent, id, '¿llega?')
    await until(sent.id, { state: 'failed', error: 'number-blocked', ack: 0 })
    await vi.waitFor(() =>
      expect(socketClient.received.findLast((n) => n.name.endsWith('appMessage'))?.payload.message).toMatchObject({
        ...{ id: sent.id, ack: 0, error: 'number-blocked' },
      }),
    )
    expect(await listReceived(customer)).toEqual([])
    await desk.line.setFaults({})
    expect((await retry(agent, sent.id)).body).toMatchObject({ ack: 1, error: null })
    await until(sent.id, { state: 'sent', error: null })
    expect(await bodies(customer)).toEqual(['¿llega?'])
    // A second retry sends nothing.
    await retry(agent, sent.id)
    await until((await desk.send(agent, id, 'otra')).id, { state: 'sent' })
    expect(await bodies(customer)).toEqual(['¿llega?', 'otra'])
    socketClient.close()
  })

  it('can be retried also when their ticket was closed and the customer has another ticket', async () => {
    const { customer, id } = await openConversation()
    await desk.line.setFaults({ failSends: 'no-whatsapp' })
    const failed = await desk.send(agent, id, 'el comprobante')
    await until(failed.id, { state: 'failed' })
    await desk.line.setFaults({})
    await desk.putTicket(agent, id, { status: 'closed' })
    const { ticketId: next } = await desk.waitForMessage(await customer.says('¿y el comprobante?'))
    await desk.putTicket(desk.admin, next, { status: 'open', userId: agent.id })
    expect((await desk.listMessages(agent, next)).map((m) => m.error)).toContain('no-whatsapp')
    expect((await retry(agent, failed.id)).status).toBe(200)
    await vi.waitFor(async () => expect(await bodies(customer)).toEqual(['el comprobante']))
  })

  it('can be retried or discarded in a closed conversation, which stays closed', async () => {
    const { customer, id } = await openConversation()
    await desk.line.setFaults({ failSends: 'unsure' })
    const [again, gone] = [await desk.send(agent, id, 'ya salió'), await desk.send(agent, id, 'mejor no')]
    for (const one of [again, gone]) await until(one.id, { state: 'failed', error: 'unsure' })
    await desk.line.setFaults({})
    await desk.putTicket(agent, id, { status: 'closed' })
    expect((await desk.listMessages(agent, id)).filter((m) => m.fromMe).map((m) => [m.ack, m.error])).toEqual([
      [0, 'unsure'],
      [0, 'unsure'],
    ])
    expect((await retry(agent, again.id)).body).toMatchObject({ ack: 1, error: null })
    await until(again.id, { state: 'sent', error: null })
    expect((await remove(agent, gone.id)).status).toBe(200)
    expect(await bodies(customer)).toEqual(['ya salió'])
    const ticket = await desk.db
      .selectFrom('tickets')
      .select(['status', 'userId'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(ticket).toEqual({ status: 'closed', userId: agent.id })
  })

  it('can be retried only by the agent of the ticket', async () => {
    const { id } = await openConversation()
    await desk.line.setFaults({ failSends: 'x' })
    const sent = await desk.send(agent, id, 'no sale')
    await until(sent.id, { state: 'failed' })
    await desk.line.setFaults({})
    expect((await retry(await desk.createUser('user'), sent.id)).status).toBe(404)
    const colleague = await desk.createUser('user', [])
    await desk.putTicket(desk.admin, id, { userId: colleague.id })
    expect((await retry(agent, sent.id)).status).not.toBe(200)
    await desk.putTicket(desk.admin, id, { userId: agent.id })
    await remove(agent, sent.id)
    expect((await retry(agent, sent.id)).body.error).toBe('ERR_NO_MESSAGE_FOUND')
  })

  it('wait while the network is down, and are sent in order afterwards', async () => {
    const { customer, id } = await openConversation()
    await desk.line.setFaults({ failSends: 'network' })
    const first = await desk.send(agent, id, 'uno')
    await desk.send(agent, id, 'dos')
    await until(first.id, { state: 'sending', error: null, ack: 1 })
    await desk.line.setFaults({})
    harness.server.switchboard.outbox.wake(desk.line.id)
    await vi.waitFor(async () => expect(await bodies(customer)).toEqual(['uno', 'dos']), { timeout: 5000 })
  })

  it('are given up after a while, so that they do not block the line', async () => {
    const { customer, id } = await openConversation()
    await desk.line.setFaults({ failSends: 'network' })
    const first = await desk.send(agent, id, 'imposible')
    await until(first.id, { state: 'sending' })
    // The first message fails at least once before the next one waits behind it.
    harness.server.switchboard.outbox.wake(desk.line.id)
    await vi.waitFor(async () => {
      harness.clock.advance(20_000)
      harness.server.switchboard.outbox.wake(desk.line.id)
      expect(await rowOf(first.id)).toMatchObject({ state: 'failed', error: 'unreachable' })
    })
    await desk.line.setFaults({})
    await until((await desk.send(agent, id, 'posible')).id, { state: 'sent' })
    expect(await bodies(customer)).toEqual(['posible'])
  })

  it('wait while the line is disconnected, and are sent when it is connected again', async () => {
    const { customer, id } = await openConversation()
    await desk.line.unlink()
    await desk.line.waitForStatus('DISCONNECTED')
    const sent = await desk.send(agent, id, 'para después')
    expect(await rowOf(sent.id)).toMatchObject({ state: 'queued', ack: 1 })
    await desk.admin.request('POST', `/whatsappsession/${desk.line.id}`)
    await desk.line.scan()
    await desk.line.waitForStatus('CONNECTED')
    await until(sent.id, { state: 'sent' })
    expect(await bodies(customer)).toEqual(['para después'])
  })

  it('are sent by polling when their notification got lost', async () => {
    const { customer, id } = await openConversation()
    const { contactId } = await desk.showTicket(id)
    const row = {
      companyId: desk.company.id,
      ticketId: id,
      contactId,
      whatsappId: desk.line.id,
      wid: 'LOST1',
      fromMe: true,
      body: 'en silencio',
      state: 'queued' as const,
      ack: 1,
      createdAt: new Date(),
      storedAt: new Date(),
    }
    await desk.db
      .insertInto('messages')
      .values(row as never)
      .execute()
    await harness.server.switchboard.outbox.look()
    await vi.waitFor(async () => expect(await bodies(customer)).toEqual(['en silencio']))
  })

  it('are sent under the same id when the process died while sending', async () => {
    const { customer, id } = await openConversation()
    const sent = await desk.send(agent, id, 'una sola vez')
    await until(sent.id, { state: 'sent' })
    // Simulates a process that died before it recorded that the message was sent.
    await desk.db.updateTable('messages').set({ state: 'sending' }).where('id', '=', Number(sent.id)).execute()
    await harness.server.switchboard.outbox.look()
    await until(sent.id, { state: 'sent' })
    expect(await bodies(customer)).toEqual(['una sola vez'])
  })
})

describe('deleting messages', () => {
  it('deletes a sent message for everyone', async () => {
    const { customer, id } = await openConversation()
    const socketClient = await agent.listen()
    const sent = await desk.send(agent, id, 'secreto')
    await until(sent.id, { state: 'sent' })
    const answer = await agent.call(messagesApi.remove, { params: { id: sent.id as string } })
    expect(answer).toMatchObject({ isDeleted: true, body: '' })
    await vi.waitFor(async () => expect(await listReceived(customer)).toMatchObject([{ isDeleted: true, body: '' }]))
    await vi.waitFor(() =>
      expect(socketClient.received.findLast((n) => n.name.endsWith('appMessage'))?.payload).toMatchObject({
        action: 'update',
        message: { isDeleted: true },
      }),
    )
    expect((await desk.listMessages(agent, id)).at(-1)).toMatchObject({ isDeleted: true, body: '' })
    expect((await desk.showTicket(id)).lastMessage).toBe('Mensaje eliminado')
    expect((await remove(agent, sent.id)).status).toBe(200)
    socketClient.close()
  })

  it('cancels a message that is not sent yet', async () => {
    const { customer, id } = await openConversation()
    await desk.line.unlink()
    await desk.line.waitForStatus('DISCONNECTED')
    const sent = await desk.send(agent, id, 'mejor no')
    const kept = await desk.send(agent, id, 'esto sí')
    await remove(agent, sent.id)
    await desk.admin.request('POST', `/whatsappsession/${desk.line.id}`)
    await desk.line.scan()
    await until(kept.id, { state: 'sent' })
    expect(await bodies(customer)).toEqual(['esto sí'])
  })

  it('deletes a message that is just being sent', async () => {
    const { customer, id } = await openConversation()
    await desk.line.setFaults({ failSends: 'network' })
    const sent = await desk.send(agent, id, 'ya salía')
    await until(sent.id, { state: 'sending' })
    await remove(agent, sent.id)
    const next = await desk.send(agent, id, 'sigo')
    await desk.line.setFaults({})
    harness.server.switchboard.outbox.wake(desk.line.id)
    await until(next.id, { state: 'sent' })
    expect(await bodies(customer)).toEqual(['sigo'])
  })

  it('deletes a message acked before the send call answered, and a message given up too early', async () => {
    const { customer, id } = await openConversation()
    const [leaving, failed] = [await desk.send(agent, id, 'ya salía'), await desk.send(agent, id, 'no salía')]
    await until(failed.id, { ack: 3 })
    const wids = [await arrivedUnanswered(leaving.id), await arrivedUnanswered(failed.id)]
    const givenUp = { state: 'failed', ack: 0, error: 'unreachable' } as const
    await desk.db.updateTable('messages').set(givenUp).where('id', '=', Number(failed.id)).execute()
    for (const one of [leaving, failed]) expect((await remove(agent, one.id)).status).toBe(200)
    await desk.receive(...wids.map((wid) => ackEvent(customer, wid, 3)))
    await desk.line.setFaults({})
    await vi.waitFor(async () => expect((await listReceived(customer)).map((m) => m.isDeleted)).toEqual([true, true]))
    expect(await rowOf(failed.id)).toMatchObject({ state: 'sent', isDeleted: true, error: null })
  })

  it('reports when the vendor refused the deletion', async () => {
    const { customer, id } = await openConversation()
    const sent = await desk.send(agent, id, 'viejo')
    await until(sent.id, { state: 'sent' })
    await desk.line.setFaults({ failSends: 'too-old' })
    await remove(agent, sent.id)
    await until(sent.id, { isDeleted: false, error: 'not-deleted' })
    expect((await desk.listMessages(agent, id)).at(-1)).toMatchObject({ body: 'viejo', isDeleted: false })
    expect((await desk.showTicket(id)).lastMessage).toBe('viejo')
    expect(await bodies(customer)).toEqual(['viejo'])
    await desk.line.setFaults({})
  })

  it('is refused for customer messages, and for agents who neither see nor supervise the ticket', async () => {
    const queue = await desk.createQueue()
    const { id } = await openConversation()
    await desk.putTicket(desk.admin, id, { queueId: queue.id, userId: agent.id })
    const [theirs] = await desk.listMessages(agent, id)
    expect((await remove(agent, theirs?.id)).body.error).toBe('ERR_NO_PERMISSION')
    const sent = await desk.send(agent, id, 'mío')
    await until(sent.id, { state: 'sent' })
    const colleague = await desk.createUser('user', [queue])
    expect((await remove(colleague, sent.id)).status).toBe(404)
    await desk.putTicket(agent, id, { status: 'closed' })
    // The whole queue sees a closed ticket, but may not delete its messages.
    expect((await remove(colleague, sent.id)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await remove(await desk.createUser('supervisor', [queue]), sent.id)).status).toBe(200)
    expect((await remove(agent, '999999999')).body.error).toBe('ERR_NO_MESSAGE_FOUND')
  })
})

describe('editing messages', () => {
  const edit = (by: TestUser, id: string | undefined, body: string) =>
    by.request<Message & { error: string }>('PUT', `/messages/${id}`, { body })

  it('sends the new text of an unsent message, and corrects a message that is just being sent', async () => {
    const { customer, id } = await openConversation()
    await desk.line.setFaults({ failSends: 'network' })
    const leaving = await desk.send(agent, id, 'son 10')
    await until(leaving.id, { state: 'sending' })
    const waiting = await desk.send(agent, id, 'grasias')
    expect((await edit(agent, waiting.id, 'gracias, {{firstName}}')).body).toMatchObject({ isEdited: false })
    expect((await edit(agent, leaving.id, 'son 12')).body).toMatchObject({ body: 'son 12', isEdited: true })
    await desk.line.setFaults({})
    harness.server.switchboard.outbox.wake(desk.line.id)
    const name = (await desk.showTicket(id)).contact.name.split(' ')[0]
    await vi.waitFor(async () => expect(await bodies(customer)).toEqual(['son 12', `gracias, ${name}`]), {
      timeout: 5000,
    })
  })

  it('corrects a message acked before the send call answered', async () => {
    const { customer, id } = await openConversation()
    const sent = await desk.send(agent, id, 'son 10')
    const wid = await arrivedUnanswered(sent.id)
    await edit(agent, sent.id, 'son 12')
    await desk.receive(ackEvent(customer, wid, 3))
    await desk.line.setFaults({})
    await vi.waitFor(async () => expect(await bodies(customer)).toEqual(['son 12']))
  })

  it('corrects a message that arrived before a repeated send, because the phone keeps the first text of an id', async () => {
    const { customer, id } = await openConversation()
    const sent = await desk.send(agent, id, 'son 10')
    await arrivedUnanswered(sent.id)
    await edit(agent, sent.id, 'son 12')
    await desk.line.setFaults({})
    harness.server.switchboard.outbox.wake(desk.line.id)
    await vi.waitFor(async () => expect(await bodies(customer)).toEqual(['son 12']))
  })

  it('reports when the vendor refused the edit, and shows the text that the customer sees', async () => {
    const { customer, id } = await openConversation()
    const sent = await desk.send(agent, id, 'viejo')
    await until(sent.id, { state: 'sent' })
    await desk.line.setFaults({ failSends: 'too-old' })
    await edit(agent, sent.id, 'nuevo')
    await until(sent.id, { body: 'viejo', isEdited: false, error: 'not-edited', ack: expect.any(Number) })
    expect((await desk.showTicket(id)).lastMessage).toBe('viejo')
    // A read ack does not clear the error.
    await desk.receive(ackEvent(customer, (await rowOf(sent.id)).wid, 4))
    expect(await rowOf(sent.id)).toMatchObject({ ack: 4, error: 'not-edited' })
    await desk.line.setFaults({})
    expect((await edit(agent, sent.id, 'nuevo')).body).toMatchObject({ error: null })
    await vi.waitFor(async () => expect(await bodies(customer)).toEqual(['nuevo']))
  })

  it('is allowed for one’s own texts of the last 15 minutes, in an open ticket, by agents who may write in it', async () => {
    const { id } = await openConversation()
    const [theirs] = await desk.listMessages(agent, id)
    const refused = async (by: TestUser, message: string | undefined, body = 'x') =>
      (await edit(by, message, body)).body.error
    expect(await refused(agent, theirs?.id)).toBe('ERR_NO_PERMISSION')
    const sent = await desk.send(agent, id, 'mío')
    await until(sent.id, { state: 'sent' })
    expect(await refused(await desk.createUser('user'), sent.id)).toBe('ERR_NO_TICKET_FOUND')
    expect(await refused(agent, sent.id, ' ')).toBe('ERR_VALIDATION')
    const picture = await sendForm<Message>(agent, `/messages/${id}`, { medias: [[tinyPng, 'x.png']] })
    expect(await refused(agent, picture.body.id)).toBe('ERR_EDITING_WAPP_MSG')
    await desk.putTicket(agent, id, { status: 'closed' })
    expect(await refused(agent, sent.id)).toBe('ERR_TICKET_NOT_OPEN')
    await desk.putTicket(agent, id, { status: 'open', userId: agent.id })
    const createdAt = new Date(harness.clock.now().getTime() - messageEditWindowMs)
    await desk.db.updateTable('messages').set({ createdAt }).where('id', '=', Number(sent.id)).execute()
    expect(await refused(agent, sent.id)).toBe('ERR_EDITING_WAPP_MSG')
  })
})

describe('reacting to messages', () => {
  const react = (by: TestUser, id: string | undefined, emoji: string) =>
    by.request<Message & { error: string }>('POST', `/messages/${id}/reaction`, { emoji })
  /** Reactions that have not been sent to the phone yet. */
  const waiting = async () =>
    (await desk.db.selectFrom('lineErrands').select(['errand', 'attempts']).orderBy('id').execute()).filter(
      ({ errand: lineTask }) => (lineTask as { kind?: string }).kind === 'react',
    )

  it('publishes the reaction to everyone who sees the ticket, and undoes it when the vendor refuses', async () => {
    const { id } = await openConversation()
    const socketClient = await desk.admin.listen()
    const [said] = await desk.listMessages(agent, id)
    await react(agent, said?.id, '👍')
    await vi.waitFor(() =>
      expect(socketClient.received.at(-1)?.payload).toMatchObject({
        action: 'update',
        message: { reactions: [{ emoji: '👍', fromMe: true }] },
      }),
    )
    await until(said?.id, { reactions: [{ emoji: '👍' }] })
    await vi.waitFor(async () => expect(await desk.db.selectFrom('lineErrands').select('id').execute()).toEqual([]))
    await desk.line.setFaults({ failSends: 'too-old' })
    await react(agent, said?.id, '')
    await until(said?.id, { reactions: [{ emoji: '👍', fromMe: true }] })
    await desk.line.setFaults({})
    socketClient.close()
  })

  it('ends with the reaction chosen last, also when others had to be retried', async () => {
    const { customer, id } = await openConversation()
    const [said] = await desk.listMessages(agent, id)
    await desk.line.setFaults({ failSends: 'network' })
    await react(agent, said?.id, '👍')
    await vi.waitFor(async () => expect(await waiting()).toMatchObject([{ attempts: 1 }]), { timeout: 10_000 })
    await desk.line.setFaults({})
    await react(agent, said?.id, '🙏')
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 10_000 })
    expect((await customer.listMessages())[0]).toMatchObject({ reaction: '🙏' })
    expect(await rowOf(said?.id)).toMatchObject({ reactions: [{ emoji: '🙏', fromMe: true }] })
  })

  it('does not restore a reaction that never reached the phone', async () => {
    const { id } = await openConversation()
    const [said] = await desk.listMessages(agent, id)
    await desk.line.setFaults({ failSends: 'network' })
    await react(agent, said?.id, '👍')
    await vi.waitFor(async () => expect(await waiting()).toMatchObject([{ attempts: 1 }]), { timeout: 10_000 })
    await desk.line.setFaults({ failSends: 'too-old' })
    await react(agent, said?.id, '🙏')
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 10_000 })
    expect(await rowOf(said?.id)).toMatchObject({ reactions: [] })
    await desk.line.setFaults({})
  })

  it('works in earlier tickets of the chat, with a single emoji, for agents who may write there', async () => {
    const { customer, id } = await openConversation()
    const [old] = await desk.listMessages(agent, id)
    await desk.putTicket(agent, id, { status: 'closed' })
    expect((await react(agent, old?.id, '👍')).body.error).toBe('ERR_TICKET_NOT_OPEN')
    const { ticketId: next } = await desk.waitForMessage(await customer.says('otra vez'))
    await desk.putTicket(desk.admin, next, { status: 'open', userId: agent.id })
    expect(next).not.toBe(id)
    expect((await react(agent, old?.id, '👩🏽‍🚀')).body).toMatchObject({
      ticketId: id,
      reactions: [{ emoji: '👩🏽‍🚀' }],
    })
    expect((await react(agent, old?.id, 'ok')).body.error).toBe('ERR_VALIDATION')
    expect((await react(await desk.createUser('user'), old?.id, '👍')).status).toBe(404)
    await desk.line.setFaults({ failSends: 'x' })
    const failed = await desk.send(agent, next, 'no llega')
    await until(failed.id, { state: 'failed' })
    expect((await react(agent, failed.id, '👍')).body.error).toBe('ERR_FETCH_WAPP_MSG')
    await desk.line.setFaults({})
  })
})

describe('read receipts', () => {
  it('are sent when the ticket’s agent opens the chat, and not when other users open it', async () => {
    const { customer, id } = await openConversation()
    const ticks = async () => (await customer.listMessages())[0]?.ack
    const before = await ticks()
    await desk.listMessages(desk.admin, id)
    await desk.listMessages(agent, id, { markAsRead: 'false' })
    expect(await ticks()).toBe(before)
    await desk.listMessages(agent, id)
    await vi.waitFor(async () => expect(await ticks()).toBe(4))
  })
})
