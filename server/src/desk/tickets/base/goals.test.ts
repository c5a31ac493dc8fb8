import { webhooksApi } from '@recado/contract/api-access/webhooks'
import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import { defaultHours } from '@recado/contract/hours/hours'
import { noticesApi } from '@recado/contract/notices'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../../test/desk.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../../test/test-server.ts'
import { hours, minutes } from '../../../kernel/clock.ts'
import { Scope } from '../../../kernel/data/scope.ts'
import { readSums } from '../../reports/read.ts'
import { emptyReportFilter } from '../../reports/report-sql.ts'
import { updateSums } from '../../reports/sums.ts'
import { moveToQueue } from '../lifecycle.ts'
import { setPriority } from '../priority.ts'
import { presentTicket } from './ticket-view.ts'

let harness: TestServer
let desk: Desk
let queue: { id: number; name: string; color: string }
beforeAll(async () => {
  harness = await testServer()
  harness.clock.freeze()
})
afterAll(closeTestServers)
/** A queue with goals of 5 minutes to reply and 10 to close, at all hours; both are shorter than a session. */
beforeEach(async () => {
  desk = await openDesk(harness)
  queue = await desk.createQueue('Reservas')
  await promise({ answerGoal: 5, resolveGoal: 10 })
})

const promise = (goals: object) =>
  desk.admin.call(queuesApi.update, {
    params: { id: queue.id },
    body: { name: queue.name, color: queue.color, ...goals } as never,
  })
/** A ticket pending in the queue. */
async function createPendingTicket() {
  const { id, customer } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: queue.id, userId: null })
  return { id, customer }
}
const goalsOf = async (id: number) =>
  (await desk.showTicket(id)).goals.map(({ kind, warnAt, dueAt }) => [
    kind,
    (Date.parse(warnAt) - harness.clock.now().getTime()) / minutes(1),
    (Date.parse(dueAt) - harness.clock.now().getTime()) / minutes(1),
  ])
const pollTimers = () => harness.server.switchboard.timers.poll()
const listGoalSteps = async (id: number) =>
  (await desk.listEvents(id)).filter(({ kind }) => kind === 'goal').flatMap(({ steps }) => steps)
const noticesFor = async (by = desk.admin) =>
  (await by.call(noticesApi.list)).notices.filter(({ kind }) => kind === 'goal').map(({ ticketId }) => ticketId)
const loadGoalCounts = async () => {
  const view = await desk.admin.call(dashboardApi.view, { query: { queueId: queue.id } as never })
  const { answerKept, answerLate, resolveKept, resolveLate } = view.sums
  const { soonNow, lateNow } = view.queues[0] as { soonNow: number; lateNow: number }
  const behind = async (kind: string) =>
    (await desk.admin.call(dashboardApi.behind, { query: { queueId: queue.id, kind } as never })).tickets.length
  expect([await behind('soonNow'), await behind('lateNow')]).toEqual([soonNow, lateNow])
  return { answerKept, answerLate, resolveKept, resolveLate, soonNow, lateNow }
}
const noGoalCounts = { answerKept: 0, answerLate: 0, resolveKept: 0, resolveLate: 0, soonNow: 0, lateNow: 0 }

describe('SLA goals of a queue', () => {
  it('are saved with the queue’s form, and kept if older clients do not send them', async () => {
    expect(await desk.admin.call(queuesApi.show, { params: { id: queue.id } })).toMatchObject({
      answerGoal: 5,
      resolveGoal: 10,
    })
    expect(await promise({})).toMatchObject({ answerGoal: 5, resolveGoal: 10 })
    expect(await promise({ answerGoal: '', resolveGoal: null })).toMatchObject({ answerGoal: null, resolveGoal: null })
    for (const answerGoal of [0, -3, 1.5, 'soon', 1e9])
      expect(
        (await desk.admin.request('PUT', `/queue/${queue.id}`, { name: 'Reservas', color: '#123456', answerGoal }))
          .status,
      ).toBe(400)
  })

  it('begin when an agent is needed in the queue, and are shown in the list, on the ticket and in events', async () => {
    const { id } = await desk.newTicket()
    expect(await goalsOf(id)).toEqual([])
    const socketClient = await desk.admin.listen()
    await desk.putTicket(desk.admin, id, { queueId: queue.id, userId: null })
    const expected = [
      ['answer', 4, 5],
      ['resolve', 8, 10],
    ]
    expect(await goalsOf(id)).toEqual(expected)
    expect(
      (await desk.listTickets(desk.admin, { showAll: true, status: 'pending' })).find((one) => one.id === id)?.goals,
    ).toHaveLength(2)
    const news = await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    expect(news).toMatchObject({ ticket: { goals: [{ kind: 'answer' }, { kind: 'resolve' }] } })
    socketClient.close()
    // Accepting or returning keeps the same goals.
    harness.clock.advance(minutes(2))
    await desk.accept(desk.admin, id)
    await desk.putTicket(desk.admin, id, { status: 'pending', userId: null })
    expect(await goalsOf(id)).toEqual([
      ['answer', 2, 3],
      ['resolve', 6, 8],
    ])
    // Another queue has no goals, and a return to this queue restarts them.
    const other = await desk.createQueue()
    await desk.putTicket(desk.admin, id, { queueId: other.id, userId: null })
    expect(await goalsOf(id)).toEqual([])
    await desk.putTicket(desk.admin, id, { queueId: queue.id, userId: null })
    expect(await goalsOf(id)).toEqual(expected)
    expect(await loadGoalCounts()).toEqual(noGoalCounts)
  })

  it('are met by the first reply and by closing, and counted for the agent', async () => {
    const { id, customer } = await createPendingTicket()
    await desk.accept(desk.admin, id)
    await desk.send(desk.admin, id, 'Buenas')
    expect((await goalsOf(id)).map(([kind]) => kind)).toEqual(['resolve'])
    await desk.waitForMessage(await customer.says('¿y?'))
    await desk.send(desk.admin, id, 'Ya va')
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    expect(await goalsOf(id)).toEqual([])
    expect(await loadGoalCounts()).toEqual({ ...noGoalCounts, answerKept: 1, resolveKept: 1 })
    const behind = async (kind: string) =>
      (await desk.admin.call(dashboardApi.behind, { query: { kind } as never })).tickets.map((one) => [
        one.ticket.id,
        one.user?.id,
      ])
    expect(await behind('answerKept')).toEqual([[id, desk.admin.id]])
    expect(await behind('resolveLate')).toEqual([])
    // Deleted tickets are not counted.
    await desk.admin.request('DELETE', `/tickets/${id}`)
    expect(await loadGoalCounts()).toEqual(noGoalCounts)
  })

  it('include only a closing goal for a conversation that an agent began', async () => {
    const { id } = await desk.openTicket(desk.admin)
    await desk.send(desk.admin, id, 'hola')
    await desk.putTicket(desk.admin, id, { queueId: queue.id, userId: desk.admin.id })
    expect((await goalsOf(id)).map(([kind]) => kind)).toEqual(['resolve'])
  })

  it('warn once and are breached once, whatever the number of processes, with an event, a webhook and a report number', async () => {
    const agent = await desk.createUser('user', [queue])
    const { id } = await createPendingTicket()
    await desk.admin.call(webhooksApi.create, {
      body: { name: 'x', url: 'https://hooks.example.test/x', events: ['ticket.late'], active: true },
    })
    const twin = await startSecondProcess(harness)
    const both = () => Promise.all([pollTimers(), twin.switchboard.timers.poll()])
    harness.clock.advance(minutes(3))
    await both()
    expect(await noticesFor(agent)).toEqual([])
    harness.clock.advance(minutes(1))
    await both()
    // The ticket has no agent, so users who could accept it get a notice.
    expect(await noticesFor(agent)).toEqual([id])
    expect(await noticesFor()).toEqual([])
    expect(await loadGoalCounts()).toEqual({ ...noGoalCounts, soonNow: 1 })
    expect(await listGoalSteps(id)).toEqual([])
    harness.clock.advance(minutes(1))
    await both()
    await both()
    expect(await listGoalSteps(id)).toEqual([{ step: 'goal-missed', why: 'answer', with: { minutes: 5 } }])
    const told = await desk.db
      .selectFrom('webhookEvents')
      .selectAll()
      .where('companyId', '=', desk.company.id)
      .execute()
    expect(told).toMatchObject([
      {
        type: 'ticket.late',
        ticketId: id,
        data: { id, queue: { name: 'Reservas' }, goal: { kind: 'answer', minutes: 5 } },
      },
    ])
    expect(await loadGoalCounts()).toEqual({ ...noGoalCounts, answerLate: 1, lateNow: 1 })
    // A breach stays recorded: a later reply ends the goal but does not count as met, and the notice is removed.
    await desk.accept(agent, id)
    await desk.send(agent, id, 'perdón')
    expect(await loadGoalCounts()).toEqual({ ...noGoalCounts, answerLate: 1 })
    expect(await noticesFor(agent)).toEqual([])
    harness.clock.advance(minutes(3))
    await both()
    expect(await noticesFor(agent)).toEqual([id])
    harness.clock.advance(minutes(3))
    // The ticket is closed after its due time and before the timer ran.
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    await both()
    expect((await listGoalSteps(id)).map(({ why }) => why)).toEqual(['resolve', 'answer'])
    expect(await loadGoalCounts()).toEqual({ ...noGoalCounts, answerLate: 1, resolveLate: 1 })
    const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
    const asked = { ...emptyReportFilter, from: '2000-01-01', to: '2099-01-01', zone: 'America/Sao_Paulo' }
    const plain = await readSums(scope, asked, false)
    await updateSums(scope, asked.zone)
    expect(await readSums(scope, asked, true)).toEqual(plain)
    expect(plain).toMatchObject({ answerLate: 1, resolveLate: 1, answerKept: 0, resolveKept: 0 })
  })

  it('count opening hours only, without holidays', async () => {
    // A Friday, eight minutes before closing time.
    const friday = Date.parse('2026-11-20T20:52:00Z')
    const before = harness.clock.now().getTime()
    await desk.setSetting('scheduleType', 'company')
    await desk.db
      .updateTable('companies')
      .set({
        schedules: JSON.stringify(defaultHours),
        holidays: JSON.stringify([{ day: '2026-11-23', name: 'Feriado', yearly: false }]),
      })
      .where('id', '=', desk.company.id)
      .execute()
    const { id } = await desk.newTicket()
    await desk.withClockForward(friday - before, async () => {
      const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
      await scope.transaction(async (tx) => {
        await moveToQueue(tx, await presentTicket(tx, id), queue.id, 'waited-too-long')
      })
    })
    const at = (await desk.showTicket(id)).goals.map(({ dueAt }) => dueAt)
    expect(at.map((moment) => new Date(moment).toISOString())).toEqual([
      '2026-11-20T20:57:00.000Z',
      // The queue closes at 18:00; the rest of the time counts from Saturday 08:00.
      '2026-11-21T11:02:00.000Z',
    ])
  })

  it('may have their own minutes per priority; an empty field means the queue’s goal', async () => {
    const own = {
      answerGoalUrgent: 2,
      resolveGoalUrgent: '',
      resolveGoalHigh: 6,
      answerGoalLow: 20,
      resolveGoalLow: 40,
    }
    expect(await promise(own)).toMatchObject({ answerGoal: 5, ...own, resolveGoalUrgent: null, answerGoalHigh: null })
    // Older clients do not send them.
    expect(await promise({ answerGoal: 5 })).toMatchObject({ answerGoalUrgent: 2, resolveGoalLow: 40 })
    const form = { name: queue.name, color: queue.color }
    for (const answerGoalHigh of [0, 1.5, 1e9])
      expect((await desk.admin.request('PUT', `/queue/${queue.id}`, { ...form, answerGoalHigh })).status).toBe(400)

    const { id } = await createPendingTicket()
    const dueByPriority = async (priority: string) => {
      expect((await desk.putTicket(desk.admin, id, { priority })).body.goals).toHaveLength(2)
      return goalsOf(id)
    }
    expect(await goalsOf(id)).toEqual([
      ['answer', 4, 5],
      ['resolve', 8, 10],
    ])
    const socketClient = await desk.admin.listen()
    harness.clock.advance(minutes(1))
    expect(await dueByPriority('urgent')).toEqual([
      ['answer', 0.6, 1],
      ['resolve', 7, 9],
    ])
    const news = await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    const inOneMinute = new Date(harness.clock.now().getTime() + minutes(1)).toISOString()
    expect(news).toMatchObject({ ticket: { priority: 'urgent', goals: [{ kind: 'answer', dueAt: inOneMinute }, {}] } })
    expect(await dueByPriority('high')).toEqual([
      ['answer', 3, 4],
      ['resolve', 3.8, 5],
    ])
    expect(await dueByPriority('low')).toEqual([
      ['answer', 15, 19],
      ['resolve', 31, 39],
    ])
    // Snoozing does not stop a goal, and the priority it has counts when another queue's goals begin.
    const until = new Date(harness.clock.now().getTime() + hours(3)).toISOString()
    await desk.admin.request('POST', `/tickets/${id}/snooze`, { until, wakesOnMessage: true })
    expect((await dueByPriority('high')).map(([, , due]) => due)).toEqual([4, 5])
    const other = await desk.createQueue('Quejas')
    await desk.admin.call(queuesApi.update, {
      params: { id: other.id },
      body: { name: 'Quejas', color: '#778899', resolveGoal: 100, resolveGoalHigh: 50 } as never,
    })
    await desk.putTicket(desk.admin, id, { queueId: other.id, userId: null })
    expect(await goalsOf(id)).toEqual([['resolve', 40, 50]])
  })

  it('are due again after a change of priority: warned anew, missed once, never begun twice', async () => {
    await promise({ answerGoalLow: 60, answerGoalUrgent: 2, resolveGoal: null, resolveGoalUrgent: 30 })
    const agent = await desk.createUser('user', [queue])
    const { id, customer } = await createPendingTicket()
    harness.clock.advance(minutes(4))
    await pollTimers()
    expect(await noticesFor(agent)).toEqual([id])
    // The warning was for a time that no longer counts.
    await desk.putTicket(desk.admin, id, { priority: 'low' })
    expect([await noticesFor(agent), await goalsOf(id)]).toEqual([[], [['answer', 44, 56]]])
    harness.clock.advance(minutes(2))
    await pollTimers()
    expect(await listGoalSteps(id)).toEqual([])
    // A goal that is over already is missed, and no later change makes it good.
    await desk.putTicket(desk.admin, id, { priority: 'urgent' })
    expect(await goalsOf(id)).toEqual([
      ['answer', -4.4, -4],
      ['resolve', 24, 30],
    ])
    await pollTimers()
    expect(await listGoalSteps(id)).toEqual([{ step: 'goal-missed', why: 'answer', with: { minutes: 2 } }])
    await desk.putTicket(desk.admin, id, { priority: 'low' })
    await pollTimers()
    expect(await goalsOf(id)).toEqual([['answer', -4.4, -4]])
    expect(await loadGoalCounts()).toEqual({ ...noGoalCounts, answerLate: 1, lateNow: 1 })
    // The first answer was given: another priority does not ask for a second one.
    await desk.accept(agent, id)
    await desk.send(agent, id, 'perdón')
    await desk.waitForMessage(await customer.says('¿y?'))
    await desk.putTicket(agent, id, { priority: 'urgent' })
    expect(await goalsOf(id)).toEqual([['resolve', 24, 30]])
    await desk.putTicket(agent, id, { status: 'closed' })
    expect(await loadGoalCounts()).toEqual({ ...noGoalCounts, answerLate: 1, resolveKept: 1 })
    // A reopened conversation begins its goals anew, with the minutes of its priority.
    await desk.putTicket(agent, id, { status: 'open', priority: 'urgent' })
    expect((await goalsOf(id)).map(([kind]) => kind)).toContain('resolve')
  })

  it('count opening hours from when they began, after a change of priority too', async () => {
    await promise({ answerGoal: 5, answerGoalLow: 20 })
    await desk.setSetting('scheduleType', 'company')
    await desk.db
      .updateTable('companies')
      .set({ schedules: JSON.stringify(defaultHours) })
      .where('id', '=', desk.company.id)
      .execute()
    const friday = Date.parse('2026-11-20T20:52:00Z')
    const { id } = await desk.newTicket()
    await desk.withClockForward(friday - harness.clock.now().getTime(), async () => {
      const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
      await scope.transaction(async (tx) => {
        const ticket = await moveToQueue(tx, await presentTicket(tx, id), queue.id, 'waited-too-long')
        await setPriority(tx, ticket, { priority: 'low' })
      })
    })
    // Eight minutes are left of Friday; the other twelve count from Saturday 08:00.
    const answer = (await desk.showTicket(id)).goals.find(({ kind }) => kind === 'answer')
    expect(new Date(answer?.dueAt ?? '').toISOString()).toBe('2026-11-21T11:12:00.000Z')
  })

  it('are removed with their queue, and removed goals cannot be breached', async () => {
    const { id } = await createPendingTicket()
    await desk.admin.request('DELETE', `/queue/${queue.id}`)
    expect(await goalsOf(id)).toEqual([])
    await desk.withClockForward(hours(2), pollTimers)
    expect(await listGoalSteps(id)).toEqual([])
  })
})
