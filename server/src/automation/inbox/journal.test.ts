import type { NotNull } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../test/test-server.ts'
import { makeLog } from '../../kernel/log.ts'
import type { InboundEvent } from '../../lines/line.ts'
import { makeInbox } from './inbox.ts'
import { LostLeaseError } from './journal.ts'

const quickTimings = { pace: { lookMs: 50, retryMs: 20 }, sandbox: { reconnectMs: 20, lookMs: 100 } }
let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer({}, undefined, quickTimings)
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

/** Journals events as a process would that died before handling them. */
const journal = (desk: Desk, events: object[]) =>
  desk.db
    .insertInto('journal')
    .values(
      (events as InboundEvent[]).map((event) => ({
        companyId: desk.company.id,
        whatsappId: desk.line.id,
        eventId: `${event.kind}:${event.id}`,
        chat: event.chat,
        kind: event.kind,
        event: JSON.stringify(event),
        receivedAt: new Date(),
      })) as never,
    )
    .execute()
const entry = (id: string) =>
  desk.db.selectFrom('journal').selectAll().where('eventId', 'like', `%:${id}`).executeTakeFirstOrThrow()
const bodies = async (ticketId: number) =>
  (await desk.db.selectFrom('messages').select('body').where('ticketId', '=', ticketId).orderBy('id').execute()).map(
    (m) => m.body,
  )

describe('journaled events', () => {
  it('are finished in order by the next process before any new event', async () => {
    const number = nextPhoneNumber()
    await journal(
      desk,
      ['uno', 'dos', 'tres'].map((body) => makeTextEvent(number, body)),
    )
    const fresh = makeTextEvent(number, 'cuatro')
    const next = makeInbox(harness.server.deps, makeLog('silent'))
    await next.receive(await desk.loadLineRow(), [fresh])
    await next.idle()
    const { ticketId } = await desk.waitForMessage(fresh.id)
    expect(await bodies(ticketId)).toEqual(['uno', 'dos', 'tres', 'cuatro'])
    expect(await desk.showTicket(ticketId)).toMatchObject({ unreadMessages: 4 })
    await next.close()
  })

  it('are resumed after a database outage in the middle of a batch', async () => {
    const left = makeTextEvent(nextPhoneNumber(), 'quedó')
    await journal(desk, [left])
    const { deps } = harness.server
    // Uses a separate database connection that is cut once, while the server keeps its own.
    let cut = true
    const named: typeof deps.database.queryPrepared = (...asked) => {
      if (!cut) return deps.database.queryPrepared(...asked)
      cut = false
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    }
    const next = makeInbox({ ...deps, database: { ...deps.database, queryPrepared: named } }, makeLog('silent'))
    await expect(next.begin(await desk.loadLineRow())).rejects.toThrow('terminated')
    await next.begin(await desk.loadLineRow())
    await desk.waitForMessage(left.id)
    await next.close()
  })

  it('are never written after an event that failed: later events fail too, and are delivered again in order', async () => {
    const number = nextPhoneNumber()
    const [one, two, three] = ['uno', 'dos', 'tres'].map((body) => makeTextEvent(number, body)) as [
      InboundEvent,
      InboundEvent,
      InboundEvent,
    ]
    const { deps } = harness.server
    let cut = true
    const named: typeof deps.database.queryPrepared = (companyId, name, ...asked) => {
      if (!cut || name !== 'journal_write') return deps.database.queryPrepared(companyId, name, ...asked)
      cut = false
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    }
    const next = makeInbox({ ...deps, database: { ...deps.database, queryPrepared: named } }, makeLog('silent'))
    const row = await desk.loadLineRow()
    await next.begin(row)
    const told = await Promise.allSettled([one, two, three].map((event) => next.receive(row, [event])))
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await vi.waitFor(() => next.receive(row, [one, two, three]))
    await next.idle()
    const { ticketId } = await desk.waitForMessage(three.id)
    expect(await bodies(ticketId)).toEqual(['uno', 'dos', 'tres'])
    await next.close()
  })

  it('are recovered when their writer died after the next process had read the journal', async () => {
    const late = makeTextEvent(nextPhoneNumber(), 'la última palabra')
    await journal(desk, [late])
    await harness.server.switchboard.inbox.poll()
    expect(await desk.waitForMessage(late.id)).toMatchObject({ body: 'la última palabra' })
  })

  it('are not written by a process that lost the line', async () => {
    const late = makeTextEvent(nextPhoneNumber(), 'demasiado tarde')
    const row = await desk.loadLineRow()
    const stale = { ...row, fence: row.fence - 1 }
    await expect(makeInbox(harness.server.deps, makeLog('silent')).receive(stale, [late])).rejects.toThrow(
      LostLeaseError,
    )
    await expect(harness.server.switchboard.inbox.receive(stale, [late])).rejects.toThrow(LostLeaseError)
    expect(
      await desk.db.selectFrom('journal').select('id').where('eventId', '=', `message:${late.id}`).execute(),
    ).toEqual([])
    // The process that holds the line continues.
    const next = makeTextEvent(nextPhoneNumber(), 'sigue')
    await desk.receive(next)
    await desk.waitForMessage(next.id)
  })
})

describe('an event that always fails', () => {
  it('is dead-lettered with its reason and blocks no other event', async () => {
    const number = nextPhoneNumber()
    const nobody = makeTextEvent(number, 'de nadie', { person: {} })
    const before = makeTextEvent(number, 'antes')
    const after = makeTextEvent(number, 'después')
    const other = makeTextEvent(nextPhoneNumber(), 'otro chat')
    await desk.receive(before, nobody, after, other)
    const { ticketId } = await desk.waitForMessage(after.id)
    expect(await bodies(ticketId)).toEqual(['antes', 'después'])
    await desk.waitForMessage(other.id)
    expect(await entry(nobody.id)).toMatchObject({
      error: 'The event names nobody',
      ticketId: null,
      attempts: 1,
      steps: [{ step: 'journalled' }, { step: 'set-aside', with: { error: 'The event names nobody' } }],
    })
  })

  it.each([
    ['of a kind from the future', { kind: 'hologram', id: 'X1', chat: 'x', at: '2026-01-01T00:00:00Z' }],
    ['without its content', { ...makeTextEvent('5511912345678', ''), id: 'X2', content: null }],
    ['without a possible time', { ...makeTextEvent('5511912345678', 'hoy'), id: 'X3', at: 'mañana' }],
  ])('is dead-lettered if it is %s', async (_, broken) => {
    const next = makeTextEvent('5511912345678', 'sigue')
    await desk.receive(broken as never, next)
    await desk.waitForMessage(next.id)
    const aside = await entry(broken.id)
    expect(aside.processedAt).not.toBeNull()
    expect(aside.error).toBeTruthy()
  })

  it('is not dead-lettered after a transient error', async () => {
    const number = nextPhoneNumber()
    await desk.receive(makeTextEvent(number, 'hola'))
    const waits = makeTextEvent(number, 'en medio del corte', {
      content: { kind: 'unknown', what: 'en medio del corte' },
    })
    // The database keeps cancelling this statement, as a server does that is shutting down.
    const owner = openOwnerPool(harness)
    await owner.query(`
      create sequence outages;
      grant usage on sequence outages to recado_app;
      create function outage() returns trigger language plpgsql as $$ begin
        if new."mediaType" = 'unknown' then perform nextval('outages'); raise exception 'shutting down' using errcode = '57P01'; end if;
        return new;
      end $$;
      create trigger outage before insert on messages for each row execute function outage()`)
    const heard = desk.receive(waits)
    const tries = async () => Number((await owner.query('select last_value from outages')).rows[0].last_value)
    await vi.waitFor(async () => expect(await tries()).toBeGreaterThan(4), { timeout: 10_000 })
    expect(await entry(waits.id)).toMatchObject({ processedAt: null, error: null })
    await owner.query('drop trigger outage on messages; drop function outage()')
    await heard
    expect(await entry(waits.id)).toMatchObject({ error: null, attempts: 0 })
    await desk.waitForMessage(waits.id)
    await owner.end()
  })
})

describe('the fast path', () => {
  it('needs two statements for a whole batch of messages to active tickets', async () => {
    const numbers = Array.from({ length: 5 }, nextPhoneNumber)
    await desk.receive(...numbers.map((n) => makeTextEvent(n, 'hola')))
    const lineTasks = () =>
      desk.db.selectFrom('lineErrands').select('id').where('companyId', '=', desk.company.id).execute()
    await vi.waitFor(async () => expect(await lineTasks()).toEqual([]))
    const statements = vi.spyOn(pg.Client.prototype, 'query')
    const batch = Array.from({ length: 60 }, (_, i) => makeTextEvent(numbers[i % 5] as string, `palabra ${i}`))
    await desk.receive(...batch)
    const ours = statements.mock.calls.map(([given]) => given as unknown as string | { name?: string; text: string })
    statements.mockRestore()
    const texts = ours.map((s) => (typeof s === 'string' ? s : (s.name ?? s.text)))
    // Ignore the sandbox phone's own tables, and polling that runs by the clock and not per batch.
    const used = texts.filter(
      (t) => /journal|inbox|messages|tickets|contact/i.test(t) && !/sandbox|waiting|pending_list/i.test(t),
    )
    expect(used).toEqual(['inbox_preload', 'journal_write'])
    const last = await desk.waitForMessage((batch.at(-1) as { id: string }).id)
    expect(await desk.showTicket(last.ticketId)).toMatchObject({ unreadMessages: 13, lastMessage: 'palabra 59' })
  })

  it('publishes the current owner of the ticket, also when the owner changed between lookup and write', async () => {
    const { customer, id } = await desk.newTicket()
    const [mine, theirs] = [await desk.createUser('user'), await desk.createUser('user')]
    await desk.putTicket(desk.admin, id, { status: 'open', userId: mine.id })
    const [socketClient, other] = [await mine.listen(), await theirs.listen()]
    const { database } = harness.server.deps
    const { queryPrepared: named } = database
    // The ticket is transferred between the lookup and the write.
    database.queryPrepared = async (companyId, name, text, values) => {
      const rows = await named(companyId, name, text, values)
      if (name === 'inbox_preload') {
        database.queryPrepared = named
        await desk.putTicket(desk.admin, id, { userId: theirs.id })
      }
      return rows as never
    }
    await desk.receive(makeTextEvent(customer.number, '¿sigue ahí?'))
    const heard = await other.waitFor(`company-${desk.company.id}-appMessage`, { action: 'create' })
    expect(heard).toMatchObject({ ticket: { userId: theirs.id, status: 'open' }, message: { body: '¿sigue ahí?' } })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((n) => n.name.endsWith('appMessage'))).toEqual([])
    socketClient.close()
    other.close()
  })
})

describe('two processes on one database', () => {
  it('handle every event once, whichever process holds the line', async () => {
    const twin = await startSecondProcess(harness, quickTimings)
    const number = nextPhoneNumber()
    const words = Array.from({ length: 20 }, (_, i) => `doble ${i}`)
    const customer = desk.line.customer(number, 'Doble')
    for (const text of words.slice(0, 10)) await customer.says(text)
    // The first server releases its lines in the middle of the messages.
    const moving = harness.server.switchboard.supervisor.close()
    for (const text of words.slice(10)) await customer.says(text)
    await moving
    await vi.waitFor(async () => expect(twin.lines.connectedLine(desk.line.id)).toBeDefined(), { timeout: 10_000 })
    const last = desk.db.selectFrom('messages').select('ticketId').where('body', '=', 'doble 19')
    const { ticketId } = await vi.waitFor(() => last.$narrowType<{ ticketId: NotNull }>().executeTakeFirstOrThrow(), {
      timeout: 10_000,
    })
    expect(await bodies(ticketId)).toEqual(words)
    expect(await desk.showTicket(ticketId)).toMatchObject({ unreadMessages: 20 })
  })
})
