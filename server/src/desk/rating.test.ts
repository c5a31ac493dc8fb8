import { connectionsApi } from '@recado/contract/connections'
import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'
import { hours } from '../kernel/clock.ts'

let harness: TestServer
let desk: Desk
let ana: TestUser & { name: string }
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness, {
    ratingMessage: '¿Qué tal, {{firstName}}?',
    complationMessage: 'Gracias por escribir.',
  })
  await desk.setSetting('userRating', 'enabled')
  ana = await desk.createUser('admin')
})
afterAll(closeTestServers)

const question = '¿Qué tal, Lucía?\n\n*1* Insatisfecho\n*2* Satisfecho\n*3* Muy satisfecho'
const askAgainText = 'Responde con un número del 1 al 3.\n\n*1* Insatisfecho\n*2* Satisfecho\n*3* Muy satisfecho'

/** A customer whose conversation Ana has just closed, and who got the rating request. */
async function closeAndAsk(close: object = {}) {
  const number = nextPhoneNumber()
  await desk.receive(makeTextEvent(number, 'hola', { pushName: 'Lucía Paz' }))
  const [ticket] = await desk.listTickets(desk.admin, { searchParam: number })
  const id = ticket?.id as number
  await desk.accept(ana, id)
  await desk.putTicket(ana, id, { status: 'closed', ...close })
  const says = async (...texts: string[]) => {
    const events = texts.map((text) => makeTextEvent(number, text))
    await desk.receive(...events)
    const row = await desk.db
      .selectFrom('journal')
      .select(['ticketId', 'steps'])
      .where('eventId', '=', `message:${events.at(-1)?.id}`)
      .executeTakeFirstOrThrow()
    return row
  }
  return { id, number, says }
}
const listBotTexts = async (id: number) =>
  (
    await desk.db
      .selectFrom('messages')
      .selectAll()
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .orderBy('id')
      .execute()
  ).map((m) => m.body)
const rates = (id: number) =>
  desk.db.selectFrom('userRatings').select(['rate', 'userId']).where('ticketId', '=', id).execute()
const listActiveTickets = async (number: string) =>
  (await desk.listTickets(desk.admin, { searchParam: number })).filter((t) => t.status !== 'closed').map((t) => t.id)

describe('a rating', () => {
  it('is requested when an agent closes the ticket, and the ticket closes at once', async () => {
    const { id } = await closeAndAsk()
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed', userId: ana.id, lastMessage: question })
    expect(await listBotTexts(id)).toEqual([question])
    expect((await desk.listMessages(desk.admin, id)).at(-1)).toMatchObject({ bot: 'rating', user: null })
    expect((await desk.listSegments(id)).at(-1)).toMatchObject({
      ratingAt: expect.any(String),
      finishedAt: expect.any(String),
      rated: false,
    })
  })

  it('is stored for the agent, followed by the farewell, and opens no ticket', async () => {
    const { id, number, says } = await closeAndAsk()
    expect(await says('3')).toMatchObject({ ticketId: id })
    expect(await rates(id)).toEqual([{ rate: 3, userId: ana.id }])
    expect(await listBotTexts(id)).toEqual([question, 'Gracias por escribir.'])
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed', unreadMessages: 0 })
    expect(await listActiveTickets(number)).toEqual([])
    expect((await desk.listSegments(id)).at(-1)).toMatchObject({ rated: true })
    const steps = (await desk.listEvents(id)).flatMap((e) => e.steps)
    expect(steps).toContainEqual({ step: 'rating', why: 'rated', with: { rate: 3, scale: 3 } })
    expect(steps).toContainEqual(expect.objectContaining({ step: 'ticket', why: 'answers-the-rating' }))
    // The rating is given: the next number is an ordinary message.
    expect((await says('2')).ticketId).not.toBe(id)
    expect(await rates(id)).toHaveLength(1)
  })

  it('is requested once more after an invalid number, and not a third time', async () => {
    const { id, number, says } = await closeAndAsk()
    await says('5')
    expect(await listBotTexts(id)).toEqual([question, askAgainText])
    expect(await says('2')).toMatchObject({ ticketId: id })
    expect(await rates(id)).toMatchObject([{ rate: 2 }])
    const other = await closeAndAsk()
    await other.says('5')
    await other.says('10')
    expect(await listBotTexts(other.id)).toEqual([question, askAgainText, 'Gracias por escribir.'])
    expect(await rates(other.id)).toEqual([])
    expect([...(await listActiveTickets(number)), ...(await listActiveTickets(other.number))]).toEqual([])
  })

  it('is not given by text that is no number; a number still counts as long as we have sent nothing since', async () => {
    const { id, number, says } = await closeAndAsk()
    const thanks = await says('ok gracias')
    expect(thanks.ticketId).not.toBe(id)
    expect(await listActiveTickets(number)).toEqual([thanks.ticketId])
    expect(await desk.showTicket(thanks.ticketId as number)).toMatchObject({ status: 'pending', unreadMessages: 1 })
    expect(await says('3')).toMatchObject({ ticketId: id })
    expect(await rates(id)).toMatchObject([{ rate: 3 }])
    // The farewell was sent once, after the other text.
    expect(await listBotTexts(id)).toEqual([question, 'Gracias por escribir.'])
  })

  it('is not read from a number that answers a question in another ticket', async () => {
    const { id, says } = await closeAndAsk()
    const { ticketId } = await says('otra cosa')
    await desk.accept(ana, ticketId as number)
    await desk.send(ana, ticketId as number, '¿cuántos quieres?')
    expect(await says('2')).toMatchObject({ ticketId })
    expect(await rates(id)).toEqual([])
  })

  it('is accepted until the window ends; after it a number opens a ticket', async () => {
    const [late, later] = [await closeAndAsk(), await closeAndAsk()]
    await desk.withClockForward(hours(23), async () => void (await late.says('1')))
    expect(await rates(late.id)).toMatchObject([{ rate: 1 }])
    await desk.withClockForward(hours(25), async () => void (await later.says('1')))
    expect(await rates(later.id)).toEqual([])
    expect(await listActiveTickets(later.number)).toHaveLength(1)
  })

  it('is followed by the farewell also when it is not given, but not during another conversation', async () => {
    const [silent, talking] = [await closeAndAsk(), await closeAndAsk()]
    await talking.says('una cosa')
    await desk.withClockForward(hours(25), () => harness.server.switchboard.timers.poll())
    expect(await listBotTexts(silent.id)).toEqual([question, 'Gracias por escribir.'])
    expect(await listBotTexts(talking.id)).toEqual([question, 'Gracias por escribir.'])
    await desk.withClockForward(hours(26), () => harness.server.switchboard.timers.poll())
    expect(await listBotTexts(silent.id)).toHaveLength(2)
  })

  it('is followed by one farewell, whatever the customer sends instead of a number', async () => {
    const { id, number, says } = await closeAndAsk()
    await desk.receive(
      makeTextEvent(number, '', { content: { kind: 'location', latitude: 1, longitude: 2, name: 'Casa' } }),
    )
    await says('gracias')
    expect(await listBotTexts(id)).toEqual([question, 'Gracias por escribir.'])
    await desk.withClockForward(hours(25), () => harness.server.switchboard.timers.poll())
    expect(await listBotTexts(id)).toHaveLength(2)
  })

  it('is no longer awaited when its agent reopens the ticket', async () => {
    const { id, says } = await closeAndAsk()
    await desk.putTicket(ana, id, { status: 'open', userId: ana.id })
    expect(await says('3')).toMatchObject({ ticketId: id })
    expect(await rates(id)).toEqual([])
  })

  it('is requested once, also when the ticket is closed again without a message in between', async () => {
    const { id, says } = await closeAndAsk()
    await desk.putTicket(ana, id, { status: 'open', userId: ana.id })
    await desk.putTicket(ana, id, { status: 'closed' })
    expect(await listBotTexts(id)).toEqual([question])
    expect(await says('2')).toMatchObject({ ticketId: id })
    expect(await rates(id)).toMatchObject([{ rate: 2 }])
  })

  it('is accepted also where other messages reopen the same ticket', async () => {
    await desk.setSetting('autoReopenTimeout', '60')
    const { id, says } = await closeAndAsk()
    expect(await says('perdón, una cosa')).toMatchObject({ ticketId: id })
    expect(await desk.showTicket(id)).toMatchObject({ status: 'pending' })
    expect(await says('3')).toMatchObject({ ticketId: id })
    expect(await rates(id)).toMatchObject([{ rate: 3 }])
    expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', unreadMessages: 1 })
    await desk.setSetting('autoReopenTimeout', '0')
  })

  it('is requested with the queue’s own text if the queue has one', async () => {
    const queue = await desk.createQueue()
    await desk.admin.call(queuesApi.update, {
      params: { id: queue.id },
      body: { ...queue, ratingMessage: '¿Y las ventas?', complationMessage: 'Adiós.' } as never,
    })
    const { id } = await desk.openTicket(ana)
    await desk.putTicket(ana, id, { queueId: queue.id, userId: ana.id })
    await desk.putTicket(ana, id, { status: 'closed' })
    expect((await listBotTexts(id)).at(-1)).toMatch(/^¿Y las ventas\?\n\n\*1\*/)
  })
})

describe('closing a ticket', () => {
  it('sends nothing when the agent closes without messages', async () => {
    const { id } = await closeAndAsk({ justClose: true })
    expect(await listBotTexts(id)).toEqual([])
  })

  it('does not request a rating from a customer who was not attended, and sends the farewell', async () => {
    const { id } = await desk.newTicket('hola')
    await desk.putTicket(ana, id, { status: 'closed' })
    expect(await listBotTexts(id)).toEqual(['Gracias por escribir.'])
    // Closing again sends nothing.
    await desk.putTicket(ana, id, { status: 'closed' })
    expect(await listBotTexts(id)).toHaveLength(1)
  })

  it('sends the farewell if ratings are off, and nothing if there is no farewell text', async () => {
    await desk.setSetting('userRating', 'disabled')
    const { id } = await closeAndAsk()
    expect(await listBotTexts(id)).toEqual(['Gracias por escribir.'])
    const row = await desk.line.showLine()
    await desk.admin.call(connectionsApi.update, {
      params: { id: desk.line.id },
      body: { ...row, complationMessage: '' } as never,
    })
    const quiet = await closeAndAsk()
    expect(await listBotTexts(quiet.id)).toEqual([])
  })

  it('sends nothing in groups', async () => {
    await desk.setSetting('userRating', 'enabled')
    await desk.setSetting('CheckMsgIsGroup', 'disabled')
    const { number: group } = await desk.line.group('Obra', [nextPhoneNumber()])
    const { ticketId } = await desk.waitForMessage(await desk.line.customer(nextPhoneNumber()).says('hola', { group }))
    await desk.accept(ana, ticketId)
    await desk.putTicket(ana, ticketId, { status: 'closed' })
    expect(await listBotTexts(ticketId)).toEqual([])
  })
})

describe('a rating on another scale', () => {
  beforeAll(() => desk.setSetting('ratingScale', '10'))
  afterAll(() => desk.setSetting('ratingScale', '3'))
  const stored = (id: number) =>
    desk.db.selectFrom('userRatings').select(['rate', 'scale', 'score']).where('ticketId', '=', id).execute()

  it('asks from 0 to 10, stores the score, and counts it as 1 to 3 for older clients', async () => {
    const { id, says } = await closeAndAsk()
    const asked = '¿Qué tal, Lucía?\n\nDe *0* (nada probable) a *10* (muy probable)'
    expect(await listBotTexts(id)).toEqual([asked])
    await says('11')
    expect((await listBotTexts(id)).at(-1)).toBe(
      'Responde con un número del 0 al 10.\n\nDe *0* (nada probable) a *10* (muy probable)',
    )
    await says('8')
    expect(await stored(id)).toEqual([{ rate: 2, scale: 10, score: 8 }])
    const steps = (await desk.listEvents(id)).flatMap((e) => e.steps)
    expect(steps).toContainEqual({ step: 'rated', why: 'by-customer', with: { rate: 8, scale: 10 } })
    expect(steps).toContainEqual({ step: 'rating', why: 'rated', with: { rate: 8, scale: 10 } })
  })

  it('keeps the scale of a question that was sent before the setting changed', async () => {
    const { id, says } = await closeAndAsk()
    await desk.setSetting('ratingScale', '5')
    await says('0')
    expect(await stored(id)).toEqual([{ rate: 1, scale: 10, score: 0 }])
    const five = await closeAndAsk()
    expect(await listBotTexts(five.id)).toEqual([expect.stringContaining('*5* Muy satisfecho')])
    await five.says('4')
    expect(await stored(five.id)).toEqual([{ rate: 3, scale: 5, score: 4 }])
  })

  it('reports each scale apart, with the NPS of 0 to 10', async () => {
    const report = await desk.admin.call(reportSectionsApi.ratings, { query: { days: 3 } as never })
    const ten = report.scales.find(({ scale }) => scale === 10)
    expect(ten).toMatchObject({ average: 4, nps: -50 })
    expect(ten?.counts).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0])
    expect(report.scales.find(({ scale }) => scale === 5)).toMatchObject({ counts: [0, 0, 0, 0, 1, 0], average: 4 })
    const three = report.scales.find(({ scale }) => scale === 3)
    const sum = (counts: number[] = []) => counts.reduce((all, n) => all + n, 0)
    const { one, two, three: very } = report.all
    expect(sum(three?.counts)).toBe(one + two + very - 3)
  })
})

describe('the comment on a rating', () => {
  beforeAll(async () => {
    await desk.setSetting('ratingComment', 'enabled')
    const complationMessage = 'Gracias por escribir.'
    await desk.db.updateTable('whatsapps').set({ complationMessage }).where('id', '=', desk.line.id).execute()
  })
  afterAll(() => desk.setSetting('ratingComment', 'disabled'))
  const commentQuestion = '¡Gracias! ¿Nos cuentas por qué?'
  const comments = async (id: number) =>
    (await desk.db.selectFrom('userRatings').select('comment').where('ticketId', '=', id).execute()).map(
      (r) => r.comment,
    )

  it('is asked for once after the number, stored, and followed by the farewell, without opening a ticket', async () => {
    const { id, number, says } = await closeAndAsk()
    await says('1')
    expect(await listBotTexts(id)).toEqual([question, commentQuestion])
    expect(await says('Tardaron mucho')).toMatchObject({ ticketId: id })
    expect(await comments(id)).toEqual(['Tardaron mucho'])
    expect(await listBotTexts(id)).toEqual([question, commentQuestion, 'Gracias por escribir.'])
    expect(await listActiveTickets(number)).toEqual([])
    const { ratings } = await desk.admin.call(reportSectionsApi.comments, { query: { days: 3 } as never })
    expect(ratings[0]).toMatchObject({ comment: 'Tardaron mucho', score: 1, scale: 3, ticket: { id } })
    // What follows is an ordinary message.
    expect((await says('Otra cosa')).ticketId).not.toBe(id)
    expect(await listActiveTickets(number)).toHaveLength(1)
  })

  it('stores at most a thousand characters', async () => {
    const { id, says } = await closeAndAsk()
    await says('2')
    await says('x'.repeat(3000))
    expect((await comments(id))[0]).toHaveLength(1000)
  })

  it('is awaited for an hour only', async () => {
    const { id, number, says } = await closeAndAsk()
    await says('2')
    await desk.withClockForward(hours(1) + 1000, async () => void (await says('Quiero otra cosa')))
    expect(await comments(id)).toEqual([''])
    expect(await listActiveTickets(number)).toHaveLength(1)
  })

  it('is not awaited once a person has written or the ticket is open again', async () => {
    const reopened = await closeAndAsk()
    await reopened.says('2')
    await desk.putTicket(ana, reopened.id, { status: 'open' })
    await reopened.says('¿Siguen ahí?')
    expect(await comments(reopened.id)).toEqual([''])
    const written = await closeAndAsk()
    await written.says('2')
    await desk.putTicket(ana, written.id, { status: 'open' })
    await desk.send(ana, written.id, 'Una cosa más')
    await desk.putTicket(ana, written.id, { status: 'closed', justClose: true })
    await written.says('Dime')
    expect(await comments(written.id)).toEqual([''])
  })
})
