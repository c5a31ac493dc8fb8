import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type CloudDesk,
  generateWamid,
  openCloudDesk,
  openCloudLine,
  quickCloudTimings,
  unixSeconds,
} from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { signWebhookBody } from '../../../test/fake-graph.ts'
import { closeTestServers, startSecondProcess } from '../../../test/test-server.ts'
import { parseNotification } from './parse-notification.ts'

let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

const journalled = (wid: string) =>
  desk.db.selectFrom('journal').selectAll().where('eventId', '=', `message:${wid}`).execute()

describe('the webhook for Meta', () => {
  const ask = (query: Record<string, string>, path = desk.line.path) =>
    desk.server.anonymous.request<string>('GET', `${path}?${new URLSearchParams(query)}`, undefined, { accept: '*/*' })
  const question = (token: string, challenge = '1158201444') => ({
    'hub.mode': 'subscribe',
    'hub.verify_token': token,
    'hub.challenge': challenge,
  })

  it('answers the challenge as plain text only to callers with the verify token', async () => {
    const answer = await ask(question(desk.line.verifyToken))
    expect(answer).toMatchObject({ status: 200, body: '1158201444' })
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    const refusal = { status: 400, body: { error: 'ERR_WEBHOOK_SIGNATURE' } }
    expect(await ask(question('something else'))).toMatchObject(refusal)
    expect(await ask(question(''))).toMatchObject(refusal)
    expect(await ask({})).toMatchObject(refusal)
    expect(await ask({ ...question(desk.line.verifyToken), 'hub.mode': 'unsubscribe' })).toMatchObject(refusal)
    expect(await ask(question(desk.line.verifyToken, '<script>alert(1)</script>'))).toMatchObject(refusal)
    const nobody = '/webhooks/cloud/00000000-0000-4000-8000-000000000000'
    expect(await ask(question(desk.line.verifyToken), nobody)).toMatchObject({ status: 404 })
    expect(await ask(question(desk.line.verifyToken), '/webhooks/cloud/1')).toMatchObject({ status: 404 })
  })

  it('accepts only calls signed with the app secret, over the raw bytes', async () => {
    const customer = desk.line.customer(nextPhoneNumber())
    const message = customer.messageOf({ type: 'text', text: { body: 'ñandú ✓' } })
    const body = desk.line.wrapChanges(desk.line.change({ contacts: [customer.contact], messages: [message] }))
    const text = JSON.stringify(body)
    const refusal = { status: 400, body: { error: 'ERR_WEBHOOK_SIGNATURE' } }
    const right = signWebhookBody(desk.line.account.appSecret, text)
    expect(await desk.line.post(text, signWebhookBody('another secret', text))).toMatchObject(refusal)
    expect(await desk.line.post(text, '')).toMatchObject(refusal)
    expect(await desk.line.post(text, right.slice(0, -2))).toMatchObject(refusal)
    expect(await desk.line.post(text, right.replace('sha256=', 'sha1='))).toMatchObject(refusal)
    expect(await desk.line.post(`${text} `, right)).toMatchObject(refusal)
    expect(await journalled(message.id as string)).toEqual([])
    expect(await desk.line.post(text, right)).toMatchObject({ status: 200 })
    // The event is already journalled when Meta gets the response.
    expect(await journalled(message.id as string)).toHaveLength(1)
    await desk.waitForMessage(message.id as string, { body: 'ñandú ✓' })
  })

  it('refuses an invalid notification with an error code, and never crashes', async () => {
    for (const [body, status, error] of [
      ['', 400, 'ERR_SYNTAX'],
      ['{"entry":', 400, 'ERR_SYNTAX'],
      ['[]', 400, 'ERR_VALIDATION'],
      ['null', 400, 'ERR_VALIDATION'],
      ['{"entry":{}}', 400, 'ERR_VALIDATION'],
      ['"entry"', 400, 'ERR_VALIDATION'],
    ] as const)
      expect(await desk.line.post(body)).toEqual({ status, body: { error } })
    const huge = JSON.stringify({ entry: ['x'.repeat(3 * 1024 * 1024)] })
    expect(await desk.line.post(huge)).toMatchObject({ status: 413, body: { error: 'ERR_BODY_TOO_LARGE' } })
    // Events in an unknown format are skipped.
    const { wrapChanges: wrap, change } = desk.line
    for (const odd of [
      { entry: [null, 1, 'x', { changes: null }, { changes: [null, { field: 7, value: [] }] }] },
      wrap(change({ messages: [null, {}, { id: 7 }, { id: 'a', type: 'text' }, { id: 'b', from: {} }] })),
      wrap(
        change({ contacts: 'x', messages: { id: 'x' }, statuses: [{}, { id: 'x' }, { id: 'x', status: 'warped' }] }),
      ),
      wrap(change({}, 'account_update')),
      wrap(change({ errors: [{ code: 131000 }] })),
    ])
      expect(await desk.line.post(odd)).toMatchObject({ status: 200 })
  })

  it('stores one message for the same notification sent many times at once', async () => {
    const customer = desk.line.customer(nextPhoneNumber())
    const message = customer.messageOf({ type: 'text', text: { body: 'una vez' } })
    const body = desk.line.wrapChanges(desk.line.change({ contacts: [customer.contact], messages: [message] }))
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.line.post(body)))
    expect(answers.map((a) => a.status)).toEqual(Array(8).fill(200))
    const { ticketId } = await desk.waitForMessage(message.id as string)
    const rows = desk.db
      .selectFrom('messages')
      .select('id')
      .where('ticketId', '=', ticketId)
      .where('fromMe', '=', false)
    expect(await rows.execute()).toHaveLength(1)
  })

  it('reads several events in one call, for several numbers of the same app', async () => {
    const account = { ...desk.graph.createAccount(), appSecret: desk.line.account.appSecret }
    desk.graph.accounts.push(account)
    const second = await openCloudLine(desk.admin, desk.graph, {}, account)
    const other = await openCloudLine(desk.admin, desk.graph)
    const [one, two, three] = [desk.line, second, other].map((line) => {
      const customer = line.customer(nextPhoneNumber())
      const message = customer.messageOf({ id: generateWamid(), type: 'text', text: { body: 'x' } })
      return { id: message.id as string, change: line.change({ contacts: [customer.contact], messages: [message] }) }
    }) as [NotifiedMessage, NotifiedMessage, NotifiedMessage]
    expect(await desk.line.post(desk.line.wrapChanges(one.change, two.change, three.change))).toMatchObject({
      status: 200,
    })
    expect(await desk.waitForMessage(one.id)).toMatchObject({ whatsappId: desk.line.id })
    expect(await desk.waitForMessage(two.id)).toMatchObject({ whatsappId: second.id })
    // This line's app has another secret, so the signature is not valid for it.
    expect(await journalled(three.id)).toEqual([])
  })
  type NotifiedMessage = { id: string; change: object }

  it('reaches the line whichever process is called, also while no process runs the line', async () => {
    const twin = await startSecondProcess(desk.server, { cloud: quickCloudTimings })
    const by = `http://127.0.0.1:${(twin.app.server.address() as AddressInfo).port}`
    const customer = desk.line.customer(nextPhoneNumber())
    const notice = (text: string) => {
      const message = customer.messageOf({ type: 'text', text: { body: text } })
      const change = desk.line.change({ contacts: [customer.contact], messages: [message] })
      return { wid: message.id as string, body: desk.line.wrapChanges(change) }
    }
    const first = notice('por el otro proceso \u0000 \ud83d')
    expect(await desk.line.post(first.body, undefined, by)).toMatchObject({ status: 200 })
    await desk.waitForMessage(first.wid, { body: 'por el otro proceso  \ufffd' })
    await desk.admin.request('DELETE', `/whatsappsession/${desk.line.id}`)
    await desk.line.waitForStatus('DISCONNECTED', 'off')
    await vi.waitFor(() => expect(desk.server.server.lines.connectedLine(desk.line.id)).toBeUndefined())
    const second = notice('mientras estaba apagada')
    expect(await desk.line.post(second.body)).toMatchObject({ status: 200 })
    const waiting = desk.db.selectFrom('cloudInbox').selectAll().where('whatsappId', '=', desk.line.id)
    expect(await waiting.execute()).toHaveLength(1)
    await desk.admin.request('POST', `/whatsappsession/${desk.line.id}`)
    await desk.waitForMessage(second.wid, { body: 'mientras estaba apagada' })
    await vi.waitFor(async () => expect(await waiting.execute()).toEqual([]))
    await desk.line.waitForStatus('CONNECTED')
  })

  it('does not let an event overtake events that another process received earlier', async () => {
    const customer = desk.line.customer(nextPhoneNumber())
    await desk.waitForMessage(await customer.says('hola'))
    // Both messages arrived late, so Meta's timestamp does not tell which was first.
    const timestamp = unixSeconds(Date.now() - 5000)
    const late = (text: string) => customer.messageOf({ type: 'text', timestamp, text: { body: text } })
    const body = (message: object) =>
      desk.line.wrapChanges(desk.line.change({ contacts: [customer.contact], messages: [message] }))
    for (let n = 0; n < 5; n++) {
      const [first, second] = [late(`primero ${n}`), late(`segundo ${n}`)]
      const events = JSON.stringify(parseNotification(body(first)).flatMap((heard) => heard.events))
      // The other process has stored these events, and its signal has not arrived yet.
      await desk.db
        .insertInto('cloudInbox')
        .values({ companyId: desk.company.id, whatsappId: desk.line.id, events })
        .execute()
      expect(await desk.line.post(body(second))).toMatchObject({ status: 200 })
      const [one, two] = [await desk.waitForMessage(first.id as string), await desk.waitForMessage(second.id as string)]
      expect(one.createdAt).toEqual(two.createdAt)
      expect(Number(one.id)).toBeLessThan(Number(two.id))
    }
  })

  it('accepts calls while Meta refuses the token', async () => {
    const line = await openCloudLine(
      desk.admin,
      desk.graph,
      {},
      { ...desk.graph.createAccount(), accessToken: 'expired' },
    )
    await line.waitForStatus('DISCONNECTED', 'token-expired')
    await desk.waitForMessage(await line.customer(nextPhoneNumber()).says('¿hola?'), { body: '¿hola?' })
  })
})
