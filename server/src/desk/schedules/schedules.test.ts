import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { noticesApi } from '@recado/contract/notices'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import { settingsApi } from '@recado/contract/settings'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import {
  closeTestServers,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../test/upload.ts'
import { scheduleSendTimer as dueTimer } from '../../automation/timers/schedules.ts'
import { resolveContact } from '../../directory/contacts/resolve-contact.ts'
import { hours, minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { deskContactHooks } from '../composition/contact-hooks.ts'
import { claimNextMessage } from '../messages/outgoing.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number; name: string }
let ana: TestUser & { name: string }
let beto: TestUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  ana = await desk.createUser('user', [sales], 'enabled')
  beto = await desk.createUser('user', [])
})
afterAll(closeTestServers)

const zone = 'America/Sao_Paulo'
const pollOptions = { timeout: 20_000, interval: 50 }
const inMs = (ms: number) => new Date(harness.clock.now().getTime() + ms).toISOString()
const topic = () => `company${desk.company.id}-schedule`

async function createContact(name = 'Carolina Peñaflor') {
  const number = nextPhoneNumber()
  const { id } = await desk.admin.call(contactsApi.create, { body: { name, number } })
  return { id, customer: desk.line.customer(number) }
}
const plan = (by: TestUser, contactId: number, more: object = {}) =>
  by.call(schedulesApi.create, {
    body: { body: 'Hola {{firstName}}, de {{user}}', contactId, sendAt: inMs(hours(1)), whatsappId: null, ...more },
  })
const show = (id: number, by: TestUser = desk.admin) => by.call(schedulesApi.show, { params: { id } })
const rowOf = (id: number) => desk.db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const pollTimers = () => harness.server.switchboard.timers.poll()
const runTimersAfter = (ms: number) => desk.withClockForward(ms, pollTimers)
const listBodies = async (customer: { listMessages(): Promise<{ body: string }[]> }) =>
  (await customer.listMessages()).map((m) => m.body)
/** Waits until the message was sent and the schedule has this status. */
const waitForSchedule = (id: number, status: string) =>
  vi.waitFor(async () => {
    await pollTimers()
    expect(await rowOf(id)).toMatchObject({ status })
  }, pollOptions)
const down = async (on: boolean) => {
  await desk.db
    .updateTable('whatsapps')
    .set({ status: on ? 'DISCONNECTED' : 'CONNECTED' })
    .where('id', '=', desk.line.id)
    .execute()
}

describe('a scheduled message', () => {
  it('is sent at its time, in the name of its author, into a new closed ticket that notifies nobody', async () => {
    const { id: contactId, customer } = await createContact()
    const socketClient = await ana.listen()
    const made = await plan(ana, contactId)
    expect(made).toMatchObject({
      status: 'PENDENTE',
      sentAt: null,
      contact: { id: contactId, name: 'Carolina Peñaflor' },
      user: { id: ana.id },
      whatsappId: desk.line.id,
      nth: 1,
    })
    await socketClient.waitFor(topic(), { action: 'create' })
    await runTimersAfter(minutes(59))
    expect(await rowOf(made.id)).toMatchObject({ status: 'PENDENTE', messageId: null })
    await runTimersAfter(hours(1) + 1000)
    await vi.waitFor(
      async () => expect(await listBodies(customer)).toEqual([`Hola Carolina, de ${ana.name}`]),
      pollOptions,
    )
    await waitForSchedule(made.id, 'ENVIADA')
    const sent = await show(made.id)
    expect(sent).toMatchObject({ sentAt: expect.any(String), error: null, ticketUuid: expect.any(String) })
    const [ticket] = await desk.db.selectFrom('tickets').selectAll().where('contactId', '=', contactId).execute()
    expect(ticket).toMatchObject({ status: 'closed', userId: ana.id, unreadMessages: 0, uuid: sent.ticketUuid })
    const [message] = await desk.listMessages(desk.admin, ticket?.id as number)
    expect(message).toMatchObject({ bot: 'schedule', user: { id: ana.id, name: ana.name }, fromMe: true })
    // The message is sent only once: nothing is due any more, and it cannot be changed or sent again.
    await runTimersAfter(hours(2))
    expect(await listBodies(customer)).toHaveLength(1)
    const whole = { ...sent, sendAt: inMs(hours(3)) }
    expect(await ana.request('PUT', `/schedules/${made.id}`, whole)).toMatchObject({
      status: 409,
      body: { error: 'ERR_SCHEDULE_SETTLED' },
    })
    expect(await ana.request('POST', `/schedules/${made.id}/retry`)).toMatchObject({ status: 409 })
    // The answer opens a ticket as usual.
    const { ticketId } = await desk.waitForMessage(await customer.says('gracias'))
    expect(await desk.showTicket(ticketId)).toMatchObject({ status: 'pending', unreadMessages: 1 })
    expect(ticketId).not.toBe(ticket?.id)
    socketClient.close()
  })

  it('goes into the open ticket, on the line last used, with its file', async () => {
    const { customer, id } = await desk.openTicket(ana)
    const { contactId } = await desk.showTicket(id)
    const made = await plan(ana, contactId)
    await sendForm(ana, `/schedules/${made.id}/media-upload`, { file: [[tinyPng, 'mapa.png']] })
    expect(await show(made.id)).toMatchObject({ mediaName: 'mapa.png', mediaPath: expect.stringContaining('/public/') })
    await runTimersAfter(hours(1) + 1000)
    await waitForSchedule(made.id, 'ENVIADA')
    const last = (await desk.listMessages(ana, id)).at(-1)
    expect(last).toMatchObject({ ticketId: id, mediaType: 'image', mediaName: 'mapa.png', ack: expect.any(Number) })
    expect((await customer.listMessages()).at(-1)).toMatchObject({ body: expect.stringMatching(/^Hola /) })
    // The files of schedule and message can be deleted independently.
    await ana.call(schedulesApi.remove, { params: { id: made.id }, query: {} })
    await vi.waitFor(async () => expect((await fetch(last?.mediaUrl as string)).status).toBe(200), pollOptions)
  })

  it('of the current minute waits up to a minute for a file that is uploaded after it was saved, unless the client says that none follows', async () => {
    const { id } = await desk.openTicket(ana)
    const { contactId } = await desk.showTicket(id)
    // The clock moves to the beginning of the next minute, so that the minute does not end between two calls.
    const now = () => {
      harness.clock.advance(61_000 - (harness.clock.now().getTime() % 60_000))
      return harness.clock.now().toISOString()
    }
    const sendAt = now()
    const [withFile, bare] = [await plan(ana, contactId, { sendAt }), await plan(ana, contactId, { sendAt })]
    await pollTimers()
    expect([await show(withFile.id), await show(bare.id)]).toMatchObject([
      { status: 'PENDENTE' },
      { status: 'PENDENTE' },
    ])
    expect(
      await sendForm(ana, `/schedules/${withFile.id}/media-upload`, { file: [[tinyPng, 'mapa.png']] }),
    ).toMatchObject({ status: 200 })
    await pollTimers()
    await waitForSchedule(withFile.id, 'ENVIADA')
    expect((await desk.listMessages(ana, id)).at(-1)).toMatchObject({ mediaType: 'image' })
    await runTimersAfter(61_000)
    await waitForSchedule(bare.id, 'ENVIADA')
    const announced = await plan(ana, contactId, { sendAt: now(), fileFollows: false })
    await pollTimers()
    await waitForSchedule(announced.id, 'ENVIADA')
  })

  it('is refused if it is in the past, too short or for an unknown contact, with the name of the invalid field', async () => {
    const { id: contactId } = await createContact()
    const refused = async (more: object) =>
      (await ana.request('POST', '/schedules', { body: 'Hola a todos', contactId, sendAt: inMs(hours(1)), ...more }))
        .body
    expect(await refused({ sendAt: inMs(-minutes(2)) })).toEqual({
      error: 'ERR_VALIDATION',
      fields: { sendAt: 'In the past' },
    })
    expect(await refused({ body: 'Hey' })).toMatchObject({ fields: { body: 'Too Short!' } })
    expect(await refused({ sendAt: '2099-02-31T10:00' })).toMatchObject({ fields: { sendAt: expect.any(String) } })
    expect(await refused({ contactId: 999_999 })).toMatchObject({ error: 'ERR_NO_CONTACT_FOUND' })
    expect(await refused({ contactId: undefined })).toMatchObject({ fields: { contactId: 'Required' } })
    expect(await refused({ repeat: { unit: 'day', until: '2020-01-01' } })).toMatchObject({
      fields: { repeat: 'Invalid' },
    })
  })

  it('uses the company’s time zone if older clients send none, and is returned complete', async () => {
    const { id: contactId } = await createContact()
    const made = await plan(ana, contactId, { sendAt: '2099-01-15T10:00', sentAt: '', userId: beto.id })
    expect(made).toMatchObject({ sendAt: dateOfWallTime('2099-01-15T10:00', zone).toISOString(), userId: ana.id })
    const { body } = await ana.request('PUT', `/schedules/${made.id}`, {
      ...made,
      sendAt: '2099-01-15T11:30',
      body: 'Otra cosa',
    })
    expect(body).toMatchObject({ body: 'Otra cosa', sendAt: dateOfWallTime('2099-01-15T11:30', zone).toISOString() })
    const page = (await ana.request<{ schedules: Schedule[] }>('GET', '/schedules/?searchParam=PENAFLOR&pageNumber=1'))
      .body
    expect(page.schedules.map((s) => s.id)).toContain(made.id)
    const day = await ana.call(schedulesApi.list, {
      query: { from: '2099-01-15T00:00', until: '2099-01-16T00:00', contactId },
    })
    expect(day.schedules.map((s) => s.id)).toEqual([made.id])
  })

  it('requires a plan that includes schedules', async () => {
    const { id: contactId } = await createContact()
    const { planId } = await desk.db
      .selectFrom('companies')
      .select('planId')
      .where('id', '=', desk.company.id)
      .executeTakeFirstOrThrow()
    const has = (useSchedules: boolean) =>
      desk.db.updateTable('plans').set({ useSchedules }).where('id', '=', planId).execute()
    await has(false)
    harness.clock.advance(2000)
    const answer = await ana.request('POST', '/schedules', { body: 'Hola a todos', contactId, sendAt: inMs(hours(1)) })
    await has(true)
    harness.clock.advance(2000)
    expect(answer).toMatchObject({ status: 402, body: { error: 'ERR_PLAN_FEATURE' } })
  })
})

describe('visibility of a scheduled message', () => {
  it('includes its author, users who see a ticket of the chat, and admins: in lists, by id and in events', async () => {
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    const { contactId } = await desk.showTicket(id)
    const [hers, his, theirs] = [await ana.listen(), await beto.listen(), await desk.admin.listen()]
    const made = await plan(desk.admin, contactId)
    for (const socketClient of [hers, theirs]) await socketClient.waitFor(topic(), { action: 'create' })
    expect((await show(made.id, ana)).id).toBe(made.id)
    const listed = async (by: TestUser) =>
      (await by.call(schedulesApi.list, { query: { contactId } })).schedules.map((s) => s.id)
    expect([await listed(ana), await listed(beto), await listed(desk.admin)]).toEqual([[made.id], [], [made.id]])
    for (const call of [
      beto.request('GET', `/schedules/${made.id}`),
      beto.request('DELETE', `/schedules/${made.id}`),
      beto.request('PUT', `/schedules/${made.id}/move`, { sendAt: '2099-01-01T10:00' }),
      beto.request('POST', `/schedules/${made.id}/retry`),
    ])
      expect(await call).toMatchObject({ status: 404, body: { error: 'ERR_NO_SCHEDULE_FOUND' } })
    // Once the message is in a ticket, that ticket's visibility applies: Ana cannot read it in another queue.
    const other = await desk.createQueue('Otra')
    const later = await plan(desk.admin, contactId)
    await desk.putTicket(desk.admin, id, { queueId: other.id, status: 'pending', userId: null })
    await desk.db.updateTable('schedules').set({ ticketId: id }).where('id', '=', later.id).execute()
    expect((await ana.request('GET', `/schedules/${later.id}`)).status).toBe(404)
    await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    expect((await show(later.id, ana)).id).toBe(later.id)
    // Authors see their own schedules without any ticket; a schedule moved to another contact is hidden from
    // others.
    const own = await plan(beto, (await createContact()).id)
    expect((await show(own.id, beto)).id).toBe(own.id)
    await ana.call(schedulesApi.update, {
      params: { id: made.id },
      body: { ...made, contactId: (await createContact()).id },
    })
    await hers.waitFor(topic(), { action: 'delete', scheduleId: made.id })
    await his.whenCaughtUp()
    expect(his.received.filter(({ name }) => name === topic()).map(({ payload }) => payload.action)).toEqual(['create'])
    expect(hers.received.filter(({ payload }) => (payload?.schedule as Schedule)?.id === own.id)).toEqual([])
    for (const socketClient of [hers, his, theirs]) socketClient.close()
  })
})

describe('a chat that becomes visible to other users', () => {
  it('publishes its schedules to those users, and removes them for users who lose visibility', async () => {
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    const { contactId } = await desk.showTicket(id)
    const made = await plan(desk.admin, contactId)
    const [hers, his] = [await ana.listen(), await beto.listen()]
    await desk.putTicket(desk.admin, id, { queueId: null, status: 'open', userId: beto.id })
    await his.waitFor(topic(), { action: 'update' })
    await hers.waitFor(topic(), { action: 'delete', scheduleId: made.id })
    expect((await show(made.id, beto)).id).toBe(made.id)
    expect((await ana.request('GET', `/schedules/${made.id}`)).status).toBe(404)
    for (const socketClient of [hers, his]) socketClient.close()
  })
})

describe('exactly-once sending', () => {
  it('survives a crash at every step: before, within and after the transaction, while sending, and with a second server', async () => {
    const { id: contactId, customer } = await createContact()
    const made = await plan(ana, contactId, { body: 'una sola vez', repeat: { unit: 'day', times: 2 } })
    const due = new Scope(harness.server.deps, { companyId: desk.company.id })
    await desk.withClockForward(hours(1) + 1000, async () => {
      // A process that dies within the transaction leaves nothing: no message, no next row, no ticket.
      const died = due.transaction(async (tx) => {
        await dueTimer.run(tx, [made.id])
        throw new Error('died before the commit')
      })
      await expect(died).rejects.toThrow('died')
    })
    expect(await rowOf(made.id)).toMatchObject({ status: 'PENDENTE', messageId: null, followed: false })
    expect(await desk.db.selectFrom('tickets').select('id').where('contactId', '=', contactId).execute()).toEqual([])
    // Two servers run at the same moment, each triggered several times: the second finds the message sent.
    const twin = await startSecondProcess(harness)
    await desk.withClockForward(hours(1) + 1000, async () => {
      const rings = Array.from({ length: 4 }, () => due.transaction((tx) => dueTimer.run(tx, [made.id])))
      await Promise.all([pollTimers(), twin.switchboard.timers.poll(), ...rings])
    })
    const { messageId } = await rowOf(made.id)
    await vi.waitFor(async () => expect(await listBodies(customer)).toEqual(['una sola vez']), pollOptions)
    // The process died while sending: the message is claimed again under the same id, which the vendor knows.
    await desk.db.updateTable('messages').set({ state: 'sending' }).where('id', '=', messageId).execute()
    await due.signal('outbox', desk.line.id)
    await waitForSchedule(made.id, 'ENVIADA')
    await desk.withClockForward(hours(2), async () => {
      await Promise.all([pollTimers(), twin.switchboard.timers.poll()])
    })
    expect(await listBodies(customer)).toEqual(['una sola vez'])
    const series = await desk.db
      .selectFrom('schedules')
      .selectAll()
      .where('contactId', '=', contactId)
      .orderBy('id')
      .execute()
    expect(series.map((s) => [s.nth, s.status])).toEqual([
      [1, 'ENVIADA'],
      [2, 'PENDENTE'],
    ])
  })
})

describe('a series of scheduled messages', () => {
  it('continues at the same wall-clock time, whatever happened to the last occurrence, until the series ends', async () => {
    const { id: contactId, customer } = await createContact()
    const at = toWallTime(new Date(harness.clock.now().getTime() + hours(1)), zone)
    const made = await plan(ana, contactId, { body: 'cada día', sendAt: at, repeat: { unit: 'day', times: 3 } })
    const series = () =>
      desk.db.selectFrom('schedules').selectAll().where('contactId', '=', contactId).orderBy('id').execute()
    await runTimersAfter(hours(1) + 1000)
    await waitForSchedule(made.id, 'ENVIADA')
    const second = (await series())[1]
    expect(toWallTime(new Date(second?.sendAt as string), zone).slice(11)).toBe(at.slice(11))
    // Only the second occurrence is moved: the third keeps its time.
    await ana.call(schedulesApi.move, { params: { id: second?.id }, body: { sendAt: inMs(hours(20)) } })
    // After a downtime, it is too late for the second occurrence and in time for the third.
    await runTimersAfter(hours(49) + minutes(30))
    const [, late, third] = await series()
    expect(late).toMatchObject({ status: 'ERRO', error: 'too-late' })
    expect(toWallTime(new Date(third?.sendAt as string), zone).slice(11)).toBe(at.slice(11))
    await runTimersAfter(hours(49) + minutes(30))
    await waitForSchedule(third?.id as number, 'ENVIADA')
    expect(await series()).toHaveLength(3)
    expect(await listBodies(customer)).toEqual(['cada día', 'cada día'])
    // A retry sends now, and creates no fourth occurrence.
    await ana.call(schedulesApi.retry, { params: { id: late?.id } })
    await waitForSchedule(late?.id as number, 'ENVIADA')
    expect(await series()).toHaveLength(3)
    expect(await listBodies(customer)).toHaveLength(3)
  })

  it('skips days off, and deletes one occurrence or all', async () => {
    const { id: contactId } = await createContact()
    await desk.admin.call(settingsApi.setHolidays, {
      body: { holidays: [{ day: '2099-01-15', name: 'Fiesta', yearly: false }] },
    })
    const repeat = { unit: 'day', skipOff: true }
    const made = await plan(ana, contactId, { sendAt: '2099-01-15T10:00', repeat })
    expect(made.sendAt).toBe(dateOfWallTime('2099-01-16T10:00', zone).toISOString())
    await desk.admin.call(settingsApi.setHolidays, { body: { holidays: [] } })
    const days = async () =>
      (await ana.call(schedulesApi.list, { query: { contactId } })).schedules.map((s) =>
        toWallTime(new Date(s.sendAt), zone),
      )
    await ana.call(schedulesApi.remove, { params: { id: made.id }, query: { only: true } })
    expect(await days()).toEqual(['2099-01-17T10:00'])
    const [left] = (await ana.call(schedulesApi.list, { query: { contactId } })).schedules
    await ana.call(schedulesApi.remove, { params: { id: left?.id }, query: {} })
    expect(await days()).toEqual([])
  })
})

describe('reasons that hold a scheduled message', () => {
  it('include an offline line, with the reason shown, until the line is connected again or it is too late', async () => {
    const one = await createContact()
    const other = await createContact()
    const [waits, dies] = [await plan(ana, one.id), await plan(ana, other.id)]
    const socketClient = await ana.listen()
    await down(true)
    await runTimersAfter(hours(1) + 1000)
    expect(await show(waits.id)).toMatchObject({ status: 'AGENDADA', error: 'line-down', sentAt: null })
    await socketClient.waitFor(topic(), { action: 'update' })
    await ana.call(schedulesApi.move, { params: { id: dies.id }, body: { sendAt: inMs(minutes(1)) } })
    await desk.setSetting('scheduleLateHours', '1')
    await runTimersAfter(hours(1) + minutes(2))
    expect(await show(dies.id)).toMatchObject({ status: 'ERRO', error: 'too-late' })
    await desk.setSetting('scheduleLateHours', '12')
    await down(false)
    await runTimersAfter(hours(2))
    await waitForSchedule(waits.id, 'ENVIADA')
    expect(await listBodies(one.customer)).toHaveLength(1)
    expect(await listBodies(other.customer)).toEqual([])
    socketClient.close()
  })

  it('include a customer who wrote meanwhile, if the author chose that option; then the author decides', async () => {
    const { id, customer } = await desk.openTicket(ana)
    const { contactId } = await desk.showTicket(id)
    const held = await plan(ana, contactId, { onReply: 'hold', body: 'recordatorio' })
    const goes = await plan(ana, contactId, { onReply: 'send', body: 'va igual' })
    expect(await show(held.id)).toMatchObject({ wroteAt: null })
    await desk.waitForMessage(await customer.says('ya lo tengo'))
    expect(await show(held.id)).toMatchObject({ wroteAt: expect.any(String), heldAt: null })
    const socketClient = await ana.listen()
    await runTimersAfter(hours(1) + 1000)
    expect(await show(held.id)).toMatchObject({ status: 'PENDENTE', heldAt: expect.any(String) })
    // The author gets a notice and a push with the ticket in which the customer wrote.
    const { contact } = await desk.showTicket(id)
    await socketClient.waitFor(`company-${desk.company.id}-notice`, { action: 'create' })
    const told = (await ana.call(noticesApi.list)).notices.filter((one) => one.ticketId === id)
    expect(told).toMatchObject([{ kind: 'held', by: { id: 0, name: contact.name } }])
    socketClient.close()
    const listed = async (query: object) => (await ana.call(schedulesApi.list, { query })).schedules.map((s) => s.id)
    expect(await listed({ contactId, held: true })).toEqual([held.id])
    expect(await listed({ contactId, held: false })).toEqual([goes.id])
    await waitForSchedule(goes.id, 'ENVIADA')
    await runTimersAfter(hours(5))
    expect(await listBodies(customer)).not.toContain('recordatorio')
    await ana.call(schedulesApi.retry, { params: { id: held.id } })
    await waitForSchedule(held.id, 'ENVIADA')
    expect(await listBodies(customer)).toContain('recordatorio')
  })

  it('include a company that has not paid', async () => {
    const { id: contactId } = await createContact()
    const made = await plan(ana, contactId)
    const due = (dueDate: string | null) =>
      desk.db.updateTable('companies').set({ dueDate }).where('id', '=', desk.company.id).execute()
    await due('2020-01-01')
    await runTimersAfter(hours(1) + 1000)
    await due(null)
    expect(await rowOf(made.id)).toMatchObject({ status: 'ERRO', error: 'not-paid' })
  })

  it('include an official line outside its 24-hour window', async () => {
    const { id: contactId } = await createContact()
    const line = { companyId: desk.company.id, name: 'Oficial', provider: 'cloud' as const, tokenHash: null }
    const { id: whatsappId } = await desk.db
      .insertInto('whatsapps')
      .values({ ...line, status: 'CONNECTED' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made = await plan(ana, contactId, { whatsappId })
    await runTimersAfter(hours(1) + 1000)
    expect(await rowOf(made.id)).toMatchObject({ status: 'ERRO', error: 'window-closed', messageId: null })
    // A template is sent outside the window, too.
    const template = { template: { name: 'hola', language: 'es', components: [] } }
    const approved = await plan(ana, contactId, { whatsappId })
    await desk.db
      .updateTable('schedules')
      .set({ sendAs: JSON.stringify(template) })
      .where('id', '=', approved.id)
      .execute()
    await runTimersAfter(hours(1) + 1000)
    const { messageId } = await rowOf(approved.id)
    const message = await desk.db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', messageId)
      .executeTakeFirstOrThrow()
    expect(message.sendAs).toEqual(template)
    // The line is deleted: waiting schedules fail with the reason, and can be retried on another line.
    const waits = await plan(ana, contactId, { whatsappId })
    await desk.admin.call(connectionsApi.remove, { params: { id: whatsappId } })
    await vi.waitFor(
      async () => expect(await rowOf(waits.id)).toMatchObject({ status: 'ERRO', error: 'line-gone' }),
      pollOptions,
    )
    await waitForSchedule(approved.id, 'ERRO')
    await ana.call(schedulesApi.retry, { params: { id: waits.id } })
    await waitForSchedule(waits.id, 'ENVIADA')
    expect(await show(waits.id)).toMatchObject({ whatsappId: desk.line.id })
  })
})

describe('scheduled messages of a contact', () => {
  it('are deleted with the contact, with an event, and move with the contact on merge', async () => {
    const gone = await createContact()
    const made = await plan(ana, gone.id)
    const socketClient = await ana.listen()
    await desk.admin.call(contactsApi.remove, { params: { id: gone.id } })
    await socketClient.waitFor(topic(), { action: 'delete', scheduleId: made.id })
    expect(await desk.db.selectFrom('schedules').select('id').where('id', '=', made.id).execute()).toEqual([])

    const phone = nextPhoneNumber()
    const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
    const find = (identity: object) =>
      resolveContact(scope, { identity, name: 'Dos', whatsappId: desk.line.id }, deskContactHooks).then(
        (found) => found.contact.id,
      )
    const [first, second] = [await find({ phone }), await find({ lid: `9${phone}` })]
    const kept = [await plan(ana, first), await plan(ana, second)]
    const one = await find({ phone, lid: `9${phone}` })
    for (const { id } of kept) expect(await show(id)).toMatchObject({ contactId: one })
    const [merge] = await desk.admin.call(contactsApi.merges, { params: { id: one } })
    await desk.admin.call(contactsApi.unmerge, { params: { id: merge?.id } })
    expect(
      new Set([(await rowOf(kept[0]?.id as number)).contactId, (await rowOf(kept[1]?.id as number)).contactId]),
    ).toEqual(new Set([first, second]))
    socketClient.close()
  })
})

describe('many scheduled messages at once', () => {
  it("are sent one after another, and an agent's reply is sent before them", async () => {
    const { id } = await desk.openTicket(ana)
    const people: number[] = []
    for (let n = 0; n < 5; n++) people.push((await createContact(`Persona ${n}`)).id)
    for (const contactId of people) await plan(ana, contactId, { body: 'a la misma hora', sendAt: '2099-03-01T10:00' })
    // Sending is stopped while the messages are stored, so all of them wait and the reply is stored last.
    await harness.server.switchboard.outbox.end(desk.line.id)
    const sendAt = new Date(harness.clock.now().getTime() - 1000)
    await desk.db.updateTable('schedules').set({ sendAt }).where('contactId', 'in', people).execute()
    await pollTimers()
    await desk.send(ana, id, 'respuesta')
    const line = { id: desk.line.id, companyId: desk.company.id }
    const asked = {
      others: [],
      hasWindow: false,
      isPaced: false,
      coldBefore: null,
      bulkWait: false,
      now: harness.clock.now(),
    }
    const waiting = await desk.db
      .selectFrom('messages')
      .select('id')
      .where('whatsappId', '=', desk.line.id)
      .where('state', '=', 'queued')
      .execute()
    expect(waiting).toHaveLength(6)
    expect(await claimNextMessage(harness.server.deps, line, asked)).toMatchObject({ body: 'respuesta' })
  })
})

describe('a scheduled message for a ticket that its author may not see', () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'accepted',
      (e: { code: string }) => e.code,
    )
  /** A customer whose ticket is attended by an agent of that queue. */
  async function attendedIn(queue: { id: number }, by: TestUser) {
    const { customer, id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: queue.id })
    await desk.accept(by, id)
    return { customer, id, contactId: (await desk.showTicket(id)).contactId }
  }

  it('is refused when created, changed, moved, given a file or sent at once', async () => {
    const support = await desk.createQueue()
    const helper = await desk.createUser('user', [support])
    const { contactId } = await attendedIn(support, helper)
    const leader = await desk.createUser('supervisor', [sales])
    for (const by of [ana, beto, leader]) expect(await refusal(plan(by, contactId))).toBe('ERR_OTHER_OPEN_TICKET')
    const free = await createContact()
    const own = await plan(ana, free.id)
    const body = { body: 'A otra persona', contactId, sendAt: inMs(hours(1)), whatsappId: null }
    expect(await refusal(ana.call(schedulesApi.update, { params: { id: own.id }, body }))).toBe('ERR_OTHER_OPEN_TICKET')
    // The schedule was created while no agent attended the chat.
    const { id: theirs } = await desk.db
      .insertInto('schedules')
      .values({
        ...{ companyId: desk.company.id, contactId, whatsappId: desk.line.id, userId: ana.id, body: 'Hola, hola' },
        ...{ sendAt: inMs(hours(2)), first: '2026-01-01T10:00', slot: '2026-01-01T10:00' },
        ...{ savedAt: harness.clock.now(), createdAt: harness.clock.now(), onReply: 'send' },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const params = { id: theirs }
    expect(await refusal(ana.call(schedulesApi.move, { params, body: { sendAt: inMs(hours(3)) } }))).toBe(
      'ERR_OTHER_OPEN_TICKET',
    )
    const same = { ...body, body: 'Otras palabras' }
    expect(await refusal(ana.call(schedulesApi.update, { params, body: same }))).toBe('ERR_OTHER_OPEN_TICKET')
    const sent = await sendForm(ana, `/schedules/${theirs}/media-upload`, { file: [[tinyPng, 'x.png']] })
    expect(sent.status).toBe(409)
    await helper.call(schedulesApi.move, { params, body: { sendAt: inMs(hours(3)) } })
    await ana.call(schedulesApi.remove, { params })
  })

  it('is not sent once its author has left the queue, until an agent of the queue sends it', async () => {
    const night = await desk.createQueue()
    const author = await desk.createUser('user', [night])
    const heir = await desk.createUser('user', [night])
    const { id, contactId } = await attendedIn(night, author)
    const made = await plan(author, contactId)
    const late = await plan(author, contactId, { sendAt: inMs(hours(2)) })
    await desk.putTicket(author, id, { userId: null, status: 'pending' })
    await desk.accept(heir, id)
    // A colleague of the same queue attends the ticket, so the message is sent.
    await runTimersAfter(hours(1) + minutes(1))
    expect(await rowOf(made.id)).toMatchObject({ error: null, messageId: expect.anything() })
    await desk.db.deleteFrom('userQueues').where('userId', '=', author.id).execute()
    await runTimersAfter(hours(2) + minutes(1))
    expect(await rowOf(late.id)).toMatchObject({ status: 'ERRO', error: 'no-access', messageId: null })
    expect(await refusal(author.call(schedulesApi.retry, { params: { id: late.id } }))).toBe('ERR_OTHER_OPEN_TICKET')
    await heir.call(schedulesApi.retry, { params: { id: late.id } })
    await vi.waitFor(async () => {
      await pollTimers()
      expect(await rowOf(late.id)).toMatchObject({ error: null, messageId: expect.anything(), ticketId: id })
    }, pollOptions)
    expect(await rowOf(late.id)).toMatchObject({ userId: heir.id })
  })
})
