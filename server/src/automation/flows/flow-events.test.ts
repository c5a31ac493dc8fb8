import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import { flowsApi } from '@recado/contract/flows/flows'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../test/test-server.ts'
import { hours, minutes } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
let owner: pg.Pool
beforeAll(async () => {
  harness = await testServer()
  owner = openOwnerPool(harness)
  // The worker deletes events when it takes them, so the test keeps a copy of every event.
  await owner.query(`
    create table "seenEvents" as select * from "flowEvents" limit 0;
    create function copy_event() returns trigger language plpgsql security definer as
      $$ begin insert into "seenEvents" select new.*; return null; end $$;
    create trigger copied after insert on "flowEvents" for each row execute function copy_event();`)
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})
beforeEach(async () => {
  desk = await openDesk(harness)
})

type Trigger = z.input<typeof FlowTrigger>
/** Publishes a rule that starts on any of the triggers, and does nothing. */
async function waitFor(...triggers: Trigger[]): Promise<number> {
  const { id, revision } = await desk.admin.call(flowsApi.create, {
    body: {
      name: 'Regla',
      document: {
        kind: 'rule',
        triggers,
        first: 'a',
        steps: [
          { kind: 'priority', id: 'a', priority: 'high', next: 'b' },
          { kind: 'end', id: 'b' },
        ],
      },
    },
  })
  await desk.admin.call(flowsApi.publish, { params: { id }, body: { revision } })
  return id
}
async function listSeen(): Promise<{ kind: string; key: string; ticketId: number; details: object }[]> {
  const { rows } = await owner.query(
    'select kind, key, "ticketId", details from "seenEvents" where "companyId" = $1 order by id',
    [desk.company.id],
  )
  return rows
}
const listBriefly = async () => (await listSeen()).map(({ kind, ticketId, details }) => [kind, ticketId, details])
const runTimersAfter = (ms: number) => desk.withClockForward(ms, () => harness.server.switchboard.timers.poll())
const createTag = (name: string, kanban = 0): Promise<{ id: number }> =>
  desk.admin.request<{ id: number }>('POST', '/tags', { name, color: '#112233', kanban }).then(({ body }) => body)

describe('an event', () => {
  it('is not recorded while no active flow waits for its kind', async () => {
    const { id } = await desk.newTicket()
    const flowId = await waitFor({ kind: 'snoozeOver' })
    await desk.newTicket()
    expect(await listSeen()).toEqual([])
    await waitFor({ kind: 'resolved' })
    await desk.admin.call(flowsApi.setActive, { params: { id: flowId }, body: { active: false } })
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    expect(await listBriefly()).toEqual([['resolved', id, { closingReasonId: null }]])
  })

  it('is recorded for each message of a customer, on every path of the inbox', async () => {
    await waitFor({ kind: 'message' })
    const { id, customer } = await desk.newTicket('Quiero el precio')
    await desk.waitForMessage(await customer.says('por favor'))
    await desk.accept(desk.admin, id)
    // Now the messages take the fast path.
    await desk.waitForMessage(await customer.says('gracias'))
    await desk.send(desk.admin, id, 'De nada')
    expect(await listBriefly()).toEqual([
      ['message', id, { text: 'Quiero el precio', hasFile: false, isFirst: true }],
      ['message', id, { text: 'por favor', hasFile: false, isFirst: false }],
      ['message', id, { text: 'gracias', hasFile: false, isFirst: false }],
    ])
    const ids = (
      await desk.db
        .selectFrom('messages')
        .select('id')
        .where('ticketId', '=', id)
        .where('fromMe', '=', false)
        .orderBy('id')
        .execute()
    ).map((m) => m.id)
    expect((await listSeen()).map(({ key }) => key)).toEqual(ids.map((one) => `message:${one}`))
  })

  it('has the caption and the file of a message, and its text once it is decrypted', async () => {
    await waitFor({ kind: 'message' })
    const phone = nextPhoneNumber()
    const file = { kind: 'media' as const, mediaType: 'image' as const, body: 'mira', name: 'playa.png', key: {} }
    await desk.receive(makeTextEvent(phone, '', { content: file }))
    const { content: _, ...late } = makeTextEvent(phone, '')
    await desk.receive({ ...late, kind: 'pending' } as never)
    expect(await listSeen()).toHaveLength(1)
    await desk.receive({ ...makeTextEvent(phone, 'por fin'), id: late.id, kind: 'fill' } as never)
    expect((await listSeen()).map(({ details }) => details)).toEqual([
      { text: 'mira', hasFile: true, isFirst: true },
      { text: 'por fin', hasFile: false, isFirst: false },
    ])
  })

  it('is not recorded for messages of groups', async () => {
    await waitFor({ kind: 'message' }, { kind: 'ticketOpened' })
    await desk.setSetting('CheckMsgIsGroup', 'disabled')
    const group = { id: '123@g.us', name: 'Familia', author: { phone: nextPhoneNumber() }, authorName: 'Tío' }
    await desk.receive(makeTextEvent(nextPhoneNumber(), 'hola a todos', { group } as never))
    const messages = await desk.db
      .selectFrom('messages')
      .select('id')
      .where('companyId', '=', desk.company.id)
      .execute()
    expect(messages).toHaveLength(1)
    expect(await listSeen()).toEqual([])
  })

  it('is recorded when a ticket is opened, moved, resolved and opened again', async () => {
    await waitFor({ kind: 'ticketOpened' }, { kind: 'ticketMoved' }, { kind: 'resolved' })
    const queue = await desk.createQueue()
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: queue.id })
    await desk.accept(desk.admin, id)
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    await desk.putTicket(desk.admin, id, { status: 'open' })
    expect(await listBriefly()).toEqual([
      ['ticketOpened', id, {}],
      ['ticketMoved', id, { queueId: queue.id }],
      ['resolved', id, { closingReasonId: null }],
      ['ticketOpened', id, {}],
    ])
    expect(new Set((await listSeen()).map(({ key }) => key)).size).toBe(4)
  })

  it('is recorded when a ticket gets a tag, and when the tag is a lane', async () => {
    await waitFor({ kind: 'tagged' }, { kind: 'laneEntered' })
    const [tag, lane] = [await createTag('VIP'), await createTag('En curso', 1)]
    const { id } = await desk.newTicket()
    for (const tagId of [tag.id, lane.id])
      await desk.db.insertInto('ticketTags').values({ companyId: desk.company.id, ticketId: id, tagId }).execute()
    expect(await listBriefly()).toEqual([
      ['tagged', id, { tagId: tag.id }],
      ['tagged', id, { tagId: lane.id }],
      ['laneEntered', id, { tagId: lane.id }],
    ])
  })

  it('is recorded when the customer rates, with the score of the company’s scale', async () => {
    await waitFor({ kind: 'rated' }, { kind: 'message' })
    await desk.setSetting('userRating', 'enabled')
    await desk.setSetting('ratingScale', '10')
    const { id, customer } = await desk.openTicket(desk.admin)
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    await desk.waitForHandled(await customer.says('8'))
    // The rating is no message of a conversation.
    expect((await listBriefly()).slice(1)).toEqual([['rated', id, { rate: 8 }]])
  })

  it('is recorded when a field of the contact changes, for its active tickets alone', async () => {
    await waitFor({ kind: 'fieldChanged', field: 'Plan' })
    const { id } = await desk.newTicket()
    const { contactId, companyId } = await desk.db
      .selectFrom('tickets')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const field = await desk.db
      .insertInto('contactFields')
      .values({ companyId, contactId, name: 'Plan', value: 'Oro' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const setValue = (value: string) =>
      desk.db.updateTable('contactFields').set({ value }).where('id', '=', field.id).execute()
    await setValue('Oro')
    await setValue('Plata')
    await setValue('')
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    await setValue('Bronce')
    expect(await listBriefly()).toEqual([
      ['fieldChanged', id, { field: 'Plan', value: 'Oro' }],
      ['fieldChanged', id, { field: 'Plan', value: 'Plata' }],
    ])
  })

  it('is recorded when the time of a snooze comes, and not when somebody ends it', async () => {
    await waitFor({ kind: 'snoozeOver' })
    const until = new Date(harness.clock.now().getTime() + hours(1)).toISOString()
    const [first, second] = [await desk.openTicket(desk.admin), await desk.openTicket(desk.admin)]
    for (const { id } of [first, second]) await desk.admin.request('PUT', `/tickets/${id}/snooze`, { until })
    await desk.waitForMessage(await second.customer.says('¿y?'))
    await runTimersAfter(hours(1) + 1000)
    expect(await listBriefly()).toEqual([['snoozeOver', first.id, {}]])
  })

  it('is recorded when the customer answers a campaign', async () => {
    await waitFor({ kind: 'campaignAnswered' })
    const { id } = await desk.newTicket()
    const {
      id: _,
      aloneWith: _generated,
      ...message
    } = await desk.db.selectFrom('messages').selectAll().where('ticketId', '=', id).executeTakeFirstOrThrow()
    await desk.db
      .insertInto('messages')
      .values({ ...message, wid: 'answer', campaignId: 77, reactions: '[]' } as never)
      .execute()
    expect(await listBriefly()).toEqual([['campaignAnswered', id, { campaignId: 77 }]])
  })

  it('is rolled back with what happened', async () => {
    await waitFor({ kind: 'resolved' })
    const { id } = await desk.newTicket()
    const client = await owner.connect()
    await client.query('begin')
    await client.query(`update tickets set status = 'closed' where id = $1`, [id])
    await client.query('rollback')
    client.release()
    expect(await listSeen()).toEqual([])
  })
})

describe('time alone', () => {
  it('announces once that the customer is silent, and again after the next silence', async () => {
    await waitFor({ kind: 'silent', minutes: 60 })
    const [quiet, answering] = [await desk.openTicket(desk.admin), await desk.openTicket(desk.admin)]
    for (const { id } of [quiet, answering]) await desk.send(desk.admin, id, '¿Le parece bien?')
    await desk.waitForMessage(await answering.customer.says('sí'))
    const expected = ['silent', quiet.id, { minutes: 60, inOpenHours: false }]
    await runTimersAfter(minutes(61))
    await runTimersAfter(minutes(90))
    expect(await listBriefly()).toEqual([expected])
    await desk.waitForMessage(await quiet.customer.says('perdón'))
    await runTimersAfter(minutes(92))
    await desk.send(desk.admin, quiet.id, '¿Y ahora?')
    // The looks above were ahead of this message.
    await desk.db
      .updateTable('tickets')
      .set({ updatedAt: new Date(harness.clock.now().getTime() + minutes(60)) })
      .where('id', '=', quiet.id)
      .execute()
    await runTimersAfter(minutes(121))
    expect(await listBriefly()).toEqual([expected, expected])
    const keys = (await listSeen()).map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })

  it('counts in opening hours where the flow says so', async () => {
    // The desk is open for one hour, from twelve hours from now on.
    const opensAt = new Date(harness.clock.now().getTime() + hours(12))
    const day = opensAt.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase()
    const timeOf = (at: Date) => at.toISOString().slice(11, 16)
    const schedule = {
      weekday: '',
      weekdayEn: day,
      startTime: timeOf(opensAt),
      endTime: timeOf(new Date(opensAt.getTime() + hours(1))),
    }
    await desk.setSetting('scheduleType', 'company')
    await desk.setSetting('timezone', 'UTC')
    await desk.db
      .updateTable('companies')
      .set({ schedules: JSON.stringify([schedule]) })
      .where('id', '=', desk.company.id)
      .execute()
    await desk.db
      .updateTable('companies')
      .set((eb) => ({ rulesVersion: eb('rulesVersion', '+', 1) }))
      .where('id', '=', desk.company.id)
      .execute()
    await waitFor({ kind: 'unanswered', minutes: 30, inOpenHours: true })
    const { id } = await desk.newTicket()
    await runTimersAfter(hours(12) + minutes(25))
    expect(await listSeen()).toEqual([])
    await runTimersAfter(hours(12) + minutes(35))
    await runTimersAfter(hours(20))
    expect(await listBriefly()).toEqual([['unanswered', id, { minutes: 30, inOpenHours: true }]])
  })

  it('announces a goal that comes near, one that is near from the beginning, and each that is missed', async () => {
    await waitFor({ kind: 'goalNear', minutes: 5 }, { kind: 'goalNear', minutes: 15 }, { kind: 'goalMissed' })
    const queue = await desk.createQueue()
    await desk.admin.request('PUT', `/queue/${queue.id}`, { name: queue.name, color: queue.color, answerGoal: 10 })
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: queue.id, userId: null })
    await runTimersAfter(minutes(1))
    expect(await listBriefly()).toEqual([['goalNear', id, { minutes: 15 }]])
    await runTimersAfter(minutes(6))
    await runTimersAfter(minutes(9))
    expect((await listBriefly()).slice(1)).toEqual([['goalNear', id, { minutes: 5 }]])
    await runTimersAfter(minutes(11))
    expect((await listBriefly()).slice(2)).toEqual([['goalMissed', id, {}]])
  })

  it('starts a daily flow once a day in the active conversations, and not for days that were missed', async () => {
    await desk.setSetting('timezone', 'America/Sao_Paulo')
    const time = new Date(harness.clock.now().getTime() + hours(2)).toLocaleTimeString('en-GB', {
      ...{ hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' },
    })
    await waitFor({ kind: 'daily', time })
    const [{ id }, closed] = [await desk.newTicket(), await desk.newTicket()]
    await desk.putTicket(desk.admin, closed.id, { status: 'closed' })
    await runTimersAfter(0)
    await runTimersAfter(hours(1))
    expect(await listSeen()).toEqual([])
    await runTimersAfter(hours(2))
    await runTimersAfter(hours(3))
    expect(await listBriefly()).toEqual([['daily', id, { time }]])
    await runTimersAfter(hours(24 * 4 + 3))
    await runTimersAfter(hours(24 * 4 + 4))
    expect(await listSeen()).toHaveLength(2)
  })

  it('starts a weekly flow on its days', async () => {
    await desk.setSetting('timezone', 'UTC')
    const { id } = await desk.newTicket()
    const soon = new Date(harness.clock.now().getTime() + hours(1))
    const time = soon.toISOString().slice(11, 16)
    const day = (soon.getUTCDay() + 6) % 7
    await waitFor({ kind: 'weekly', time, days: [(day + 2) % 7] })
    for (let n = 0; n < 4; n++) await runTimersAfter(hours(1 + 24 * n))
    expect(await listBriefly()).toEqual([['weekly', id, { time, day: (day + 2) % 7 }]])
  })

  it('starts a flow some days before the date in a field, and every year for a birthday', async () => {
    await desk.setSetting('timezone', 'UTC')
    const at = new Date(harness.clock.now().getTime() + hours(1))
    const time = at.toISOString().slice(11, 16)
    const dayAfter = (n: number) => new Date(at.getTime() + hours(24 * n)).toISOString().slice(0, 10)
    await waitFor(
      { kind: 'fieldDate', field: 'Cita', days: -1, time },
      { kind: 'fieldDate', field: 'Cumpleaños', days: 0, time, yearly: true },
    )
    const withField = async (name: string, value: string) => {
      const { id } = await desk.newTicket()
      const { contactId, companyId } = await desk.db
        .selectFrom('tickets')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await desk.db.insertInto('contactFields').values({ companyId, contactId, name, value }).execute()
      return id
    }
    const tomorrow = await withField('cita', dayAfter(1))
    await withField('Cita', dayAfter(2))
    const birthday = await withField('CUMPLEANOS', `1990${dayAfter(0).slice(4)}`)
    await withField('Cita', 'pronto')
    await runTimersAfter(hours(1) + 1000)
    expect((await listBriefly()).toSorted()).toEqual(
      [
        ['fieldDate', tomorrow, { field: 'Cita', days: -1, time, yearly: false }],
        ['fieldDate', birthday, { field: 'Cumpleaños', days: 0, time, yearly: true }],
      ].toSorted(),
    )
  })
})

// Last, because the second process looks for work in the tests that follow.
describe('with two processes', () => {
  it('announces once that nobody answers, at the end of the time', async () => {
    await waitFor({ kind: 'unanswered', minutes: 30 }, { kind: 'unanswered', minutes: 60 })
    const { id, customer } = await desk.newTicket()
    await runTimersAfter(minutes(30) - 2000)
    expect(await listSeen()).toEqual([])
    const twin = await startSecondProcess(harness)
    await desk.withClockForward(minutes(30) + 2000, async () => {
      await Promise.all([harness.server.switchboard.timers.poll(), twin.switchboard.timers.poll()])
    })
    await twin.close()
    await desk.waitForMessage(await customer.says('¿hola?'))
    await runTimersAfter(minutes(45))
    expect(await listBriefly()).toEqual([['unanswered', id, { minutes: 30, inOpenHours: false }]])
    await runTimersAfter(minutes(61))
    expect((await listBriefly()).slice(1)).toEqual([['unanswered', id, { minutes: 60, inOpenHours: false }]])
  })
})
