import { weekdays } from '@recado/contract/hours/hours'
import { queueOptionsApi } from '@recado/contract/queue-options'
import type { SettingKey } from '@recado/contract/settings'
import { TicketWrite } from '@recado/contract/tickets'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { writeSetting } from '../../accounts/settings.ts'
import { storeOutgoing } from '../../desk/messages/store.ts'
import { applyTicketUpdate, lockTicketForUpdate } from '../../desk/tickets/update.ts'
import type { Actor } from '../../kernel/actor.ts'
import { minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'

/**
 * Invariants under any sequence of customer, agent, clock and settings events: never more than one active ticket, never
 * a bot message after an agent took over, never a lost customer message, never the same automatic text twice in a row.
 * The agents act by the desk's own functions instead of the API, because the test clock outlives every session.
 */
let harness: TestServer
let desk: Desk
let agents: TestUser[]
let queues: { id: number }[]
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness, {
    complationMessage: 'Adiós.',
    expiresInactiveMessage: 'Cerramos.',
    expiresTicket: 20,
  })
  queues = [await desk.createQueue('Ventas'), await desk.createQueue('Soporte')]
  const root = await desk.admin.call(queueOptionsApi.create, {
    body: { queueId: queues[1]?.id, title: 'Garantía', message: '¿Cuál?' } as never,
  })
  for (const [title, leads] of [
    ['Cambiar', 'person'],
    ['Estado', 'end'],
  ])
    await desk.admin.call(queueOptionsApi.create, {
      body: { queueId: queues[1]?.id, parentId: root.id, title, leads, message: `Sobre ${title}` } as never,
    })
  const line = await desk.line.showLine()
  await desk.admin.request('PUT', `/whatsapp/${desk.line.id}`, {
    ...line,
    queueIds: queues.map((q) => q.id),
    greetingMessage: 'Hola',
    outOfHoursMessage: 'Cerrado.',
    timeToTransfer: 45,
    transferQueueId: queues[0]?.id,
  })
  agents = [await desk.createUser('admin'), await desk.createUser('admin')]
  await desk.setSetting('sendGreetingAccepted', 'enabled')
  await desk.setSetting('sendMsgTransfTicket', 'enabled')
})
afterAll(closeTestServers)

type ModelAction =
  | { kind: 'says'; text: string }
  | { kind: 'calls' }
  | {
      kind: 'agent'
      who: 0 | 1
      does: 'accept' | 'close' | 'close quietly' | 'return' | 'write' | 'pass on' | 'reopen'
    }
  | { kind: 'waits'; minutes: number }
  | { kind: 'sets'; key: SettingKey; value: string }
  | { kind: 'hours'; open: boolean }
  | { kind: 'bots'; off: boolean }

/** Handovers are twice as likely as other actions, because there a bot may write after an agent took over. */
const actions = [
  ...(['accept', 'accept', 'return', 'return', 'close', 'close'] as const),
  ...(['close quietly', 'write', 'pass on', 'reopen'] as const),
]
const customerText = fc.record({
  kind: fc.constant('says' as const),
  text: fc.constantFrom('hola', '1', '2', '3', '0', '#', '7', 'no sé', 'ok gracias'),
})
const act: fc.Arbitrary<ModelAction> = fc.oneof(
  { weight: 8, arbitrary: customerText },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('agent' as const),
      who: fc.constantFrom(0 as const, 1 as const),
      does: fc.constantFrom(...actions),
    }),
  },
  fc.record({ kind: fc.constant('waits' as const), minutes: fc.constantFrom(1, 21, 46, 26 * 60) }),
  fc.oneof(
    fc.constant<ModelAction>({ kind: 'sets', key: 'userRating', value: 'enabled' }),
    fc.constant<ModelAction>({ kind: 'sets', key: 'userRating', value: 'disabled' }),
    fc.constant<ModelAction>({ kind: 'sets', key: 'scheduleType', value: 'company' }),
    fc.constant<ModelAction>({ kind: 'sets', key: 'scheduleType', value: 'disabled' }),
    fc.constant<ModelAction>({ kind: 'sets', key: 'autoReopenTimeout', value: '30' }),
    fc.constant<ModelAction>({ kind: 'hours', open: true }),
    fc.constant<ModelAction>({ kind: 'hours', open: false }),
    fc.constant<ModelAction>({ kind: 'bots', off: true }),
    fc.constant<ModelAction>({ kind: 'bots', off: false }),
    fc.constant<ModelAction>({ kind: 'calls' }),
  ),
)

/** `touched`: tickets that had an agent since they were opened. */
type ModelState = { number: string; said: string[]; away: number; touched: Set<number> }

const scopeOf = (person?: TestUser) =>
  new Scope(harness.server.deps, {
    companyId: desk.company.id,
    ...(person && { person: { ...person, name: 'Agente', super: false, language: null } as unknown as Actor }),
  })
const ticketsOf = (number: string) =>
  desk.db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', 'c.id', 't.contactId')
    .selectAll('t')
    .where('c.companyId', '=', desk.company.id)
    .where('c.number', '=', number)
    .orderBy('t.id')
    .execute()
const messagesOf = (ids: number[]) =>
  ids.length
    ? desk.db.selectFrom('messages').selectAll().where('ticketId', 'in', ids).orderBy('id').execute()
    : Promise.resolve([])

const requests: Record<string, object> = {
  accept: { status: 'open' },
  reopen: { status: 'open' },
  close: { status: 'closed' },
  'close quietly': { status: 'closed', justClose: true },
  return: { status: 'pending', userId: null },
}

async function agentActs(world: ModelState, { who, does }: Extract<ModelAction, { kind: 'agent' }>): Promise<void> {
  const person = agents[who] as TestUser
  const ticket = (await ticketsOf(world.number)).at(-1)
  if (!ticket) return
  await scopeOf(person).transaction(async (scope) => {
    const body = TicketWrite.parse(
      does === 'pass on'
        ? { queueId: queues[who]?.id, status: 'pending', userId: null }
        : { ...requests[does], ...(does === 'accept' && { userId: person.id }) },
    )
    const held = await lockTicketForUpdate(scope, ticket.id, body)
    if (does !== 'write') await applyTicketUpdate(scope, held, body)
    // Agents write only in their own tickets.
    else if (held.userId === person.id && held.status === 'open')
      await storeOutgoing(scope, held, [{ body: 'soy una persona' }])
  })
}

async function perform(world: ModelState, one: ModelAction): Promise<void> {
  const at = harness.clock.now().toISOString()
  if (one.kind === 'says') {
    const event = makeTextEvent(world.number, one.text, { at })
    world.said.push(event.id)
    await desk.receive(event)
  } else if (one.kind === 'calls') {
    const { kind: _, content: __, fromMe: ___, ...base } = makeTextEvent(world.number, '', { at })
    await desk.receive({ ...base, kind: 'call', missed: true, video: false })
  } else if (one.kind === 'agent') {
    // Refusals are expected: the ticket may be closed, assigned to somebody else or deleted.
    await agentActs(world, one).catch((err) => {
      if (!(err instanceof AppError)) throw err
    })
  } else if (one.kind === 'waits') {
    world.away += minutes(one.minutes)
    harness.clock.advance(minutes(one.minutes))
    await harness.server.switchboard.timers.poll()
  } else if (one.kind === 'sets')
    await scopeOf().transaction((scope) => writeSetting(scope, one.key, one.value).then(() => undefined))
  else if (one.kind === 'bots')
    await desk.db
      .updateTable('contacts')
      .set({ disableBot: one.off })
      .where('companyId', '=', desk.company.id)
      .where('number', '=', world.number)
      .execute()
  else
    await desk.db
      .updateTable('companies')
      .set({ schedules: JSON.stringify(week(one.open ? '23:59' : '00:00')) })
      .where('id', '=', desk.company.id)
      .execute()
}
const week = (endTime: string) =>
  weekdays.map((weekdayEn) => ({ weekday: weekdayEn, weekdayEn, startTime: '00:00', endTime }))

const bots = ['menu', 'hours', 'welcome']

async function check(
  world: ModelState,
  before: Awaited<ReturnType<typeof ticketsOf>>,
  seen: number,
  one: ModelAction,
): Promise<number> {
  const now = await ticketsOf(world.number)
  expect(now.filter((t) => t.status !== 'closed').length).toBeLessThanOrEqual(1)
  const all = await messagesOf(now.map((t) => t.id))
  expect(all.filter((m) => !m.fromMe && m.mediaType === 'conversation').map((m) => m.wid)).toEqual(world.said)
  const fresh = all.filter((m) => m.id > seen)
  for (const message of fresh.filter((m) => m.fromMe && m.bot !== null)) {
    const was = before.find((t) => t.id === message.ticketId)
    if (bots.includes(message.bot as string)) {
      expect([one, message.bot, was?.status]).not.toContain('open')
      // After an agent had the ticket, no menu is sent until the ticket is closed.
      if (message.bot !== 'hours')
        expect([message.body, world.touched.has(message.ticketId as number)]).toEqual([message.body, false])
    }
    const own = all.filter((m) => m.ticketId === message.ticketId && m.fromMe && m.id < message.id).at(-1)
    // The closed text is an exception: it is sent again in another closed period.
    const isAnother = message.bot === 'hours' && was?.awayTold !== now.find((t) => t.id === message.ticketId)?.awayTold
    if (own && !isAnother) expect([own.body, own.bot]).not.toEqual([message.body, own.bot ?? message.bot])
  }
  for (const { id, status } of now) {
    if (status === 'open') world.touched.add(id)
    if (status === 'closed') world.touched.delete(id)
  }
  return all.at(-1)?.id ?? seen
}

it('keeps its invariants under any sequence of events', async () => {
  let stories = 0
  const fresh = async () => {
    const scope = scopeOf()
    for (const [key, value] of [
      ['userRating', 'enabled'],
      ['scheduleType', 'disabled'],
      ['autoReopenTimeout', '0'],
    ] as const)
      await scope.transaction((tx) => writeSetting(tx, key, value).then(() => undefined))
  }
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 25 }), async (acts) => {
      await fresh()
      const world: ModelState = { number: nextPhoneNumber(), said: [], away: 0, touched: new Set() }
      let seen = 0
      for (const one of [{ kind: 'says', text: 'hola' } as ModelAction, ...acts]) {
        const before = await ticketsOf(world.number)
        await perform(world, one)
        seen = await check(world, before, seen, one)
      }
      harness.clock.advance(-world.away)
      stories++
    }),
    { numRuns: 25, interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false, endOnFailure: false },
  )
  expect(stories).toBeGreaterThan(0)
})
