import { noticesApi } from '@recado/contract/notices'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { snoozeTimer } from '../../automation/timers/snooze.ts'
import { makeTimers } from '../../automation/timers/timers.ts'
import { makeLog } from '../../kernel/log.ts'

const hour = 3_600_000
let harness: TestServer
let desk: Desk
let sales: { id: number }
let ana: TestUser & { name: string }
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  ana = await desk.createUser('user', [sales])
})
afterAll(closeTestServers)

async function createOwnTicket() {
  const { customer, id } = await desk.newTicket()
  await desk.db.updateTable('tickets').set({ queueId: sales.id }).where('id', '=', id).execute()
  await desk.accept(ana, id)
  await desk.listMessages(ana, id, { markAsRead: true })
  return { customer, id }
}
const after = (ms: number) => new Date(harness.clock.now().getTime() + ms).toISOString()
const snooze = (id: number, body: object, by: TestUser = ana) => by.request('PUT', `/tickets/${id}/snooze`, body)
const counts = (by: TestUser) => by.call(ticketsApi.counts, { query: {} as never })
const listOwn = (snoozed?: string) => desk.listTicketIds(ana, { status: 'open', ...(snoozed && { snoozed }) })
const listNotices = async () =>
  (await ana.call(noticesApi.list, {})).notices.filter(({ kind }) => kind === 'snooze').map(({ by }) => by.name)

describe('a snoozed ticket', () => {
  it('leaves lists and badges of clients that ask for it, and comes back at its time, once, marked, on top', async () => {
    const [{ id }, other] = [await createOwnTicket(), await createOwnTicket()]
    const before = await counts(ana)
    const until = after(2 * hour)
    expect(await snooze(id, { until, note: 'Llamar por la seña' })).toMatchObject({
      status: 200,
      body: { snooze: { until, wakesOnMessage: true, note: 'Llamar por la seña' }, returned: null },
    })
    expect(await counts(ana)).toEqual({ ...before, open: before.open - 1, snoozed: before.snoozed + 1 })
    expect([await listOwn('without'), await listOwn('only')]).toEqual([[other.id], [id]])
    // A client that does not know about snoozing still finds the ticket.
    expect(await listOwn()).toContain(id)
    expect(await desk.listTicketIds(ana, { snoozed: 'only' })).toEqual([id])

    // Every process looks for due rows: of two that look at the same time, one finds the ticket.
    const twin = makeTimers(harness.server.deps, makeLog('silent'), { snoozes: snoozeTimer })
    await desk.withClockForward(2 * hour, async () => {
      await Promise.all([harness.server.switchboard.timers.poll(), twin.poll()])
    })
    await twin.close()
    expect(await desk.showTicket(id)).toMatchObject({ snooze: null, returned: { note: 'Llamar por la seña' } })
    expect(await counts(ana)).toEqual(before)
    expect(await listOwn('without')).toEqual([id, other.id])
    expect(await listNotices()).toEqual(['Llamar por la seña'])
    const steps = (await desk.listEvents(id)).filter(({ kind }) => kind === 'snooze').flatMap((event) => event.steps)
    expect(steps).toMatchObject([
      { step: 'returned-to-inbox', why: 'time-came' },
      { step: 'snoozed', why: 'by-person', with: { until, note: 'Llamar por la seña' } },
    ])

    // The mark stays until the agent opens the ticket.
    await desk.listMessages(desk.admin, id, { markAsRead: true })
    expect((await desk.showTicket(id)).returned).not.toBeNull()
    await desk.listMessages(ana, id, { markAsRead: true })
    expect((await desk.showTicket(id)).returned).toBeNull()
  })

  it('comes back when the customer writes, unless that was switched off', async () => {
    const [woken, asleep] = [await createOwnTicket(), await createOwnTicket()]
    await snooze(woken.id, { until: null, note: 'Espera el comprobante' })
    await snooze(asleep.id, { until: after(hour), wakesOnMessage: false })
    await desk.waitForMessage(await woken.customer.says('Acá está'))
    await desk.waitForMessage(await asleep.customer.says('¿Hola?'))
    expect(await desk.showTicket(woken.id)).toMatchObject({
      snooze: null,
      returned: { note: 'Espera el comprobante' },
      unreadMessages: 1,
    })
    expect((await desk.listEvents(woken.id))[0]).toMatchObject({ steps: expect.anything() })
    expect(await desk.showTicket(asleep.id)).toMatchObject({ snooze: { wakesOnMessage: false }, unreadMessages: 1 })
    // It does not ring either.
    expect((await counts(ana)).unread).toBe((await desk.listTicketIds(ana, { withUnreadMessages: true })).length)
    expect(await desk.listTicketIds(ana, { withUnreadMessages: true })).not.toContain(asleep.id)
  })

  it('is awake after it was woken by hand, closed, returned or transferred; an undo restores the snooze', async () => {
    const { id } = await createOwnTicket()
    await snooze(id, { until: after(hour) })
    expect((await ana.request('DELETE', `/tickets/${id}/snooze`)).body).toMatchObject({ snooze: null, returned: null })
    await snooze(id, { until: after(hour), note: 'Otra vez' })
    await desk.putTicket(ana, id, { status: 'closed', justClose: true })
    expect((await desk.showTicket(id)).snooze).toBeNull()
    expect((await snooze(id, { until: after(hour) })).body).toMatchObject({ error: 'ERR_TICKET_NOT_OPEN' })
    await ana.request('POST', `/tickets/${id}/undo`, {})
    expect((await desk.showTicket(id)).snooze).toMatchObject({ note: 'Otra vez' })
    await desk.putTicket(ana, id, { status: 'pending', userId: null })
    expect((await desk.showTicket(id)).snooze).toBeNull()
  })

  it('is offered the next openings of its queue, after a holiday', async () => {
    const { id } = await createOwnTicket()
    await desk.setSetting('scheduleType', 'queue')
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
    const week = days.map((weekdayEn) => ({ weekday: weekdayEn, weekdayEn, startTime: '08:30', endTime: '18:00' }))
    await desk.db
      .updateTable('queues')
      .set({ schedules: JSON.stringify(week) as never })
      .where('id', '=', sales.id)
      .execute()
    const first = await ana.call(ticketsApi.snoozeTimes, { params: { id } })
    const localDay = (at: string) => new Date(at).toLocaleDateString('en-CA', { timeZone: first.timezone })
    const time = (at: string) =>
      new Date(at).toLocaleTimeString('en-GB', { timeZone: first.timezone, timeStyle: 'short' })
    expect(first).toMatchObject({ queue: 'Ventas', tomorrow: { holiday: null }, nextWeek: { holiday: null } })
    expect([time(first.tomorrow.at), time(first.nextWeek.at)]).toEqual(['08:30', '08:30'])
    const monday = localDay(first.nextWeek.at)
    await desk.admin.request('PUT', '/holidays', { holidays: [{ day: monday, name: 'Feriado', yearly: false }] })
    const moved = await ana.call(ticketsApi.snoozeTimes, { params: { id } })
    expect(moved.nextWeek.holiday).toBe(monday)
    expect(Date.parse(moved.nextWeek.at) - Date.parse(first.nextWeek.at)).toBe(24 * hour)
  })

  it('needs an end in the future', async () => {
    const { id } = await createOwnTicket()
    expect((await snooze(id, { until: 'mañana' })).status).toBe(400)
    expect((await snooze(id, { until: after(-1) })).body).toMatchObject({ fields: { until: 'In the past' } })
    expect((await snooze(id, { until: null, wakesOnMessage: false })).body).toMatchObject({
      fields: { until: 'Required' },
    })
    expect((await snooze(id, { until: null }, await desk.createUser('user', []))).status).toBe(404)
  })
})
