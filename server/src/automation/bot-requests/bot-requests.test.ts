import { fork } from 'node:child_process'
import { connectionsApi } from '@recado/contract/connections'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { slowBackendName, slowBot } from '../../../test/slow-bot.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../test/test-server.ts'
import { makeLog } from '../../kernel/log.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import { defaultBots } from '../bots/turn.ts'
import { type BotBackend, type BotRequest, PermanentBotError } from './backend.ts'
import { makeBotRequestRunner } from './runner.ts'

/** The backend of the slow bot: each request waits until the test answers it. */
type Call = {
  question: BotRequest<unknown>
  says: (text: string) => void
  does: (act: ImmediateAction | null) => void
  fails: (error: Error) => void
}
function makeSlow(more: Partial<BotBackend> = {}) {
  const calls: Call[] = []
  const slow: BotBackend = {
    name: slowBackendName,
    answer(question) {
      const { promise, resolve: does, reject: fails } = Promise.withResolvers<ImmediateAction | null>()
      calls.push({ question, does, fails, says: (text) => does({ bot: 'slow', why: 'it-knew', messages: [text] }) })
      return promise
    },
    ...more,
  }
  const nth = (n: number) => vi.waitFor(() => calls[n - 1] ?? Promise.reject(new Error(`${calls.length} asked`)), 5000)
  return { calls, slow, nth }
}

let harness: TestServer
let desk: Desk
let slowBackend: ReturnType<typeof makeSlow>
beforeAll(async () => {
  slowBackend = makeSlow({ maxAttempts: 2 })
  const crew = { bots: [slowBot, ...defaultBots], backends: [slowBackend.slow] }
  harness = await testServer({}, undefined, { automations: crew, botRequestLimits: { retryDelayMs: () => 1 } })
})
afterAll(closeTestServers)
beforeEach(async () => {
  desk = await openDesk(harness)
  slowBackend.calls.splice(0)
})

const waitForRunner = () => harness.server.switchboard.botRequestRunner.idle()
const listBotRequests = () => desk.db.selectFrom('asks').selectAll().where('companyId', '=', desk.company.id).execute()
const listBotTexts = async (id: number) =>
  (
    await desk.db
      .selectFrom('messages')
      .select('body')
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .orderBy('id')
      .execute()
  ).map((m) => m.body)
const listBotEvents = async (id: number) =>
  (await desk.listEvents(id)).flatMap((e) => (e.kind === 'bot' ? e.steps.map((s) => [s.step, s.why]) : [])).reverse()

describe('a bot with a backend', () => {
  it('calls the backend after the commit, and sends the answer once', async () => {
    const { id, customer } = await desk.newTicket('? ¿cuándo abren?')
    const { question, says } = await slowBackend.nth(1)
    expect(question).toMatchObject({ input: { text: '? ¿cuándo abren?' }, ticket: { id, status: 'pending' } })
    // No lock is held meanwhile, because the request runs outside of any transaction.
    await sql`select from tickets where id = ${id} for update nowait`.execute(desk.db)
    says('A las nueve')
    await waitForRunner()
    expect(await listBotTexts(id)).toEqual(['A las nueve'])
    expect(await listBotRequests()).toEqual([])
    expect((await listBotEvents(id)).at(-1)).toEqual(['slow', 'it-knew'])
    await vi.waitFor(async () => expect((await customer.listMessages()).map((m) => m.body)).toContain('A las nueve'))
  })

  it.each([
    ['accepted it', 'person-has-it', (id: number) => desk.accept(desk.admin, id)],
    ['closed it', 'closed', (id: number) => desk.putTicket(desk.admin, id, { status: 'closed', justClose: true })],
    [
      'transferred it',
      'transferred',
      async (id: number) => desk.putTicket(desk.admin, id, { queueId: (await desk.createQueue()).id }),
    ],
    [
      'answered from the phone',
      'bots-left',
      async (id: number) => {
        const { contact } = await desk.showTicket(id)
        await desk.receive(makeTextEvent(contact.number, 'ya voy', { fromMe: true }))
      },
    ],
  ])('drops the answer when somebody %s, and records it in the ticket events', async (_, why, act) => {
    const { id } = await desk.newTicket('?')
    const { says } = await slowBackend.nth(1)
    await act(id)
    says('demasiado tarde')
    await waitForRunner()
    expect(await listBotTexts(id)).not.toContain('demasiado tarde')
    expect(await listBotEvents(id)).toContainEqual(['asked', why])
    expect(await listBotRequests()).toEqual([])
  })

  it('sends another request when the customer wrote again, after the first answer arrived', async () => {
    const { id, customer } = await desk.newTicket('? uno')
    const first = await slowBackend.nth(1)
    await desk.waitForMessage(await customer.says('? dos'))
    await desk.waitForMessage(await customer.says('? tres'))
    await harness.server.switchboard.botRequestRunner.poll()
    expect(slowBackend.calls).toHaveLength(1)
    first.says('a la primera')
    const second = await slowBackend.nth(2)
    expect(second.question.input).toEqual({ text: '? tres' })
    second.says('a la última')
    await waitForRunner()
    expect(await listBotTexts(id)).toEqual(['a la última'])
    expect(await listBotEvents(id)).toEqual([
      ['asked', 'wrote-again'],
      ['asked', 'wrote-again'],
      ['slow', 'it-knew'],
    ])
  })

  it('sends another request when the customer sent a message that no bot can read', async () => {
    const number = nextPhoneNumber()
    await desk.receive(makeTextEvent(number, '? hola'))
    const first = await slowBackend.nth(1)
    const id = first.question.ticket.id
    const { content: _, kind: __, ...rest } = makeTextEvent(number, '')
    await desk.receive({ ...rest, kind: 'pending' })
    first.says('sin saberlo')
    const again = await slowBackend.nth(2)
    expect(again.question).toMatchObject({ id: first.question.id, input: { text: '? hola' } })
    again.says('sabiéndolo')
    await waitForRunner()
    expect(await listBotTexts(id)).toEqual(['sabiéndolo'])
    expect(await listBotEvents(id)).toEqual([
      ['asked', 'asked-anew'],
      ['slow', 'it-knew'],
    ])
  })

  it('does not delay other tickets', async () => {
    const one = await desk.newTicket('? uno')
    const other = await desk.newTicket('? otro')
    await slowBackend.nth(2)
    slowBackend.calls.find((c) => c.question.ticket.id === other.id)?.says('para el otro')
    await vi.waitFor(async () => expect(await listBotTexts(other.id)).toEqual(['para el otro']))
    slowBackend.calls.find((c) => c.question.ticket.id === one.id)?.does(null)
    await waitForRunner()
    expect(await listBotTexts(one.id)).toEqual([])
    expect(await listBotEvents(one.id)).toEqual([['asked', 'nothing-to-say']])
  })

  it('leaves the ticket to agents when the backend does not answer, visible and with the reason', async () => {
    const queues = [await desk.createQueue('Ventas'), await desk.createQueue('Soporte')]
    const row = await desk.line.showLine()
    const body = { ...row, queueIds: queues.map((q) => q.id), greetingMessage: 'Hola' }
    await desk.admin.call(connectionsApi.update, { params: { id: desk.line.id }, body: body as never })
    const { id } = await desk.newTicket('?')
    ;(await slowBackend.nth(1)).fails(new Error('503'))
    ;(await slowBackend.nth(2)).fails(new Error('503 otra vez'))
    await vi.waitFor(async () => expect(await listBotRequests()).toEqual([]))
    expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', queueId: queues[0]?.id, chatbot: false })
    const [last] = await desk.listEvents(id)
    expect(last?.steps).toEqual([
      { step: 'asked', why: 'nobody-answered', with: { asker: slowBackendName, error: '503 otra vez' } },
    ])
    // From here on agents have the ticket, and the bot sends no more requests.
    await desk.receive(makeTextEvent((await desk.showTicket(id)).contact.number, '? ¿hola?'))
    await waitForRunner()
    expect(slowBackend.calls).toHaveLength(2)
  })

  it('does not retry after a permanent error', async () => {
    const { id } = await desk.newTicket('?')
    ;(await slowBackend.nth(1)).fails(new PermanentBotError('the key is wrong'))
    await vi.waitFor(async () => expect(await listBotEvents(id)).toEqual([['asked', 'nobody-answered']]))
    expect(slowBackend.calls).toHaveLength(1)
  })
})

describe('two processes', () => {
  it('run a bot request once, and one process takes over when the other stops renewing the lease', async () => {
    const theirs = makeSlow()
    const twin = await startSecondProcess(harness, {
      automations: { backends: [theirs.slow] },
      botRequestLimits: { pollMs: 60_000 },
    })
    const { id } = await desk.newTicket('?')
    const asked = await vi.waitFor(
      () => slowBackend.calls[0] ?? theirs.calls[0] ?? Promise.reject(new Error('nobody')),
      5000,
    )
    await Promise.all([harness.server.switchboard.botRequestRunner.poll(), twin.switchboard.botRequestRunner.poll()])
    expect(slowBackend.calls.length + theirs.calls.length).toBe(1)
    // Simulates a dead process: its lease is not renewed, and the other process takes the request.
    harness.clock.advance(31_000)
    await Promise.all([harness.server.switchboard.botRequestRunner.poll(), twin.switchboard.botRequestRunner.poll()])
    const both = () => [...slowBackend.calls, ...theirs.calls]
    await vi.waitFor(() => expect(both()).toHaveLength(2))
    const next = both().find((c) => c !== asked)
    expect(next?.question.id).toBe(asked.question.id)
    // The first process was only slow: its answer is dropped.
    asked.says('del primero')
    next?.says('del segundo')
    await Promise.all([waitForRunner(), twin.switchboard.botRequestRunner.idle()])
    expect(await listBotTexts(id)).toEqual(['del segundo'])
    harness.clock.advance(-31_000)
  })
})

/** A separate process that runs bot requests and is killed. It reports each request, and answers on command. */
async function startChildServer(of: TestServer) {
  const env = { ...process.env, VICTIM_DATABASE: of.databaseUrl, VICTIM_DATA: of.dataDir }
  const child = fork(new URL('../../../test/bot-request-child-server.ts', import.meta.url), {
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const word = (wanted: string) =>
    new Promise<void>((resolve) => child.on('message', (message) => void (message === wanted && resolve())))
  const asked = word('asked')
  onTestFinished(() => void child.kill('SIGKILL'))
  await word('alive')
  const dies = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  return { asked, answers: () => void child.send('answer'), dies }
}

describe('a process that is killed', () => {
  let alone: TestServer
  beforeAll(async () => {
    // This server receives messages but runs no bot requests: only the child server and its successor do.
    alone = await testServer({}, undefined, {
      automations: { bots: [slowBot, ...defaultBots] },
      botRequestLimits: { maxParallel: 0 },
    })
    desk = await openDesk(alone)
  })
  beforeEach(async () => {
    desk = await openDesk(alone)
  })

  const waitsForLock = () =>
    vi.waitFor(async () => {
      const waiting = `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      const { rows } = await alone.adminPool.query(waiting, [new URL(alone.databaseUrl).pathname.slice(1)])
      expect(rows).toHaveLength(1)
    }, 10_000)

  it.each([
    ['while it waits for the answer', false],
    ['between the answer and what follows from it', true],
  ])('%s leaves the bot request to another process, which performs the answer once', async (_, answers) => {
    const life = await startChildServer(alone)
    const { id } = await desk.newTicket('?')
    await life.asked
    await desk.db.transaction().execute(async (trx) => {
      // The child server needs the ticket to perform the answer: holding the ticket's lock stops it at that point.
      await trx.selectFrom('tickets').select('id').where('id', '=', id).forUpdate().execute()
      if (answers) {
        life.answers()
        await waitsForLock()
      }
      await life.dies()
    })
    expect(await listBotRequests()).toHaveLength(1)
    const next = makeSlow()
    const other = makeBotRequestRunner(alone.server.deps, makeLog('silent'), [next.slow], { pollMs: 60_000 })
    await other.poll()
    expect(next.calls).toEqual([])
    alone.clock.advance(31_000)
    await other.poll()
    ;(await next.nth(1)).says('al fin')
    await other.idle()
    await other.close()
    alone.clock.advance(-31_000)
    expect(await listBotTexts(id)).toEqual(['al fin'])
    expect(await listBotRequests()).toEqual([])
  })
})
