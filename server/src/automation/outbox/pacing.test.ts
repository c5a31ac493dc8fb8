import { PassThrough, Readable } from 'node:stream'
import { defaultCampaignSettings } from '@recado/contract/campaigns/settings'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import { ticketsApi } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { buildCampaignKeywords, interpretCampaignReply } from '../../desk/campaigns/replies.ts'
import { addLineTask } from '../../desk/messages/line-tasks.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { presentPaceDays } from '../../directory/connections/pacing.ts'
import { days, minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { type Log, makeLog } from '../../kernel/log.ts'
import { type Line, LineRefusedError, type LineRow, type OutboundMessage } from '../../lines/line.ts'
import { runLineTasks } from './line-tasks.ts'
import { downloadMessageMedia } from './media.ts'
import { makeOutbox } from './outbox.ts'
import { makePacingGate } from './pacing.ts'
import { type SendState, sendQueuedMessages } from './send.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  // The clock is frozen: the test sets the time between two messages, not the machine's speed.
  harness.clock.freeze()
})
afterAll(closeTestServers)

let row: LineRow
let failing: SendState
let sentMessages: OutboundMessage[]
let lineCount = 0
const running = {
  signal: new AbortController().signal,
  whenWoken: () => new Promise<void>(() => {}),
  wakeAfter: () => {},
}
/** The line has no linked phone: it only records the messages that it is asked to send. */
let refuseWith: string | null = null
const line = {
  send: async (message) => {
    if (refuseWith) throw new LineRefusedError(refuseWith)
    sentMessages.push(message)
  },
  setTyping: async () => {},
} as Pick<Line, 'send' | 'setTyping'> as Line
const restarted = (): SendState => ({
  failingSince: new Map(),
  pausedUntil: 0,
  restingUntil: new Map(),
  typingShown: new Set(),
  gate: { ...makePacingGate(), typingMs: () => 0 },
  bulkShutUntil: 0,
  onResult: () => {},
})
const send = () => sendQueuedMessages(harness.server.deps, row, line, failing, running)
const bodies = () => sentMessages.map(({ body }) => body)

beforeEach(async () => {
  sentMessages = []
  failing = restarted()
  const { id } = await connect()
  row = { id, companyId: desk.company.id, provider: 'beta', wantedRound: 1, fence: 0 }
})
// The plan limits the number of connections, so each test removes its own.
afterEach(() => desk.admin.call(connectionsApi.remove, { params: { id: row.id } }))
const form = { provider: 'beta' as const, maxUseBotQueues: 3, timeUseBotQueues: 0, expiresTicket: 0 }
const connect = (): Promise<Connection> =>
  desk.admin.call(connectionsApi.create, { body: { ...form, name: `Linked ${++lineCount}` } as never })
const setPacing = (pacing: object): Promise<Connection> =>
  desk.admin.call(connectionsApi.update, {
    params: { id: row.id },
    body: { ...form, name: `Linked ${lineCount}`, pacing } as never,
  })
const loadPacing = async () => (await desk.admin.call(connectionsApi.show, { params: { id: row.id } })).pacing

/** A conversation on this line with a contact who has not written. */
async function openColdConversation() {
  const { body } = await desk.admin.request<{ id: number }>('POST', '/contacts', {
    name: 'Cliente',
    number: nextPhoneNumber(),
  })
  const given = { contactId: body.id, whatsappId: row.id, userId: desk.admin.id, queueId: null, status: 'open' }
  const ticket = await desk.admin.call(ticketsApi.create, { body: given as never })
  const values = { companyId: row.companyId, whatsappId: row.id, ticketId: ticket.id, contactId: body.id }
  const write = (text: string, more: object) => {
    const message = {
      ...values,
      wid: `P${++lineCount}`,
      fromMe: true,
      body: text,
      createdAt: harness.clock.now(),
      ...more,
    }
    return desk.db
      .insertInto('messages')
      .values(message as never)
      .execute()
  }
  return {
    queue: async (...texts: string[]) => {
      for (const text of texts) await write(text, { state: 'queued', ack: 1 })
    },
    says: (text: string, more = {}) => write(text, { fromMe: false, state: 'received', ...more }),
  }
}
/** Collects unhandled rejections and stream errors, which would end the process. */
async function hurtBy(work: () => Promise<void>): Promise<unknown[]> {
  const hurt: unknown[] = []
  const note = (error: unknown) => hurt.push(error)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  await work()
  for (let n = 0; n < 5; n++) await new Promise((done) => setImmediate(done))
  process.off('uncaughtException', note).off('unhandledRejection', note)
  return hurt
}
const listUnsentMessages = () =>
  desk.db
    .selectFrom('messages')
    .select(['body', 'state', 'error', 'ack', 'mediaState'])
    .where('whatsappId', '=', row.id)
    .orderBy('id')
    .execute()

const listWaiting = () =>
  desk.db
    .selectFrom('messages')
    .select(['body', 'error', 'ack', 'state'])
    .where('whatsappId', '=', row.id)
    .where('state', 'in', ['queued', 'sending'])
    .orderBy('id')
    .execute()

describe('messages to contacts who have not written', () => {
  it('are sent one at a time; the others wait with the reason, and none is lost', async () => {
    await (await openColdConversation()).queue('uno', 'dos', 'tres')
    const wait = await send()
    expect(bodies()).toEqual(['uno'])
    expect(wait).toBeGreaterThan(minutes(1) / 20 / 2 - 500)
    expect(wait).toBeLessThanOrEqual((minutes(1) / 20) * 1.5)
    expect(await listWaiting()).toEqual(
      ['dos', 'tres'].map((body) => ({ body, error: 'paced', ack: 1, state: 'queued' })),
    )
    expect(await loadPacing()).toMatchObject({
      mode: 'auto',
      perMinute: 20,
      dailyCap: 10,
      sentToday: 1,
      waiting: 2,
      age: 0,
    })
    expect(Date.parse((await loadPacing())?.nextAt ?? '')).toBeGreaterThan(harness.clock.now().getTime())
    for (const sent of [2, 3]) {
      harness.clock.advance(minutes(1) / 10)
      await send()
      expect(sentMessages).toHaveLength(sent)
    }
    expect(bodies()).toEqual(['uno', 'dos', 'tres'])
    expect(await listWaiting()).toEqual([])
    // The daily limit counts people, not messages.
    expect(await loadPacing()).toMatchObject({ sentToday: 1, waiting: 0, nextAt: null })
  })

  it('never exceed the line’s limit per minute', async () => {
    await setPacing({ mode: 'own', perMinute: 3, dailyCap: null })
    await (await openColdConversation()).queue(...Array.from({ length: 9 }, (_, i) => `${i}`))
    const counts: number[] = []
    for (let second = 0; second < 120; second += 5) {
      await send()
      counts.push(sentMessages.length)
      harness.clock.advance(5000)
    }
    // The gate is checked every five seconds, so twelve checks are a minute.
    for (const [i, count] of counts.entries()) expect(count - (counts[i - 11] ?? 0)).toBeLessThanOrEqual(3)
    expect(sentMessages.length).toBeGreaterThanOrEqual(5)
    expect(sentMessages.length).toBeLessThanOrEqual(7)
  })

  it('are counted per day also across a restart, until a day has passed', async () => {
    await setPacing({ mode: 'own', perMinute: 600, dailyCap: 2 })
    for (const text of ['uno', 'dos', 'tres']) await (await openColdConversation()).queue(text)
    const later = async () => {
      harness.clock.advance(1000)
      return send()
    }
    await send()
    await later()
    await later()
    expect(bodies()).toEqual(['uno', 'dos'])
    expect(await listWaiting()).toMatchObject([{ body: 'tres', error: 'paced-day' }])
    expect(await loadPacing()).toMatchObject({ dailyCap: 2, sentToday: 2, waiting: 1 })
    failing = restarted()
    await later()
    expect(sentMessages).toHaveLength(2)
    await desk.withClockForward(days(1), async () => void (await send()))
    expect(bodies()).toEqual(['uno', 'dos', 'tres'])
  })

  it('become more with deliveries and answers, and fewer with refusals and opt-outs', async () => {
    const scope = new Scope(harness.server.deps, { companyId: row.companyId })
    const linkedSince = new Date(harness.clock.now().getTime() - days(30))
    await desk.db.updateTable('whatsapps').set({ linkedSince }).where('id', '=', row.id).execute()
    const people = await Promise.all(Array.from({ length: 12 }, () => openColdConversation()))
    for (const one of people) await one.queue('oferta')
    const sendAll = async () => {
      for (let n = 0; n < 14; n++) {
        await send()
        harness.clock.advance(15_000)
      }
    }
    await sendAll()
    expect(sentMessages).toHaveLength(10)
    expect(await loadPacing()).toMatchObject({ dailyCap: 10, sentToday: 10, waiting: 2, age: 30 })
    await desk.db
      .updateTable('messages')
      .set({ ack: 4 })
      .where('whatsappId', '=', row.id)
      .where('state', '=', 'sent')
      .execute()
    for (const one of people.slice(0, 3)) await one.says('¿cuánto cuesta?')
    // The answers of today count tomorrow: 10, a quarter for each of 10 deliveries, two for each of 3 answers.
    expect(await loadPacing()).toMatchObject({ dailyCap: 10 })
    // The session does not last until tomorrow, so the endpoint is not called.
    const loadPace = async () => presentPaceDays(scope, await findLine(scope, row.id))
    await desk.withClockForward(days(1), async () => {
      expect(await loadPace()).toMatchObject({ allowed: 18, sentToday: 0 })
      refuseWith = 'no-token'
      await sendAll()
      refuseWith = null
      expect(await listWaiting()).toEqual([])
      expect(await loadPace()).toMatchObject({ allowed: 3 })
      const keywords = buildCampaignKeywords({ ...defaultCampaignSettings, stopWords: ['basta'] }, 'es', true)
      const { contactId } = await desk.db
        .selectFrom('messages')
        .select('contactId')
        .where('whatsappId', '=', row.id)
        .limit(1)
        .executeTakeFirstOrThrow()
      await interpretCampaignReply(scope, keywords, { contactId, whatsappId: row.id, text: 'basta' })
      const pace = await loadPace()
      expect(pace).toMatchObject({
        ...{ mode: 'auto', allowed: 3, sentToday: 0, reasons: ['refused', 'stopped'] },
        counts: { written: 10, delivered: 10, read: 10, answered: 3, refused: 2, stopped: 1 },
      })
      expect(pace.days).toHaveLength(14)
      expect(pace.days.slice(-2)).toMatchObject([
        { written: 10, allowed: 10 },
        { written: 0, allowed: 3 },
      ])
    })
    // A week later nothing of it counts any more.
    await desk.withClockForward(days(9), async () => expect(await loadPace()).toMatchObject({ allowed: 10 }))
  })

  it('soon follow a new limit saved in the form', async () => {
    await setPacing({ mode: 'own', perMinute: 1, dailyCap: null })
    await (await openColdConversation()).queue('uno', 'dos', 'tres')
    await send()
    expect(sentMessages).toHaveLength(1)
    await setPacing({ mode: 'off' })
    harness.clock.advance(15_000)
    await send()
    expect(bodies()).toEqual(['uno', 'dos', 'tres'])
  })
})

describe('messages to contacts who have written', () => {
  it('are sent at once in any number, ahead of all waiting messages', async () => {
    const [cold, warm] = [await openColdConversation(), await openColdConversation()]
    await warm.says('¿hola?')
    await cold.queue('oferta 1', 'oferta 2')
    await warm.queue('hola', 'sí', 'dígame')
    await send()
    expect(bodies()).toEqual(['oferta 1', 'hola', 'sí', 'dígame'])
    await warm.queue('¿algo más?')
    await send()
    expect(bodies().at(-1)).toBe('¿algo más?')
    expect(await loadPacing()).toMatchObject({ sentToday: 1, waiting: 1 })
  })

  it('are sent in order when they waited and the contact answers', async () => {
    const someone = await openColdConversation()
    await someone.queue('uno', 'dos', 'tres')
    await send()
    expect(bodies()).toEqual(['uno'])
    await someone.says('¿quién es?')
    await send()
    expect(bodies()).toEqual(['uno', 'dos', 'tres'])
    expect(await listWaiting()).toEqual([])
  })
})

it('does not pace other lines, and shows pacing only to users who manage lines', async () => {
  const sandbox = await desk.admin.call(connectionsApi.show, { params: { id: desk.line.id } })
  expect(sandbox.pacing).toBeNull()
  const agent = await desk.createUser('user')
  expect((await agent.call(connectionsApi.show, { params: { id: row.id } })).pacing).toBeNull()
  row = { ...row, provider: 'sandbox' }
  await (await openColdConversation()).queue('uno', 'dos')
  await send()
  expect(bodies()).toEqual(['uno', 'dos'])
})

it('keeps form fields that are not sent', async () => {
  expect((await setPacing({ mode: 'own', perMinute: 7, dailyCap: '' })).pacing).toMatchObject({
    perMinute: 7,
    dailyCap: null,
  })
  expect((await setPacing({ mode: 'own', dailyCap: 300 })).pacing).toMatchObject({ perMinute: 7, dailyCap: 300 })
  const same = await desk.admin.call(connectionsApi.update, {
    params: { id: row.id },
    body: { ...form, name: `Linked ${lineCount}` } as never,
  })
  expect(same.pacing).toMatchObject({ mode: 'own', perMinute: 7, dailyCap: 300 })
})

it('does not let an old undeliverable file block new files or read receipts', async () => {
  const customer = await openColdConversation()
  const file = { mediaType: 'image', mediaState: 'pending', mediaName: 'a.png' }
  await customer.says('vieja', { ...file, mediaKey: '{"hangs":true}' })
  await customer.says('nueva', { ...file, mediaKey: '{}' })
  const rows = await desk.db.selectFrom('messages').selectAll().where('whatsappId', '=', row.id).orderBy('id').execute()
  const [old, fresh] = rows.map(({ id }) => String(id)) as [string, string]
  const scope = new Scope(harness.server.deps, { companyId: row.companyId })
  await addLineTask(scope, row.id, { kind: 'fetch', messageId: old, wanted: true })
  await addLineTask(scope, row.id, { kind: 'fetch', messageId: fresh })
  await addLineTask(scope, row.id, { kind: 'read', contactId: rows[0]?.contactId ?? 0, wids: ['W'] })
  const told: string[][] = []
  const slow = {
    ...line,
    markRead: async (_chat: string, wids: string[]) => void told.push(wids),
    fetchMedia: ({ hangs }: Record<string, unknown>) =>
      hangs ? new Promise<never>(() => {}) : Promise.resolve({ stream: Readable.from([tinyPng]), name: 'a.png' }),
  }
  const end = new AbortController()
  const over = runLineTasks(harness.server.deps, makeLog('silent'), row, slow, { ...running, signal: end.signal })
  const states = async () => (await listUnsentMessages()).map(({ body, mediaState }) => [body, mediaState])
  await expect.poll(() => told).toEqual([['W']])
  await expect.poll(states).toEqual([
    ['vieja', 'pending'],
    ['nueva', 'ready'],
  ])
  end.abort()
  await over
})

it('keeps and logs a line task that only another version supports, and blocks no other', async () => {
  const scope = new Scope(harness.server.deps, { companyId: row.companyId })
  await addLineTask(scope, row.id, { kind: 'dance', contactId: 1 } as never)
  await addLineTask(scope, row.id, { kind: 'fetch', messageId: '0' })
  const errors: object[] = []
  const log = { ...makeLog('silent'), error: (about: object) => void errors.push(about) } as unknown as Log
  await runLineTasks(harness.server.deps, log, row, line, { ...running, signal: new AbortController().signal })
  const sentMessages = await scope.db.selectFrom('lineErrands').selectAll().where('whatsappId', '=', row.id).execute()
  expect(sentMessages).toMatchObject([{ errand: { kind: 'dance' }, attempts: 1 }])
  expect(Date.parse(sentMessages[0]?.notBefore ?? '')).toBeGreaterThan(scope.now().getTime() + minutes(9))
  expect(errors).toMatchObject([{ kind: 'dance' }])
})

describe('deleting a line', () => {
  const remove = () => desk.admin.call(connectionsApi.remove, { params: { id: row.id } })
  const gone = { state: 'failed', error: 'line-gone', ack: 0 }
  // Each test's line is removed after the test; this test has already deleted its line.
  afterEach(async () => {
    row = { ...row, id: (await connect()).id }
  })

  it('keeps sent messages as sent, gives waiting ones a reason, and throws nothing, while the line sends and paces', async () => {
    const sending = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const hanging = {
      ...line,
      send: () => {
        begun.resolve()
        return sending.promise
      },
    }
    const hurt = await hurtBy(async () => {
      const customer = await openColdConversation()
      await customer.queue('uno', 'dos', 'tres')
      const outbox = makeOutbox(harness.server.deps, makeLog('silent'))
      outbox.begin(row, hanging)
      await begun.promise
      await remove()
      const ended = outbox.end(row.id)
      await vi.waitFor(async () => expect(await listUnsentMessages()).toMatchObject([gone, gone, gone]))
      sending.resolve()
      await ended
      await outbox.close()
    })
    expect(hurt).toEqual([])
    expect(await listUnsentMessages()).toMatchObject([
      { body: 'uno', state: 'sent', error: null, ack: 2 },
      { body: 'dos', ...gone },
      { body: 'tres', ...gone },
    ])
    const { rows } = await sql<{
      id: string
    }>`select id from messages where "whatsappId" = ${row.id} and body = 'dos'`.execute(desk.db)
    const again = await desk.admin.request('POST', `/messages/${rows[0]?.id}/retry`)
    expect(again.body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
  })

  it('gives a reason to a send that hangs and is aborted with the line', async () => {
    const begun = Promise.withResolvers<void>()
    const cut = Promise.withResolvers<void>()
    const hanging = {
      ...line,
      send: () => {
        begun.resolve()
        return cut.promise
      },
    }
    const hurt = await hurtBy(async () => {
      await (await openColdConversation()).queue('uno')
      const outbox = makeOutbox(harness.server.deps, makeLog('silent'))
      outbox.begin(row, hanging)
      await begun.promise
      const ended = outbox.end(row.id)
      await remove()
      cut.reject(new DOMException('cut', 'AbortError'))
      await ended
      await outbox.close()
    })
    expect(hurt).toEqual([])
    await vi.waitFor(async () => expect(await listUnsentMessages()).toMatchObject([{ body: 'uno', ...gone }]))
  })

  it('ignores a download in progress, however late it arrives and even if it fails', async () => {
    const end = new AbortController()
    const late = new PassThrough()
    const file = Promise.withResolvers<{ stream: PassThrough; name: string }>()
    const customer = await openColdConversation()
    await customer.says('mira', { mediaType: 'image', mediaKey: '{}', mediaState: 'pending', mediaName: 'a.png' })
    const [message] = await desk.db.selectFrom('messages').select('id').where('whatsappId', '=', row.id).execute()
    const scope = new Scope(harness.server.deps, { companyId: row.companyId })
    const begun = Promise.withResolvers<void>()
    const fetching = {
      ...line,
      fetchMedia: () => {
        begun.resolve()
        return file.promise
      },
    }
    const hurt = await hurtBy(async () => {
      const asked = downloadMessageMedia(scope, fetching, message?.id ?? 0, end.signal)
      const failed = expect(asked).rejects.toMatchObject({ name: 'AbortError' })
      await begun.promise
      end.abort()
      await failed
      // The same holds when the line is deleted before the download was requested.
      await expect(downloadMessageMedia(scope, fetching, message?.id ?? 0, end.signal)).rejects.toMatchObject({
        name: 'AbortError',
      })
      file.resolve({ stream: late, name: 'a.png' })
      await vi.waitFor(() => expect(late.destroyed).toBe(true))
      late.emit('error', new Error('the store hung up'))
      await remove()
    })
    expect(hurt).toEqual([])
    await vi.waitFor(async () =>
      expect(await listUnsentMessages()).toMatchObject([
        { body: 'mira', state: 'received', mediaState: 'failed', error: 'line-gone' },
      ]),
    )
  })
})
