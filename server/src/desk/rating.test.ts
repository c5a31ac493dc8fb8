import { connectionsApi } from '@recado/contract/connections'
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
    expect(steps).toContainEqual({ step: 'rating', why: 'rated', with: { rate: 3 } })
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
