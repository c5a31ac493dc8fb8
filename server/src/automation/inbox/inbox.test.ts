import { connectionsApi } from '@recado/contract/connections'
import { messagesApi } from '@recado/contract/messages'
import { sandboxApi } from '@recado/contract/sandbox'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeHouses, type House, house, type Person } from '../../../test/house.ts'

let h: House
beforeAll(async () => {
  h = await house()
})
afterAll(closeHouses)

async function lineOf(admin: Person) {
  const { id } = await admin.call(connectionsApi.create, {
    body: {
      name: `line ${Math.random()}`,
      provider: 'sandbox',
      timeToTransfer: null,
      transferQueueId: null,
      promptId: null,
      expiresTicket: 0,
      timeUseBotQueues: 0,
      maxUseBotQueues: 3,
      token: '',
      greetingMessage: '',
      complationMessage: '',
      outOfHoursMessage: '',
      ratingMessage: '',
      expiresInactiveMessage: '',
    },
  })
  await vi.waitFor(async () =>
    expect((await admin.call(connectionsApi.show, { params: { id } })).status).toBe('qrcode'),
  )
  await admin.call(sandboxApi.scan, { params: { whatsappId: id } })
  await vi.waitFor(async () =>
    expect((await admin.call(connectionsApi.show, { params: { id } })).status).toBe('CONNECTED'),
  )
  const says = async (from: string, body: string, extra: object = {}) =>
    (await admin.ask<{ id: string }>('POST', `/sandbox/${id}/messages`, { from, name: 'Lucía', body, ...extra })).body
      .id
  return { id, says }
}
const tickets = async (p: Person, query: object = {}) =>
  (await p.call(ticketsApi.list, { query: { pageNumber: 1, showAll: 'true', ...query } as never })).tickets

describe('a customer writes', () => {
  it('becomes one contact, one ticket and one message, and everyone who may see it is told', async () => {
    const company = await h.company()
    const line = await lineOf(company.admin)
    const ear = await company.admin.listen()
    await line.says('5511987654321', 'hola')
    const news = await ear.hear(`company-${company.id}-appMessage`, { action: 'create' })
    expect(news).toMatchObject({
      message: { body: 'hola', fromMe: false, contact: { name: 'Lucía' } },
      ticket: { status: 'pending', unreadMessages: 1, lastMessage: 'hola', contact: { number: '5511987654321' } },
    })
    const all = await tickets(company.admin)
    expect(all).toHaveLength(1)
    await line.says('5511987654321', 'otra')
    await ear.hear(`company-${company.id}-appMessage`, { action: 'create' })
    await vi.waitFor(async () => expect((await tickets(company.admin))[0]?.unreadMessages).toBe(2))
    const { messages } = await company.admin.call(messagesApi.list, {
      params: { ticketId: all[0]?.id as number },
      query: {} as never,
    })
    expect(messages.map((m) => m.body)).toEqual(['hola', 'otra'])
  })

  it('is the same message when the same event comes twice', async () => {
    const company = await h.company()
    const line = await lineOf(company.admin)
    await Promise.all([
      line.says('5511911112222', 'una vez', { id: 'same' }),
      line.says('5511911112222', 'una vez', { id: 'same' }),
    ])
    await vi.waitFor(async () => expect(await tickets(company.admin)).toHaveLength(1))
    await h.running.switchboard.inbox.idle()
    const [ticket] = await tickets(company.admin)
    expect(ticket?.unreadMessages).toBe(1)
  })

  it('keeps the order of a burst and counts it right', async () => {
    const company = await h.company()
    const line = await lineOf(company.admin)
    await line.says('5511933334444', 'm0')
    for (let n = 1; n < 60; n++) await line.says('5511933334444', `m${n}`)
    await vi.waitFor(async () => expect((await tickets(company.admin))[0]?.unreadMessages).toBe(60), 15_000)
    const [ticket] = await tickets(company.admin)
    const pages = await Promise.all(
      [3, 2, 1].map((pageNumber) =>
        company.admin.call(messagesApi.list, {
          params: { ticketId: ticket?.id as number },
          query: { pageNumber } as never,
        }),
      ),
    )
    expect(pages.flatMap((p) => p.messages.map((m) => m.body))).toEqual(Array.from({ length: 60 }, (_, n) => `m${n}`))
  })
})

describe('an agent', () => {
  it('accepts, answers, and the customer sees it with ticks', async () => {
    const company = await h.company()
    const line = await lineOf(company.admin)
    await line.says('5511955556666', 'ayuda')
    await vi.waitFor(async () => expect(await tickets(company.admin)).toHaveLength(1))
    const [ticket] = await tickets(company.admin)
    const id = ticket?.id as number
    const { admin } = company
    const ear = await admin.listen()
    const mine = await admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', justClose: false } })
    expect(mine).toMatchObject({ status: 'open', userId: admin.id })
    const sent = (
      await admin.ask<{ id: string; ack: number }>('POST', `/messages/${id}`, {
        read: 1,
        fromMe: true,
        mediaUrl: '',
        body: '*Ana:*\nHola {{firstName}} {{nada}',
        quotedMsg: null,
      })
    ).body
    expect(sent).toMatchObject({ body: '*Ana:*\nHola Lucía {{nada}', ack: 1 })
    await vi.waitFor(() =>
      expect(
        ear.heard.filter(
          (e) => e.name === `company-${company.id}-appMessage` && (e.payload.message as { ack: number }).ack === 3,
        ),
      ).not.toHaveLength(0),
    )
    const shown = await admin.ask<{ messages: { body: string; fromCustomer: boolean }[] }>(
      'GET',
      `/sandbox/${line.id}/messages?with=5511955556666`,
    )
    expect(shown.body.messages.map((m) => m.body)).toEqual(['ayuda', '*Ana:*\nHola Lucía {{nada}'])
    expect((await admin.call(ticketsApi.show, { params: { id } })).unreadMessages).toBe(0)
  })

  it('wins or learns who won', async () => {
    const company = await h.company()
    const line = await lineOf(company.admin)
    const rival = await company.user('admin')
    await line.says('5511977778888', 'quién me atiende')
    await vi.waitFor(async () => expect(await tickets(company.admin)).toHaveLength(1))
    const id = (await tickets(company.admin))[0]?.id as number
    const both = await Promise.all(
      [company.admin, rival].map((p) =>
        p.ask<{ error: string; holder: { user: { name: string } } }>('PUT', `/tickets/${id}`, {
          status: 'open',
          userId: p.id,
        }),
      ),
    )
    expect(both.map((b) => b.status).sort()).toEqual([200, 409])
    const lost = both.find((b) => b.status === 409)
    expect(lost?.body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', holder: { user: { name: 'The admin' } } })
  })
})
