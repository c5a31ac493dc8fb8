import { connectionsApi } from '@recado/contract/connections'
import { messagesApi } from '@recado/contract/messages'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CloudDesk, openCloudDesk, openCloudLine } from '../../../test/cloud-phone.ts'
import type { AcceptedSend } from '../../../test/fake-graph.ts'
import { closeTestServers } from '../../../test/test-server.ts'

let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})
afterEach(() => {
  desk.graph.troubles.length = 0
  desk.graph.otherTroubles.length = 0
})

const takenAs = (wid: string): AcceptedSend[] =>
  desk.graph.acceptedSends.filter((t) => t.body.biz_opaque_callback_data === wid)
const retry = async (wid: string) => {
  const { id } = await desk.waitForMessage(wid)
  await desk.admin.call(messagesApi.retry, { params: { id: String(id) } })
}

describe('messages that Meta refuses', () => {
  it.each([
    [131026, 'undeliverable:131026'],
    [131047, 'window-closed:131047'],
    [131030, 'not-allowed-yet:131030'],
    [132001, 'template-missing:132001'],
    [999_999, 'meta-error:999999'],
  ])('keep the failure name and the code of the error: %i', async (code, error) => {
    const { ticketId } = await desk.startConversation()
    desk.graph.troubles.push({ kind: 'refuse', code })
    const wid = await desk.send(ticketId, 'no pasa')
    await desk.waitForMessage(wid, { state: 'failed', ack: 0, error })
    expect(takenAs(wid)).toEqual([])
    await retry(wid)
    await desk.waitForMessage(wid, { state: 'sent', error: null })
    expect(takenAs(wid)).toHaveLength(1)
  })

  it('may be refused later by a status, and can be resent manually, once', async () => {
    const { ticketId } = await desk.startConversation()
    const wid = await desk.send(ticketId, 'aceptado, y luego no')
    const taken = await desk.waitForSend(wid)
    await desk.line.deliverChanges(desk.line.status(taken, 'failed', 131049))
    await desk.waitForMessage(wid, { state: 'failed', ack: 0, error: 'held-back:131049' })
    const { events } = (
      await desk.admin.request<{ events: { steps: object[] }[] }>('GET', `/tickets/${ticketId}/events`)
    ).body
    expect(events.flatMap((e) => e.steps)).toContainEqual({
      step: 'not-delivered',
      why: 'held-back',
      with: { code: '131049', detail: 'details of 131049' },
    })
    await retry(wid)
    await desk.waitForMessage(wid, { state: 'sent', error: null })
    expect(takenAs(wid)).toHaveLength(2)
    // A repeated status of the first attempt does not affect the second attempt.
    await desk.line.deliverChanges(desk.line.status({ ...taken, wamid: taken.wamid }, 'failed', 131049))
    const second = takenAs(wid)[1] as AcceptedSend
    await desk.line.deliverChanges(desk.line.status(second, 'delivered'))
    await desk.waitForMessage(wid, { state: 'sent', ack: 3, error: null })
    // A delivered message stays delivered.
    await desk.line.deliverChanges(desk.line.status(second, 'failed', 131026))
    await desk.server.server.switchboard.inbox.idle()
    await desk.waitForMessage(wid, { state: 'sent', ack: 3 })
  })
})

describe('messages in several conversations', () => {
  it('are sent in parallel, each in its own order and every message once', async () => {
    const talks = await Promise.all(Array.from({ length: 12 }, () => desk.startConversation()))
    const words = ['uno', 'dos', 'tres', 'cuatro']
    const before = desk.graph.acceptedSends.length
    // Calls are answered only after the first message of each conversation has arrived.
    Object.assign(desk.graph.parallelSends, { waitForCount: talks.length, maxSeen: 0 })
    await queue(
      talks.map(({ ticketId }) => ticketId),
      words,
    )
    desk.server.server.switchboard.outbox.wake(desk.line.id)
    const sent = () => desk.graph.acceptedSends.slice(before)
    await vi.waitFor(() => expect(sent()).toHaveLength(talks.length * words.length), { timeout: 10_000 })
    const taken = sent()
    for (const { customer } of talks) {
      const own = taken.filter((t) => t.body.to === customer.phone)
      expect(own.map((t) => (t.body.text as { body: string }).body)).toEqual(words)
    }
    expect(desk.graph.parallelSends.maxSeen).toBe(talks.length)
    await vi.waitFor(async () => {
      const waiting = desk.db.selectFrom('messages').select('id').where('whatsappId', '=', desk.line.id)
      expect(await waiting.where('state', 'in', ['queued', 'sending']).execute()).toEqual([])
    })
  })
  /** Queues all messages before the first is sent. */
  const queue = (ticketIds: number[], words: string[]) =>
    sql`
      insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, state, ack, read, "createdAt")
      select t."companyId", t.id, t."contactId", t."whatsappId", 'Q' || t.id || '-' || w.n, true, w.word, 'queued', 1, true, now()
      from unnest(${words}::text[]) with ordinality w (word, n), tickets t where t.id = any(${ticketIds}::int[])
      order by w.n, t.id`.execute(desk.db)
})

describe('single delivery of a message', () => {
  it('is kept when the connection breaks after Meta accepted the message: its status confirms the delivery', async () => {
    const { ticketId } = await desk.startConversation()
    desk.graph.troubles.push({ kind: 'die' })
    const wid = await desk.send(ticketId, 'una sola vez')
    const taken = await desk.waitForSend(wid)
    await desk.line.deliverChanges(desk.line.status(taken, 'sent'))
    await desk.waitForMessage(wid, { state: 'sent', ack: 2, error: null })
    const next = await desk.send(ticketId, 'sigue')
    await desk.waitForMessage(next, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
    // The message can also be quoted, because Meta's id is stored.
    const { id } = await desk.waitForMessage(wid)
    const quoting = await desk.send(ticketId, 'cita', { quotedMsg: { id: String(id) } })
    expect((await desk.waitForSend(quoting)).body).toMatchObject({ context: { message_id: taken.wamid } })
  })

  it('is kept without a status: the message is shown as unsure, others continue, and a late status corrects it', async () => {
    const { ticketId } = await desk.startConversation()
    const other = await desk.startConversation()
    desk.graph.troubles.push({ kind: 'die' })
    const wid = await desk.send(ticketId, '¿llegó?')
    const taken = await desk.waitForSend(wid)
    // A reply to another customer does not wait for this message.
    const free = await desk.send(other.ticketId, 'sin esperar')
    await desk.waitForMessage(free, { state: 'sent' })
    await desk.waitForMessage(wid, { state: 'failed', error: 'unsure' })
    expect(takenAs(wid)).toHaveLength(1)
    await desk.line.deliverChanges(desk.line.status(taken, 'delivered'))
    await desk.waitForMessage(wid, { state: 'sent', ack: 3, error: null })
  })

  it('is kept when the process dies after Meta accepted the message', async () => {
    const { ticketId, customer } = await desk.startConversation()
    const { contactId } = await desk.waitForMessage(await customer.says('otra'))
    // The state that the dead process left behind: the attempt is recorded, but no answer.
    const wid = '3EB0AAAAAAAAAAAAAAAAAA'
    const at = new Date(Date.now() - 60_000)
    const ids = { companyId: desk.company.id, whatsappId: desk.line.id, wid }
    await desk.db
      .insertInto('cloudSends')
      .values({ ...ids, wamid: null, askedAt: at })
      .execute()
    const row = {
      ...ids,
      ticketId,
      contactId,
      fromMe: true,
      body: 'antes de morir',
      mediaType: 'conversation' as const,
    }
    await desk.db
      .insertInto('messages')
      .values({ ...row, state: 'sending', ack: 1, createdAt: at, storedAt: at })
      .execute()
    await desk.admin.request('DELETE', `/whatsappsession/${desk.line.id}`)
    await desk.admin.request('POST', `/whatsappsession/${desk.line.id}`)
    await desk.line.waitForStatus('CONNECTED')
    // Meta repeats the status that it could not deliver.
    await desk.line.deliverChanges(
      desk.line.status({ wamid: 'wamid.dead', body: { biz_opaque_callback_data: wid } }, 'sent'),
    )
    await desk.waitForMessage(wid, { state: 'sent' })
    expect(takenAs(wid)).toEqual([])
  })

  it('is kept when a server other than Meta answered; a user may then send the message again', async () => {
    const { ticketId } = await desk.startConversation()
    desk.graph.troubles.push({ kind: 'garbage' })
    const doubtful = await desk.send(ticketId, 'quizás')
    await desk.waitForMessage(doubtful, { state: 'failed', error: 'unsure' })
    await retry(doubtful)
    await desk.waitForMessage(doubtful, { state: 'sent' })
    expect(takenAs(doubtful)).toHaveLength(1)
  })
})

describe('rate limits of Meta', () => {
  /** The send calls to Meta, accepted or not. */
  const asks = () => desk.graph.calls.filter(({ isSend }) => isSend)

  it('of the number pause the whole line for as long as Meta asks', async () => {
    const { ticketId } = await desk.startConversation()
    const other = await desk.startConversation()
    const before = asks().length
    desk.graph.troubles.push({ kind: 'refuse', status: 429, code: 130429, retryAfter: '1' })
    const wid = await desk.send(ticketId, 'primero')
    // Messages that were already being sent may still arrive: the line pauses once it has received the refusal.
    await vi.waitFor(() => expect(desk.graph.troubles).toEqual([]))
    const marks = () => desk.db.selectFrom('cloudSends').select('wid').where('wid', '=', wid).execute()
    await vi.waitFor(async () => expect(await marks()).toEqual([]))
    const behind = await desk.send(other.ticketId, 'después')
    await desk.waitForMessage(behind, { state: 'sent' })
    await desk.waitForMessage(wid, { state: 'sent' })
    const [refused, next] = asks().slice(before)
    expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(950)
  })

  it('of one customer pause that customer only', async () => {
    const { ticketId } = await desk.startConversation()
    const other = await desk.startConversation()
    desk.graph.troubles.push({ kind: 'refuse', code: 131056, retryAfter: '60' })
    const wid = await desk.send(ticketId, 'demasiado seguido')
    const second = await desk.send(ticketId, 'y otra')
    await vi.waitFor(() => expect(desk.graph.troubles).toEqual([]))
    const free = await desk.send(other.ticketId, 'sin límite')
    await desk.waitForMessage(free, { state: 'sent' })
    expect([takenAs(wid), takenAs(second)]).toEqual([[], []])
    desk.server.clock.advance(60_000)
    desk.server.server.switchboard.outbox.wake(desk.line.id)
    await desk.waitForMessage(second, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
    const order = desk.graph.acceptedSends.map((t) => t.body.biz_opaque_callback_data)
    expect(order.indexOf(wid)).toBeLessThan(order.indexOf(second))
  })

  it('do not fail messages, and outages of Meta do not either: the messages wait', async () => {
    const { ticketId } = await desk.startConversation()
    desk.graph.troubles.push({ kind: 'refuse', status: 500, code: 131000 })
    const wid = await desk.send(ticketId, 'Meta tosió')
    await desk.waitForMessage(wid, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
  })
})

describe('the account of a cloud line', () => {
  it('stops the line when Meta revokes the token, and keeps waiting messages until a new token is set', async () => {
    const { ticketId } = await desk.startConversation()
    const known = desk.graph.accounts.find((a) => a.phoneNumberId === desk.line.account.phoneNumberId)
    if (!known) throw new Error('no account')
    known.accessToken = 'the next token'
    const wid = await desk.send(ticketId, 'con el token viejo')
    await desk.line.waitForStatus('DISCONNECTED', 'token-expired')
    await desk.waitForMessage(wid, { state: 'sending', error: null })
    const cloud = { ...desk.line.account, accessToken: 'the next token', appSecret: '', verifyToken: '' }
    const { name } = await desk.line.showLine()
    await desk.admin.call(connectionsApi.update, { params: { id: desk.line.id }, body: { name, cloud } as never })
    await desk.line.waitForStatus('CONNECTED')
    await desk.waitForMessage(wid, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
    // The app secret was left empty in the form, so it is unchanged.
    await desk.waitForMessage(await desk.line.customer('5511980009999').says('sigue firmado'))
  })

  it.each([
    ['nothing is known of it', { phoneNumberId: '' }, 'cloud-incomplete'],
    ['Meta does not know the number', { phoneNumberId: '99999' }, 'number-not-found'],
    ['the token is wrong', { accessToken: 'nonsense' }, 'token-expired'],
  ])('shows the reason why the line is not connected: %s', async (_why, wrong, reason) => {
    const line = await openCloudLine(desk.admin, desk.graph, {}, { ...desk.graph.createAccount(), ...wrong })
    const row = await line.waitForStatus('DISCONNECTED', reason)
    expect(JSON.stringify(row)).not.toMatch(/nonsense|secret-|token-\d/)
  })

  it('reconnects by itself after Meta was unavailable', async () => {
    desk.graph.otherTroubles.push({ kind: 'cut' }, { kind: 'cut' }, { kind: 'cut' })
    const line = await openCloudLine(desk.admin, desk.graph)
    await line.waitForStatus('CONNECTED')
    desk.graph.otherTroubles.push({ kind: 'refuse', status: 403, code: 10 })
    const another = await openCloudLine(desk.admin, desk.graph)
    await another.waitForStatus('CONNECTED')
  })

  it('shows its secrets to no one, and its other data only to users who manage lines', async () => {
    const agent = await desk.company.user('user')
    const mine = await desk.line.showLine()
    expect(mine.cloud).toMatchObject({ hasAccessToken: true, hasAppSecret: true, verifyToken: desk.line.verifyToken })
    expect(mine.cloud?.webhookUrl).toMatch(/^http.*\/webhooks\/cloud\/[0-9a-f-]{36}$/)
    const theirs = await agent.call(connectionsApi.show, { params: { id: desk.line.id } })
    expect(theirs.cloud).toBeNull()
    const { accessToken, appSecret } = desk.line.account
    expect(JSON.stringify([mine, theirs])).not.toMatch(new RegExp(`${accessToken}|${appSecret}|Sealed`))
    const kept = await desk.db.selectFrom('cloudLines').selectAll().where('whatsappId', '=', desk.line.id).execute()
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${accessToken}|${appSecret}|${desk.line.verifyToken}`))
  })
})
