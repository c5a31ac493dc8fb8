import { connectionsApi } from '@recado/contract/connections'
import { messagesApi } from '@recado/contract/messages'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CloudDesk, openCloudDesk, openCloudLine } from '../../../test/cloud-phone.ts'
import type { AcceptedSend } from '../../../test/fake-graph.ts'
import { closeTestServers } from '../../../test/test-server.ts'

let d: CloudDesk
beforeAll(async () => {
  d = await openCloudDesk()
})
afterAll(async () => {
  await closeTestServers()
  await d.graph.close()
})
afterEach(() => {
  d.graph.troubles.length = 0
  d.graph.otherTroubles.length = 0
})

const takenAs = (wid: string): AcceptedSend[] =>
  d.graph.acceptedSends.filter((t) => t.body.biz_opaque_callback_data === wid)
const retry = async (wid: string) => {
  const { id } = await d.waitForMessage(wid)
  await d.admin.call(messagesApi.retry, { params: { id: String(id) } })
}

describe('messages that Meta refuses', () => {
  it.each([
    [131026, 'undeliverable:131026'],
    [131047, 'window-closed:131047'],
    [131030, 'not-allowed-yet:131030'],
    [132001, 'template-missing:132001'],
    [999_999, 'meta-error:999999'],
  ])('keep the failure name and the code of the error: %i', async (code, error) => {
    const { ticketId } = await d.startConversation()
    d.graph.troubles.push({ kind: 'refuse', code })
    const wid = await d.send(ticketId, 'no pasa')
    await d.waitForMessage(wid, { state: 'failed', ack: 0, error })
    expect(takenAs(wid)).toEqual([])
    await retry(wid)
    await d.waitForMessage(wid, { state: 'sent', error: null })
    expect(takenAs(wid)).toHaveLength(1)
  })

  it('may be refused later by a status, and can be resent manually, once', async () => {
    const { ticketId } = await d.startConversation()
    const wid = await d.send(ticketId, 'aceptado, y luego no')
    const taken = await d.waitForSend(wid)
    await d.line.deliverChanges(d.line.status(taken, 'failed', 131049))
    await d.waitForMessage(wid, { state: 'failed', ack: 0, error: 'held-back:131049' })
    const { events } = (await d.admin.request<{ events: { steps: object[] }[] }>('GET', `/tickets/${ticketId}/events`))
      .body
    expect(events.flatMap((e) => e.steps)).toContainEqual({
      step: 'not-delivered',
      why: 'held-back',
      with: { code: '131049', detail: 'details of 131049' },
    })
    await retry(wid)
    await d.waitForMessage(wid, { state: 'sent', error: null })
    expect(takenAs(wid)).toHaveLength(2)
    // A repeated status of the first attempt does not affect the second attempt.
    await d.line.deliverChanges(d.line.status({ ...taken, wamid: taken.wamid }, 'failed', 131049))
    const second = takenAs(wid)[1] as AcceptedSend
    await d.line.deliverChanges(d.line.status(second, 'delivered'))
    await d.waitForMessage(wid, { state: 'sent', ack: 3, error: null })
    // A delivered message stays delivered.
    await d.line.deliverChanges(d.line.status(second, 'failed', 131026))
    await d.server.server.switchboard.inbox.idle()
    await d.waitForMessage(wid, { state: 'sent', ack: 3 })
  })
})

describe('messages in several conversations', () => {
  it('are sent in parallel, each in its own order and every message once', async () => {
    const talks = await Promise.all(Array.from({ length: 12 }, () => d.startConversation()))
    const words = ['uno', 'dos', 'tres', 'cuatro']
    const before = d.graph.acceptedSends.length
    // Calls are answered only after the first message of each conversation has arrived.
    Object.assign(d.graph.parallelSends, { waitForCount: talks.length, maxSeen: 0 })
    await queue(
      talks.map(({ ticketId }) => ticketId),
      words,
    )
    d.server.server.switchboard.outbox.wake(d.line.id)
    const sent = () => d.graph.acceptedSends.slice(before)
    await vi.waitFor(() => expect(sent()).toHaveLength(talks.length * words.length), { timeout: 10_000 })
    const taken = sent()
    for (const { customer } of talks) {
      const own = taken.filter((t) => t.body.to === customer.phone)
      expect(own.map((t) => (t.body.text as { body: string }).body)).toEqual(words)
    }
    expect(d.graph.parallelSends.maxSeen).toBe(talks.length)
    await vi.waitFor(async () => {
      const waiting = d.db.selectFrom('messages').select('id').where('whatsappId', '=', d.line.id)
      expect(await waiting.where('state', 'in', ['queued', 'sending']).execute()).toEqual([])
    })
  })
  /** Queues all messages before the first is sent. */
  const queue = (ticketIds: number[], words: string[]) =>
    sql`
      insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, state, ack, read, "createdAt")
      select t."companyId", t.id, t."contactId", t."whatsappId", 'Q' || t.id || '-' || w.n, true, w.word, 'queued', 1, true, now()
      from unnest(${words}::text[]) with ordinality w (word, n), tickets t where t.id = any(${ticketIds}::int[])
      order by w.n, t.id`.execute(d.db)
})

describe('single delivery of a message', () => {
  it('is kept when the connection breaks after Meta accepted the message: its status confirms the delivery', async () => {
    const { ticketId } = await d.startConversation()
    d.graph.troubles.push({ kind: 'die' })
    const wid = await d.send(ticketId, 'una sola vez')
    const taken = await d.waitForSend(wid)
    await d.line.deliverChanges(d.line.status(taken, 'sent'))
    await d.waitForMessage(wid, { state: 'sent', ack: 2, error: null })
    const next = await d.send(ticketId, 'sigue')
    await d.waitForMessage(next, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
    // The message can also be quoted, because Meta's id is stored.
    const { id } = await d.waitForMessage(wid)
    const quoting = await d.send(ticketId, 'cita', { quotedMsg: { id: String(id) } })
    expect((await d.waitForSend(quoting)).body).toMatchObject({ context: { message_id: taken.wamid } })
  })

  it('is kept without a status: the message is shown as unsure, others continue, and a late status corrects it', async () => {
    const { ticketId } = await d.startConversation()
    const other = await d.startConversation()
    d.graph.troubles.push({ kind: 'die' })
    const wid = await d.send(ticketId, '¿llegó?')
    const taken = await d.waitForSend(wid)
    // A reply to another customer does not wait for this message.
    const free = await d.send(other.ticketId, 'sin esperar')
    await d.waitForMessage(free, { state: 'sent' })
    await d.waitForMessage(wid, { state: 'failed', error: 'unsure' })
    expect(takenAs(wid)).toHaveLength(1)
    await d.line.deliverChanges(d.line.status(taken, 'delivered'))
    await d.waitForMessage(wid, { state: 'sent', ack: 3, error: null })
  })

  it('is kept when the process dies after Meta accepted the message', async () => {
    const { ticketId, customer } = await d.startConversation()
    const { contactId } = await d.waitForMessage(await customer.says('otra'))
    // The state that the dead process left behind: the attempt is recorded, but no answer.
    const wid = '3EB0AAAAAAAAAAAAAAAAAA'
    const at = new Date(Date.now() - 60_000)
    const ids = { companyId: d.company.id, whatsappId: d.line.id, wid }
    await d.db
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
    await d.db
      .insertInto('messages')
      .values({ ...row, state: 'sending', ack: 1, createdAt: at, storedAt: at })
      .execute()
    await d.admin.request('DELETE', `/whatsappsession/${d.line.id}`)
    await d.admin.request('POST', `/whatsappsession/${d.line.id}`)
    await d.line.waitForStatus('CONNECTED')
    // Meta repeats the status that it could not deliver.
    await d.line.deliverChanges(d.line.status({ wamid: 'wamid.dead', body: { biz_opaque_callback_data: wid } }, 'sent'))
    await d.waitForMessage(wid, { state: 'sent' })
    expect(takenAs(wid)).toEqual([])
  })

  it('is kept when a server other than Meta answered; a user may then send the message again', async () => {
    const { ticketId } = await d.startConversation()
    d.graph.troubles.push({ kind: 'garbage' })
    const doubtful = await d.send(ticketId, 'quizás')
    await d.waitForMessage(doubtful, { state: 'failed', error: 'unsure' })
    await retry(doubtful)
    await d.waitForMessage(doubtful, { state: 'sent' })
    expect(takenAs(doubtful)).toHaveLength(1)
  })
})

describe('rate limits of Meta', () => {
  /** The send calls to Meta, accepted or not. */
  const asks = () => d.graph.calls.filter(({ isSend }) => isSend)

  it('of the number pause the whole line for as long as Meta asks', async () => {
    const { ticketId } = await d.startConversation()
    const other = await d.startConversation()
    const before = asks().length
    d.graph.troubles.push({ kind: 'refuse', status: 429, code: 130429, retryAfter: '1' })
    const wid = await d.send(ticketId, 'primero')
    // Messages that were already being sent may still arrive: the line pauses once it has received the refusal.
    await vi.waitFor(() => expect(d.graph.troubles).toEqual([]))
    const marks = () => d.db.selectFrom('cloudSends').select('wid').where('wid', '=', wid).execute()
    await vi.waitFor(async () => expect(await marks()).toEqual([]))
    const behind = await d.send(other.ticketId, 'después')
    await d.waitForMessage(behind, { state: 'sent' })
    await d.waitForMessage(wid, { state: 'sent' })
    const [refused, next] = asks().slice(before)
    expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(950)
  })

  it('of one customer pause that customer only', async () => {
    const { ticketId } = await d.startConversation()
    const other = await d.startConversation()
    d.graph.troubles.push({ kind: 'refuse', code: 131056, retryAfter: '60' })
    const wid = await d.send(ticketId, 'demasiado seguido')
    const second = await d.send(ticketId, 'y otra')
    await vi.waitFor(() => expect(d.graph.troubles).toEqual([]))
    const free = await d.send(other.ticketId, 'sin límite')
    await d.waitForMessage(free, { state: 'sent' })
    expect([takenAs(wid), takenAs(second)]).toEqual([[], []])
    d.server.clock.advance(60_000)
    d.server.server.switchboard.outbox.wake(d.line.id)
    await d.waitForMessage(second, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
    const order = d.graph.acceptedSends.map((t) => t.body.biz_opaque_callback_data)
    expect(order.indexOf(wid)).toBeLessThan(order.indexOf(second))
  })

  it('do not fail messages, and outages of Meta do not either: the messages wait', async () => {
    const { ticketId } = await d.startConversation()
    d.graph.troubles.push({ kind: 'refuse', status: 500, code: 131000 })
    const wid = await d.send(ticketId, 'Meta tosió')
    await d.waitForMessage(wid, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
  })
})

describe('the account of a cloud line', () => {
  it('stops the line when Meta revokes the token, and keeps waiting messages until a new token is set', async () => {
    const { ticketId } = await d.startConversation()
    const known = d.graph.accounts.find((a) => a.phoneNumberId === d.line.account.phoneNumberId)
    if (!known) throw new Error('no account')
    known.accessToken = 'the next token'
    const wid = await d.send(ticketId, 'con el token viejo')
    await d.line.waitForStatus('DISCONNECTED', 'token-expired')
    await d.waitForMessage(wid, { state: 'sending', error: null })
    const cloud = { ...d.line.account, accessToken: 'the next token', appSecret: '', verifyToken: '' }
    const { name } = await d.line.showLine()
    await d.admin.call(connectionsApi.update, { params: { id: d.line.id }, body: { name, cloud } as never })
    await d.line.waitForStatus('CONNECTED')
    await d.waitForMessage(wid, { state: 'sent' })
    expect(takenAs(wid)).toHaveLength(1)
    // The app secret was left empty in the form, so it is unchanged.
    await d.waitForMessage(await d.line.customer('5511980009999').says('sigue firmado'))
  })

  it.each([
    ['nothing is known of it', { phoneNumberId: '' }, 'cloud-incomplete'],
    ['Meta does not know the number', { phoneNumberId: '99999' }, 'number-not-found'],
    ['the token is wrong', { accessToken: 'nonsense' }, 'token-expired'],
  ])('shows the reason why the line is not connected: %s', async (_why, wrong, reason) => {
    const line = await openCloudLine(d.admin, d.graph, {}, { ...d.graph.createAccount(), ...wrong })
    const row = await line.waitForStatus('DISCONNECTED', reason)
    expect(JSON.stringify(row)).not.toMatch(/nonsense|secret-|token-\d/)
  })

  it('reconnects by itself after Meta was unavailable', async () => {
    d.graph.otherTroubles.push({ kind: 'cut' }, { kind: 'cut' }, { kind: 'cut' })
    const line = await openCloudLine(d.admin, d.graph)
    await line.waitForStatus('CONNECTED')
    d.graph.otherTroubles.push({ kind: 'refuse', status: 403, code: 10 })
    const another = await openCloudLine(d.admin, d.graph)
    await another.waitForStatus('CONNECTED')
  })

  it('shows its secrets to no one, and its other data only to users who manage lines', async () => {
    const agent = await d.company.user('user')
    const mine = await d.line.showLine()
    expect(mine.cloud).toMatchObject({ hasAccessToken: true, hasAppSecret: true, verifyToken: d.line.verifyToken })
    expect(mine.cloud?.webhookUrl).toMatch(/^http.*\/webhooks\/cloud\/[0-9a-f-]{36}$/)
    const theirs = await agent.call(connectionsApi.show, { params: { id: d.line.id } })
    expect(theirs.cloud).toBeNull()
    const { accessToken, appSecret } = d.line.account
    expect(JSON.stringify([mine, theirs])).not.toMatch(new RegExp(`${accessToken}|${appSecret}|Sealed`))
    const kept = await d.db.selectFrom('cloudLines').selectAll().where('whatsappId', '=', d.line.id).execute()
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${accessToken}|${appSecret}|${d.line.verifyToken}`))
  })
})
