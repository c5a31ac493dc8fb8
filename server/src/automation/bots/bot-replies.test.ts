import { companiesApi } from '@recado/contract/companies'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { weekdays } from '@recado/contract/hours/hours'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import { settingsApi } from '@recado/contract/settings'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { days, minutes } from '../../kernel/clock.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

/** A company whose line has these queues. */
async function company(queues: string[], line: object = {}) {
  const d = await openDesk(harness)
  const made = []
  for (const [i, name] of queues.entries())
    made.push(
      await d.admin.call(queuesApi.create, {
        body: { name, color: `#0000${i}0`, orderQueue: i, greetingMessage: `Bienvenido a ${name}` } as never,
      }),
    )
  await setLine(d, { queueIds: made.map((q) => q.id), ...line })
  return { d, queues: made }
}
async function setLine(d: Desk, values: object) {
  const row = await d.line.showLine()
  const body = { ...row, queueIds: row.queues.map((q) => q.id), greetingMessage: 'Hola {{firstName}}', ...values }
  await d.admin.call(connectionsApi.update, { params: { id: d.line.id }, body: body as never })
}
const option = (d: Desk, queueId: number, title: string, more: object = {}) =>
  d.admin.call(queueOptionsApi.create, { body: { queueId, title, message: `Sobre ${title}`, ...more } as never })

/** A customer whose `says` waits until the message is handled, and returns the ticket id. */
function createGuest(d: Desk, name = 'Lucía Paz') {
  const customer = d.line.customer(nextPhoneNumber(), name)
  return {
    ...customer,
    async says(text: string): Promise<number> {
      const { ticketId } = await d.waitForHandled(await customer.says(text))
      return ticketId as number
    },
  }
}
const messages = (d: Desk, ticketId: number) =>
  d.db.selectFrom('messages').selectAll().where('ticketId', '=', ticketId).orderBy('id').execute()
const listBotTexts = async (d: Desk, ticketId: number) =>
  (await messages(d, ticketId)).filter((m) => m.fromMe).map((m) => m.body)
const lastBotText = async (d: Desk, ticketId: number) => (await listBotTexts(d, ticketId)).at(-1)
const row = (d: Desk, id: number) =>
  d.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a line with several queues', () => {
  let d: Desk
  let sales: { id: number }
  let support: { id: number }
  beforeAll(async () => {
    const made = await company(['Ventas', 'Soporte'])
    d = made.d
    sales = made.queues[0] as { id: number }
    support = made.queues[1] as { id: number }
    const warranty = await option(d, support.id, 'Garantía')
    await option(d, support.id, 'Cambiar', { parentId: warranty.id })
    await option(d, support.id, 'Estado', { parentId: warranty.id, leads: 'end' })
    await option(d, support.id, 'Repuestos', { leads: 'queue', forwardQueueId: sales.id })
  })

  it('asks for a queue, using the customer’s name, and the answer leads to an agent of that queue', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    expect(await listBotTexts(d, id)).toEqual([
      'Hola Lucía\n\nEscribe el número de tu opción:\n*1* Ventas\n*2* Soporte',
    ])
    expect(await d.showTicket(id)).toMatchObject({ chatbot: true, queueId: null, status: 'pending', unreadMessages: 1 })
    expect(await lucia.says('1')).toBe(id)
    expect(await lastBotText(d, id)).toBe('Bienvenido a Ventas')
    expect(await d.showTicket(id)).toMatchObject({ chatbot: false, queueId: sales.id, status: 'pending' })
    // The bot is done: all further messages are for agents.
    for (const text of ['#', '0', '2', 'hola?']) await lucia.says(text)
    expect(await listBotTexts(d, id)).toHaveLength(2)
    await vi.waitFor(async () => expect((await lucia.listMessages()).filter((m) => !m.fromCustomer)).toHaveLength(2))
    const marks = (await messages(d, id)).map((m) => m.bot)
    expect(marks).toEqual([null, 'menu', null, 'menu', null, null, null, null])
    expect((await messages(d, id)).filter((m) => m.bot).every((m) => m.userId === null)).toBe(true)
  })

  it('starts a new segment when the bot is done, so that the wait for an agent is measured separately', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await lucia.says('1')
    expect(await d.listSegments(id)).toMatchObject([
      { queueId: sales.id, chatbotAt: expect.any(String), startedAt: null, userId: null, endedBy: 'bot' },
      { queueId: sales.id, chatbotAt: null, queuedAt: expect.any(String), startedAt: null, endedBy: null },
    ])
  })

  it('shows agents the ticket of a customer who phoned, and sends the menu when that customer writes', async () => {
    const agent = await d.createUser('user', [sales])
    const lucia = createGuest(d)
    const wid = await lucia.calls()
    await d.waitForHandled(wid)
    const { ticketId: id } = await d.waitForMessage(`call:${wid}`)
    expect(await d.showTicket(id, agent)).toMatchObject({ status: 'pending', queueId: sales.id, chatbot: false })
    expect((await d.listEvents(id)).flatMap((e) => e.steps)).toContainEqual(
      expect.objectContaining({ step: 'transferred', why: 'called' }),
    )
    expect(await lucia.says('hola')).toBe(id)
    expect(await lastBotText(d, id)).toMatch(/^Hola Lucía/)
    expect(await d.showTicket(id)).toMatchObject({ queueId: null, chatbot: true })
    // The same happens if the line has a default queue.
    await setLine(d, { transferQueueId: support.id })
    const omar = createGuest(d, 'Omar Gil')
    const again = await omar.calls()
    await d.waitForHandled(again)
    const other = (await d.waitForMessage(`call:${again}`)).ticketId
    expect(await d.showTicket(other)).toMatchObject({ queueId: support.id })
    await omar.says('hola')
    expect(await lastBotText(d, other)).toMatch(/^Hola Omar/)
    // A customer who is already in the menu stays in it.
    await d.waitForHandled(await omar.calls())
    expect(await d.showTicket(other)).toMatchObject({ queueId: null, chatbot: true })
    await setLine(d, { transferQueueId: null })
  })

  it('navigates down, back and to the top of the menu, and the bot ends at an option without sub-options', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await lucia.says('2')
    expect(await lastBotText(d, id)).toMatch(
      /^Bienvenido a Soporte\n\n.*\n\*1\* Garantía\n\*2\* Repuestos\n\*#\* Menú principal$/,
    )
    await lucia.says('1')
    expect(await lastBotText(d, id)).toMatch(/\*1\* Cambiar\n\*2\* Estado\n\*0\* Volver\n\*#\* Menú principal$/)
    await lucia.says('0')
    expect(await lastBotText(d, id)).toMatch(/^Bienvenido a Soporte/)
    await lucia.says('#')
    expect(await lastBotText(d, id)).toMatch(/^Hola Lucía/)
    expect(await d.showTicket(id)).toMatchObject({ queueId: null, chatbot: true })
    await lucia.says('2')
    await lucia.says('1')
    await lucia.says('1')
    expect(await lastBotText(d, id)).toBe('Sobre Cambiar')
    expect(await d.showTicket(id)).toMatchObject({ queueId: support.id, chatbot: false, status: 'pending' })
  })

  it('transfers to another queue or closes the ticket if the chosen option says so', async () => {
    const one = createGuest(d)
    const passed = await one.says('hola')
    for (const text of ['2', '2']) await one.says(text)
    expect(await d.showTicket(passed)).toMatchObject({ queueId: sales.id, chatbot: false, status: 'pending' })
    const two = createGuest(d)
    const ended = await two.says('hola')
    for (const text of ['2', '1', '2']) await two.says(text)
    expect(await lastBotText(d, ended)).toBe('Sobre Estado')
    expect(await d.showTicket(ended)).toMatchObject({ status: 'closed', unreadMessages: 0 })
    // A customer who writes again after the closing gets the menu again.
    const again = await two.says('hola')
    expect(again).not.toBe(ended)
    expect(await lastBotText(d, again)).toMatch(/^Hola Lucía/)
  })

  it('repeats the question three times, each time worded differently, and then calls an agent', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    for (const text of ['no entiendo', '9', 'quiero una persona']) await lucia.says(text)
    const all = await listBotTexts(d, id)
    expect(all).toHaveLength(4)
    expect(new Set(all).size).toBe(4)
    expect(await d.showTicket(id)).toMatchObject({ chatbot: true })
    await lucia.says('por favor')
    expect(await lastBotText(d, id)).toBe('Gracias. Te responde una persona por aquí.')
    expect(await d.showTicket(id)).toMatchObject({ chatbot: false, status: 'pending', queueId: sales.id })
    const steps = (await d.listEvents(id)).flatMap((e) => e.steps).map((s) => `${s.step} ${s.why}`)
    expect(steps).toContain('menu too-many-wrong-answers')
    expect(steps).toContain('menu asked')
  })

  it('stops when an agent takes the ticket, and stays silent when the ticket is returned', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await d.accept(d.admin, id)
    const before = await listBotTexts(d, id)
    for (const text of ['2', '#', '0']) await lucia.says(text)
    await d.putTicket(d.admin, id, { status: 'pending', userId: null })
    await lucia.says('1')
    expect(await listBotTexts(d, id)).toEqual(before)
    expect(await d.showTicket(id)).toMatchObject({ chatbot: false, queueId: null })
  })

  it('sends nothing after an agent took the ticket, also when agent and customer act at once', async () => {
    for (let round = 0; round < 8; round++) {
      const lucia = createGuest(d)
      const id = await lucia.says('hola')
      await Promise.all([d.receive(makeTextEvent(lucia.number, 'x')), d.accept(d.admin, id)])
      const { at } = await d.db
        .selectFrom('ticketEvents')
        .select('at')
        .where('ticketId', '=', id)
        .where('kind', '=', 'accept')
        .executeTakeFirstOrThrow()
      const late = (await messages(d, id)).filter((m) => m.bot && m.storedAt > at)
      expect(late).toEqual([])
    }
  })

  it('stops at once for a contact with bots disabled', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    const { contactId } = await row(d, id)
    const contact = await d.admin.call(contactsApi.show, { params: { id: contactId } })
    await d.admin.call(contactsApi.update, {
      params: { id: contactId },
      body: { ...contact, disableBot: true } as never,
    })
    await lucia.says('x')
    expect(await listBotTexts(d, id)).toHaveLength(1)
    expect(await d.showTicket(id)).toMatchObject({ chatbot: false })
  })

  it('stops when an agent answers from the phone itself', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await d.waitForHandled(await d.line.customer(lucia.number).says('ya te llamo', { fromMe: true }))
    await lucia.says('gracias')
    expect(await listBotTexts(d, id)).toHaveLength(2)
    expect(await d.showTicket(id)).toMatchObject({ chatbot: false })
  })

  it('counts wrong answers from a line whose clock is behind ours, but not messages written before the question', async () => {
    const number = nextPhoneNumber()
    const write = async (text: string, behind: number) => {
      const at = new Date(harness.clock.now().getTime() - behind).toISOString()
      await d.receive(makeTextEvent(number, text, { at }))
      const [ticket] = await d.listTickets(d.admin, { searchParam: number })
      return (await listBotTexts(d, ticket?.id as number)).length
    }
    expect(await write('hola', 60_000)).toBe(1)
    expect(await write('no sé', 59_500)).toBe(2)
    // This message was written before the question arrived, and delivered more slowly than the others.
    expect(await write('quiero comprar', 90_000)).toBe(2)
    // This message was delivered as fast as the fastest message.
    expect(await write('¿hola?', 59_500)).toBe(3)
  })

  it('reads the caption of a picture', async () => {
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await d.waitForHandled(await lucia.sends(new File(['x'], 'foto.png', { type: 'image/png' }), { body: '1' }))
    expect(await d.showTicket(id)).toMatchObject({ queueId: sales.id, chatbot: false })
  })

  it('sends nothing in groups', async () => {
    await d.setSetting('CheckMsgIsGroup', 'disabled')
    const { number: group } = await d.line.group('Obra', [nextPhoneNumber()])
    const { ticketId } = await d.waitForMessage(await d.line.customer(nextPhoneNumber()).says('hola', { group }))
    expect(await listBotTexts(d, ticketId)).toEqual([])
    await d.setSetting('CheckMsgIsGroup', 'enabled')
  })

  it('uses the company’s language and its own texts', async () => {
    await d.setSetting('language', 'en')
    await d.setSetting('wrongAnswerText', 'Sorry?')
    const lucia = createGuest(d)
    const id = await lucia.says('hello')
    expect(await lastBotText(d, id)).toContain('Reply with the number of your choice:')
    await lucia.says('what')
    expect(await lastBotText(d, id)).toMatch(/^Sorry\?\n\nHola Lucía/)
    await d.setSetting('language', 'es')
    await d.setSetting('wrongAnswerText', '')
  })

  it('repeats the question as often as the line’s settings allow, and only after their pause', async () => {
    await setLine(d, { maxUseBotQueues: 1, timeUseBotQueues: 5 })
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await lucia.says('x')
    expect(await listBotTexts(d, id)).toHaveLength(1)
    harness.clock.advance(minutes(6))
    await lucia.says('x')
    expect(await listBotTexts(d, id)).toHaveLength(2)
    harness.clock.advance(minutes(6))
    await lucia.says('x')
    expect(await lastBotText(d, id)).toBe('Gracias. Te responde una persona por aquí.')
    expect(await d.showTicket(id)).toMatchObject({ chatbot: false })
    await setLine(d, { maxUseBotQueues: 3, timeUseBotQueues: 0 })
  })

  it('answers once, also when the process dies in the middle of a turn', async () => {
    const event = makeTextEvent(nextPhoneNumber(), 'hola')
    const { database } = harness.server.deps
    // The transaction of the first try is rolled back after the bot answered.
    let cut = true
    const tenant = database.tenant
    database.tenant = (id) => {
      const db = tenant(id)
      if (!cut || id !== d.company.id) return db
      return new Proxy(db, {
        get(target, key) {
          if (key !== 'transaction' || !cut) return Reflect.get(target, key)
          return () => ({
            execute: (work: (trx: never) => Promise<unknown>) =>
              target.transaction().execute(async (trx) => {
                const result = await work(trx as never)
                if (cut) {
                  cut = false
                  throw new Error('Connection terminated unexpectedly')
                }
                return result
              }),
          })
        },
      })
    }
    await d.receive(event)
    database.tenant = tenant
    expect(cut).toBe(false)
    const { ticketId } = await d.waitForMessage(event.id)
    expect(await listBotTexts(d, ticketId)).toHaveLength(1)
  })
})

describe('a line with one queue', () => {
  it('asks for no queue, greets where the company wants it, and shows the queue’s own menu', async () => {
    const { d, queues } = await company(['Única'])
    const only = queues[0] as { id: number }
    const first = await createGuest(d).says('hola')
    expect(await listBotTexts(d, first)).toEqual([])
    expect(await d.showTicket(first)).toMatchObject({ queueId: only.id, chatbot: false })
    await d.setSetting('sendGreetingMessageOneQueues', 'enabled')
    const second = await createGuest(d).says('hola')
    expect(await listBotTexts(d, second)).toEqual(['Hola Lucía'])
    await option(d, only.id, 'Turnos')
    const lucia = createGuest(d)
    const third = await lucia.says('hola')
    expect(await listBotTexts(d, third)).toEqual([
      'Hola Lucía',
      'Bienvenido a Única\n\nEscribe el número de tu opción:\n*1* Turnos',
    ])
    await lucia.says('1')
    expect(await lastBotText(d, third)).toBe('Sobre Turnos')
    expect(await d.showTicket(third)).toMatchObject({ queueId: only.id, chatbot: false })
  })
})

describe('a line without queues', () => {
  it('greets once per conversation', async () => {
    const { d } = await company([], { greetingMessage: 'Ya te leemos.' })
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await lucia.says('¿hay alguien?')
    expect(await listBotTexts(d, id)).toEqual(['Ya te leemos.'])
    expect((await messages(d, id))[1]).toMatchObject({ bot: 'welcome' })
    await d.putTicket(d.admin, id, { status: 'closed' })
    const next = await lucia.says('hola de nuevo')
    expect(await listBotTexts(d, next)).toEqual(['Ya te leemos.'])
  })
})

describe('opening hours', () => {
  const week = (startTime: string, endTime: string) =>
    weekdays.map((weekdayEn) => ({ weekday: weekdayEn, weekdayEn, startTime, endTime }))
  const setHours = (d: Desk, startTime: string, endTime: string) =>
    d.admin.call(companiesApi.schedules, {
      params: { id: d.company.id },
      body: { schedules: week(startTime, endTime) },
    })

  it('of the company answer once per closed period, silence other bots, and send nothing while an agent attends the ticket', async () => {
    const { d, queues } = await company(['Ventas', 'Soporte'], { outOfHoursMessage: 'Cerrado, {{firstName}}.' })
    await d.setSetting('scheduleType', 'company')
    await setHours(d, '00:00', '00:00')
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    for (const text of ['1', '¿hola?']) await lucia.says(text)
    expect(await listBotTexts(d, id)).toEqual(['Cerrado, Lucía.'])
    expect((await messages(d, id)).filter((m) => !m.fromMe)).toHaveLength(3)
    // The line has no default queue: the ticket goes to the first queue of its menu, where agents find it.
    expect(await d.showTicket(id)).toMatchObject({ queueId: queues[0]?.id, status: 'pending' })
    // The company is open again: the menu is sent.
    await setHours(d, '00:00', '23:59')
    await lucia.says('hola')
    expect(await lastBotText(d, id)).toMatch(/\*1\* Ventas/)
    expect(await d.showTicket(id)).toMatchObject({ queueId: null, chatbot: true })
    await d.accept(d.admin, id)
    await setHours(d, '00:00', '00:00')
    await lucia.says('¿siguen ahí?')
    expect(await listBotTexts(d, id)).toHaveLength(2)
    await d.setSetting('scheduleType', 'disabled')
  })

  it('answer again in the next closed period, in the company’s time zone, and treat holidays as closed', async () => {
    const { d } = await company(['Ventas'], { outOfHoursMessage: 'Cerrado.' })
    await d.setSetting('scheduleType', 'company')
    await d.setSetting('timezone', 'Asia/Tokyo')
    // The clock must not pass midnight while the test runs.
    harness.clock.freeze()
    onTestFinished(harness.clock.resume)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format(harness.clock.now())
    await setHours(d, '00:00', '23:59')
    const number = nextPhoneNumber()
    await d.receive(makeTextEvent(number, 'abierto'))
    const [ticket] = await d.listTickets(d.admin, { searchParam: number })
    const id = ticket?.id as number
    expect(await listBotTexts(d, id)).toEqual([])
    await d.admin.call(settingsApi.setHolidays, {
      body: { holidays: [{ day: today, name: 'Feriado', yearly: false }] },
    })
    await d.receive(makeTextEvent(number, 'feriado'), makeTextEvent(number, 'otra vez'))
    expect(await listBotTexts(d, id)).toEqual(['Cerrado.'])
    await d.withClockForward(days(1), async () => d.receive(makeTextEvent(number, 'al otro día')))
    expect(await listBotTexts(d, id)).toHaveLength(1)
    const next = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format(
      new Date(harness.clock.now().getTime() + days(2)),
    )
    const more = [today, next].map((day) => ({ day, name: '', yearly: false }))
    await d.admin.call(settingsApi.setHolidays, { body: { holidays: more } })
    // The last message had the same text, but in another closed period.
    await d.withClockForward(days(2), async () =>
      d.receive(makeTextEvent(number, 'otro feriado'), makeTextEvent(number, '¿?')),
    )
    expect(await listBotTexts(d, id)).toEqual(['Cerrado.', 'Cerrado.'])
  })

  it('of a queue apply to the queue that the customer chose, and the ticket waits in it', async () => {
    const { d, queues } = await company(['Ventas', 'Soporte'])
    const support = queues[1] as (typeof queues)[number]
    await d.setSetting('scheduleType', 'queue')
    await d.admin.call(queuesApi.update, {
      params: { id: support.id },
      body: { ...support, outOfHoursMessage: 'Soporte vuelve mañana.', schedules: week('00:00', '00:00') } as never,
    })
    await option(d, support.id, 'Garantía')
    const lucia = createGuest(d)
    const id = await lucia.says('hola')
    await lucia.says('2')
    expect(await lastBotText(d, id)).toBe('Soporte vuelve mañana.')
    expect(await d.showTicket(id)).toMatchObject({ queueId: support.id, chatbot: false, status: 'pending' })
    await lucia.says('1')
    expect(await listBotTexts(d, id)).toHaveLength(2)
    // An option that leads to a closed queue says so at once, after its own text.
    const sales = queues[0] as (typeof queues)[number]
    await d.admin.call(queuesApi.update, {
      params: { id: sales.id },
      body: { ...sales, schedules: week('00:00', '23:59') } as never,
    })
    await option(d, sales.id, 'Reclamos', { message: '', leads: 'queue', forwardQueueId: support.id })
    await option(d, sales.id, 'Retiros', { message: 'Trae tu DNI.', leads: 'queue', forwardQueueId: support.id })
    for (const [text, words] of [
      ['1', []],
      ['2', ['Trae tu DNI.']],
    ] as const) {
      const pablo = createGuest(d)
      const other = await pablo.says('hola')
      for (const one of ['1', text]) await pablo.says(one)
      expect((await listBotTexts(d, other)).slice(2)).toEqual([...words, 'Soporte vuelve mañana.'])
      expect(await d.showTicket(other)).toMatchObject({ queueId: support.id, chatbot: false, status: 'pending' })
    }
  })

  it('move a ticket without a queue to the line’s default queue', async () => {
    const { d, queues } = await company(['Ventas', 'Soporte'])
    await setLine(d, { transferQueueId: queues[1]?.id, timeToTransfer: null })
    await d.setSetting('scheduleType', 'company')
    await setHours(d, '00:00', '00:00')
    const id = await createGuest(d).says('hola')
    expect(await d.showTicket(id)).toMatchObject({ queueId: queues[1]?.id, status: 'pending' })
  })
})

describe('calls', () => {
  it('are answered once with the company’s text if the company takes no calls, also after several calls in a row', async () => {
    const { d } = await company([], { greetingMessage: '' })
    await d.setSetting('callText', 'No atendemos llamadas, {{firstName}}.')
    const customer = d.line.customer(nextPhoneNumber(), 'Lucía Paz')
    const { ticketId } = await d.waitForHandled(await customer.calls())
    await d.waitForHandled(await customer.calls())
    expect(await listBotTexts(d, ticketId as number)).toEqual(['No atendemos llamadas, Lucía.'])
    await d.setSetting('call', 'enabled')
    const other = await d.waitForHandled(await d.line.customer(nextPhoneNumber()).calls())
    expect(await listBotTexts(d, other.ticketId as number)).toEqual([])
  })
})
