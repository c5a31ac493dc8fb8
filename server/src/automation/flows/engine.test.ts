import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { companiesApi } from '@recado/contract/companies'
import { flowsApi } from '@recado/contract/flows/flows'
import { weekdays } from '@recado/contract/hours/hours'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FlowDesk, type FlowDraft, openFlowDesk } from '../../../test/flow-desk.ts'
import { openLoopbackServer } from '../../../test/loopback-server.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { addDays, days, hours, minutes } from '../../kernel/clock.ts'

let harness: TestServer
let desk: FlowDesk
let outside: Awaited<ReturnType<typeof openLoopbackServer>>
beforeAll(async () => {
  outside = await openLoopbackServer(() => ({ body: { state: 'en camino' } }))
  harness = await testServer({ privateTargets: true })
  desk = await openFlowDesk(harness)
})
afterAll(async () => {
  await closeTestServers()
  outside.close()
})
beforeEach(() => desk.db.deleteFrom('flows').where('companyId', '=', desk.company.id).execute())

const end = { kind: 'end' as const, id: 'end' }
const person = { kind: 'person' as const, id: 'person' }
const say = (id: string, text: string, next: string) => ({ kind: 'say' as const, id, text, next })
const waitFor = (id: string, minutes: number, next: string) => ({
  ...{ kind: 'wait' as const, id, until: { kind: 'time' as const, minutes }, next },
})
const makeFlow = (steps: FlowDraft['steps'], more: Partial<FlowDraft> = {}): FlowDraft => ({
  ...{ kind: 'flow', triggers: [{ kind: 'snoozeOver' }], first: steps[0]?.id ?? null, steps },
  ...more,
})
const question = makeFlow([
  {
    ...{ kind: 'ask', id: 'ask', text: '¿Cuántas?', answer: { kind: 'number' }, variable: 'n', retries: 1 },
    ...{
      retryText: 'Un número, por favor.',
      silence: { minutes: 60, next: 'silent' },
      next: 'thanks',
      otherwise: 'person',
    },
  },
  say('thanks', 'Anoto {{n}}.', 'end'),
  say('silent', '¿Sigue ahí?', 'person'),
  { ...person, text: 'Le paso con una persona.' },
  end,
])
const reminder = makeFlow([say('one', 'Uno', 'wait'), waitFor('wait', 60, 'two'), say('two', 'Dos', 'end'), end])

const addTag = (tagId: number, next: string) => ({ kind: 'tags' as const, id: 'tag', add: [tagId], next })

/** Starts the flows that wait for the end of a snooze, and lets them go on. */
async function start(ticketId: number): Promise<void> {
  await desk.announce(ticketId, 'snoozeOver')
  await desk.settle()
}
const later = (ms: number) => desk.withClockForward(ms, desk.settle)
const listFlowEvents = async (ticketId: number): Promise<string[]> =>
  (await desk.listEvents(ticketId))
    .reverse()
    .flatMap(({ steps }) => steps.filter(({ step }) => step === 'flow').map(({ why }) => why))

describe('a flow', () => {
  it('runs once for an event, however often the event is announced', async () => {
    const tag = await desk.createTag()
    const flow = await desk.publish(
      makeFlow([say('say', 'Hola {{firstName}}', 'tag'), addTag(tag, 'end'), end], { kind: 'rule' }),
    )
    const { id } = await desk.newTicket('hola', 'Sol Paz')
    const key = await desk.announce(id, 'snoozeOver')
    await desk.settle()
    await desk.announce(id, 'snoozeOver', { key })
    await desk.settle()
    expect(await desk.listSaid(id)).toEqual(['Hola Sol'])
    expect((await desk.showTicket(id)).tags.map((one) => one.id)).toEqual([tag])
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'end', dueAt: null }])
    expect(await desk.loadSpeaker(id)).toEqual({ flowRunId: null })
    expect(await listFlowEvents(id)).toEqual(['started', 'said', 'tagged'])
  })

  it('asks, and goes on with the answer', async () => {
    const flow = await desk.publish(question)
    const { id, customer } = await desk.newTicket()
    await start(id)
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'waiting', speaks: true }])
    await desk.say(customer, 'unas 12')
    expect(await desk.listSaid(id)).toEqual(['¿Cuántas?', 'Anoto 12.'])
    expect(await desk.listRuns(flow)).toMatchObject([{ endReason: 'end', position: { variables: { n: '12' } } }])
  })

  it('writes nothing to a contact who opted out during a wait, also after a call', async () => {
    const call = { kind: 'call' as const, id: 'call', url: `${outside.url}/order`, next: 'two', otherwise: 'two' }
    await desk.publish(
      makeFlow([say('one', 'Uno', 'wait'), waitFor('wait', 60, 'call'), call, say('two', 'Dos', 'end'), end], {
        triggers: [{ kind: 'message' }],
      }),
    )
    const { id } = await desk.newTicket()
    await desk.settle()
    const { contactId } = await desk.showTicket(id)
    await desk.admin.call(campaignStopsApi.create, { body: { contactId } })
    await later(hours(2))
    expect(await desk.listSaid(id)).toEqual(['Uno'])
    expect(outside.requests.splice(0)).toHaveLength(1)
    expect((await listFlowEvents(id)).at(-1)).toBe('not-said')
  })

  it('asks again, and hands over to a person if it does not understand', async () => {
    const flow = await desk.publish(question)
    const { id, customer } = await desk.newTicket()
    await start(id)
    await desk.say(customer, 'no sé')
    await desk.say(customer, 'muchas')
    expect(await desk.listSaid(id)).toEqual(['¿Cuántas?', 'Un número, por favor.', 'Le paso con una persona.'])
    expect(await desk.listRuns(flow)).toMatchObject([{ endReason: 'person' }])
    const steps = desk.db.selectFrom('flowStepTallies').select(['stepId', 'came', 'answered']).orderBy('stepId')
    expect(await steps.where('companyId', '=', desk.company.id).execute()).toEqual([
      { stepId: 'ask', came: 1, answered: 1 },
      { stepId: 'person', came: 1, answered: 0 },
    ])
  })

  it('goes on when the customer does not answer in time', async () => {
    await desk.publish(question)
    const { id } = await desk.newTicket()
    await start(id)
    await later(minutes(59))
    expect(await desk.listSaid(id)).toEqual(['¿Cuántas?'])
    await later(minutes(61))
    expect(await desk.listSaid(id)).toEqual(['¿Cuántas?', '¿Sigue ahí?', 'Le paso con una persona.'])
  })

  it('takes no answer that was written before the question', async () => {
    const flow = await desk.publish(question)
    const { id, customer } = await desk.newTicket()
    await start(id)
    const early = new Date(harness.clock.now().getTime() - minutes(5)).toISOString()
    await desk.waitForHandled(await customer.says('12', { at: early }))
    await desk.settle()
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'waiting', position: { stepId: 'ask', tries: 0 } }])
  })

  it('waits for a time', async () => {
    const flow = await desk.publish(reminder)
    const { id } = await desk.newTicket()
    await start(id)
    await later(minutes(59))
    expect(await desk.listSaid(id)).toEqual(['Uno'])
    await later(minutes(61))
    expect(await desk.listSaid(id)).toEqual(['Uno', 'Dos'])
    expect(await desk.listRuns(flow)).toMatchObject([{ endReason: 'end', waitsUntil: null }])
  })

  it('waits until the company opens', async () => {
    const opens = addDays(harness.clock.now().toISOString().slice(0, 10), 2)
    const weekday = (new Date(opens).getUTCDay() + 6) % 7
    await desk.setSetting('timezone', 'UTC')
    await desk.setSetting('scheduleType', 'company')
    await desk.admin.call(companiesApi.schedules, {
      params: { id: desk.company.id },
      body: {
        schedules: weekdays.map((weekdayEn, n) => ({
          ...{ weekday: weekdayEn, weekdayEn },
          ...(n === weekday ? { startTime: '08:00', endTime: '18:00' } : { startTime: '00:00', endTime: '00:00' }),
        })),
      },
    })
    const until = { kind: 'wait' as const, id: 'wait', until: { kind: 'opening' as const }, next: 'tag' }
    const flow = await desk.publish(makeFlow([until, addTag(await desk.createTag(), 'end'), end]))
    const { id } = await desk.newTicket()
    await start(id)
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'waiting', waitsUntil: `${opens}T08:00:00.000Z` }])
    const opening = Date.parse(`${opens}T08:00:00Z`) - harness.clock.now().getTime()
    await later(opening - minutes(1))
    expect((await desk.showTicket(id)).tags).toEqual([])
    await later(opening + minutes(1))
    expect((await desk.showTicket(id)).tags).toHaveLength(1)
    await desk.setSetting('scheduleType', 'disabled')
  })

  it('does not start against its conditions and limits', async () => {
    const onlyOpen = { match: 'all' as const, of: [{ field: 'status' as const, in: ['open' as const] }] }
    const conditional = await desk.publish(makeFlow([say('say', 'A', 'end'), end], { conditions: onlyOpen }))
    const limited = await desk.publish(makeFlow([say('say', 'B', 'end'), end], { limits: { hoursPerContact: 2 } }))
    const daily = await desk.publish(makeFlow([say('say', 'C', 'end'), end], { limits: { runsPerDay: 2 } }))
    const { id } = await desk.newTicket()
    await start(id)
    await start(id)
    expect(await desk.listRuns(conditional)).toEqual([])
    expect(await desk.listRuns(limited)).toHaveLength(1)
    // The second flow speaks at the first event, and the third one at the second.
    expect(await desk.listSaid(id)).toEqual(['B', 'C'])
    await start(id)
    await start(id)
    expect(await desk.listRuns(daily)).toHaveLength(2)
    await desk.announce(id, 'snoozeOver')
    await later(hours(3))
    expect(await desk.listRuns(limited)).toHaveLength(2)
  })

  it('does not start again and again for one ticket, and says so', async () => {
    const flow = await desk.publish(makeFlow([addTag(await desk.createTag(), 'end'), end]))
    const { id } = await desk.newTicket()
    await start(id)
    const [{ id: _, ...run }] = (await desk.listRuns(flow)) as [Awaited<ReturnType<typeof desk.listRuns>>[number]]
    const position = JSON.stringify(run.position)
    const others = Array.from({ length: 99 }, (_, n) => ({ ...run, position, eventKey: `again:${n}` }))
    await desk.db.insertInto('flowRuns').values(others).execute()
    await start(id)
    expect(await desk.listRuns(flow)).toHaveLength(100)
    expect(await listFlowEvents(id)).toEqual(['started', 'tagged', 'loop-stopped'])
  })

  it('keeps in a variable what another system answers', async () => {
    const call = {
      ...{
        kind: 'call' as const,
        id: 'call',
        url: `${outside.url}/orders/{{n}}`,
        keep: [{ path: 'state', variable: 'state' }],
      },
      ...{ next: 'say', otherwise: 'sorry' },
    }
    const flow = await desk.publish(
      makeFlow([call, say('say', 'Va {{state}}', 'end'), say('sorry', 'No se sabe', 'end'), end], {
        triggers: [{ kind: 'flow', variables: ['n'] }],
      }),
    )
    const { id } = await desk.newTicket()
    const startWith = async (n: string) => {
      await desk.announce(id, 'flow', { details: { flowId: flow.id, variables: { n } } })
      await desk.settle()
    }
    await startWith('5/6')
    expect(await desk.listSaid(id)).toEqual(['Va en camino'])
    outside.failures.push({ kind: 'fail', status: 404 })
    await startWith('7')
    expect(await desk.listSaid(id)).toEqual(['Va en camino', 'No se sabe'])
    const [first] = await desk.listRuns(flow)
    expect(outside.requests.map(({ path, headers }) => [path, headers['idempotency-key']])).toEqual([
      ['/orders/5%2F6', `flow-${first?.id}-call-0`],
      ['/orders/7', `flow-${(first?.id ?? 0) + 1}-call-0`],
    ])
  })
})

describe('a sequence', () => {
  it('ends with the answer of the customer, wherever it stands', async () => {
    const flow = await desk.publish({ ...reminder, kind: 'sequence' })
    const { id, customer } = await desk.newTicket()
    await start(id)
    await desk.say(customer, 'gracias')
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'answered' }])
    await later(hours(2))
    expect(await desk.listSaid(id)).toEqual(['Uno'])
    expect(await desk.loadSpeaker(id)).toEqual({ flowRunId: null })
  })
})

describe('who speaks', () => {
  it.each<[string, (id: number) => Promise<unknown>]>([
    ['accepts', (id) => desk.accept(desk.admin, id)],
    ['closes', (id) => desk.admin.call(ticketsApi.update, { params: { id }, body: { status: 'closed' } as never })],
  ])('is the person who %s the ticket, and the flow ends', async (_, act) => {
    const flow = await desk.publish(question)
    const { id, customer } = await desk.newTicket()
    await start(id)
    await act(id)
    await desk.settle()
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'taken-over' }])
    await desk.say(customer, '12')
    expect(await desk.listSaid(id)).toEqual(['¿Cuántas?'])
  })

  it('is the person who writes, and the flow ends', async () => {
    const flow = await desk.publish(question)
    const { id } = await desk.openTicket(desk.admin)
    await start(id)
    await desk.send(desk.admin, id, 'Yo le ayudo')
    await desk.settle()
    expect(await desk.listRuns(flow)).toMatchObject([{ endReason: 'taken-over' }])
  })

  it('does not change while a silent flow goes on after a person took over', async () => {
    const tag = await desk.createTag()
    const steps = [
      say('one', 'Uno', 'wait'),
      waitFor('wait', 60, 'tag'),
      addTag(tag, 'two'),
      say('two', 'Dos', 'end'),
      end,
    ]
    const flow = await desk.publish(makeFlow(steps, { limits: { goesOnWithPerson: true } }))
    const { id } = await desk.newTicket()
    await start(id)
    await desk.accept(desk.admin, id)
    await desk.settle()
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'waiting' }])
    await later(minutes(61))
    expect((await desk.showTicket(id)).tags).toHaveLength(1)
    expect(await desk.listSaid(id)).toEqual(['Uno'])
    expect(await desk.listRuns(flow)).toMatchObject([{ endReason: 'taken-over', position: { stepId: 'two' } }])
  })

  it('is the first flow in the order; others start only if they are silent', async () => {
    const tag = await desk.createTag()
    const first = await desk.publish(question)
    const second = await desk.publish(reminder)
    const silent = await desk.publish(makeFlow([addTag(tag, 'end'), end]))
    const { id } = await desk.newTicket()
    await start(id)
    expect(await desk.listRuns(second)).toEqual([])
    expect(await desk.listRuns(silent)).toMatchObject([{ state: 'ended' }])
    const [speaker] = await desk.listRuns(first)
    expect(await desk.loadSpeaker(id)).toEqual({ flowRunId: speaker?.id })
  })

  it('stays with the flow that moves the ticket itself', async () => {
    const queue = await desk.createQueue()
    const move = { kind: 'queue' as const, id: 'move', queueId: queue.id, next: 'say' }
    await desk.publish(makeFlow([move, say('say', 'Está en otra cola', 'end'), end]))
    const { id } = await desk.newTicket()
    await start(id)
    expect(await desk.listSaid(id)).toEqual(['Está en otra cola'])
    expect((await desk.showTicket(id)).queueId).toBe(queue.id)
  })
})

describe('a step that fails', () => {
  const publishFailing = async () => {
    const other = await desk.publish(
      makeFlow([say('say', 'De otro flujo', 'end'), end], { triggers: [{ kind: 'flow' }] }),
    )
    const setActive = (active: boolean) =>
      desk.admin.call(flowsApi.setActive, { params: { id: other.id }, body: { active } })
    await setActive(false)
    const calling = { kind: 'start' as const, id: 'start', flowId: other.id, next: 'end' }
    return { calling, setActive }
  }

  it('keeps the run for a person, who tries it again', async () => {
    const { calling, setActive } = await publishFailing()
    const flow = await desk.publish(makeFlow([say('say', 'Uno', 'start'), calling, end]))
    const { id } = await desk.newTicket()
    await start(id)
    const [failed] = await desk.listRuns(flow)
    expect(failed).toMatchObject({
      state: 'failed',
      error: 'ERR_NO_FLOW_FOUND',
      dueAt: null,
      position: { stepId: 'start' },
    })
    // Others may speak meanwhile.
    expect(await desk.loadSpeaker(id)).toEqual({ flowRunId: null })
    await setActive(true)
    await desk.admin.call(flowsApi.retryRun, { params: { id: failed?.id ?? 0 } })
    await desk.settle()
    expect(await desk.listSaid(id)).toEqual(['Uno', 'De otro flujo'])
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'replaced' }])
    expect(await listFlowEvents(id)).toEqual([
      ...['started', 'said', 'step-failed', 'started', 'started-other', 'ended', 'said'],
    ])
  })

  it('stops the flow after 20 failures in a row', async () => {
    const { calling, setActive } = await publishFailing()
    const flow = await desk.publish(makeFlow([calling, end]))
    const { id } = await desk.newTicket()
    const fail = async (times: number) => {
      for (let n = 0; n < times; n++) await desk.announce(id, 'snoozeOver')
      await desk.settle()
    }
    const show = () => desk.admin.call(flowsApi.show, { params: { id: flow.id } })
    await fail(19)
    await setActive(true)
    await start(id)
    await setActive(false)
    await fail(19)
    expect(await show()).toMatchObject({ state: 'active' })
    await fail(1)
    expect(await show()).toMatchObject({ state: 'stopped' })
    await fail(1)
    expect(await desk.listRuns(flow)).toHaveLength(40)
  })
})

it('keeps a run in its version when another one is published', async () => {
  const flow = await desk.publish(reminder)
  const { id } = await desk.newTicket()
  await start(id)
  const { draft, name, revision } = await desk.admin.call(flowsApi.show, { params: { id: flow.id } })
  const steps = draft.steps.map((step) => (step.kind === 'say' ? { ...step, text: 'Nuevo' } : step))
  const body = { name, revision, document: { ...draft, steps } }
  const changed = await desk.admin.call(flowsApi.update, { params: { id: flow.id }, body })
  await desk.admin.call(flowsApi.publish, { params: { id: flow.id }, body: { revision: changed.revision } })
  await later(days(1))
  expect(await desk.listSaid(id)).toEqual(['Uno', 'Dos'])
})
