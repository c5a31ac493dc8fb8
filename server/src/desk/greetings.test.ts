import type { Message } from '@recado/contract/messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'

type Named = TestUser & { name: string }
let h: TestServer
let d: Desk
let sales: { id: number }
let ana: Named
beforeAll(async () => {
  h = await testServer()
  d = await openDesk(h)
  sales = await d.queue('Ventas')
  ana = await d.person('user', [sales])
})
afterAll(closeTestServers)

async function waiting(name: string) {
  const { customer, id } = await d.newTicket('hola', name)
  await d.put(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  return { customer, id }
}
const said = async (id: number) => (await d.thread(d.admin, id)).filter((m) => m.fromMe).map((m) => m.body)

describe('greeting on accept', () => {
  const theirs = '{{ms}} *{{name}}*, meu nome é *Ana* e agora vou prosseguir com seu atendimento!'
  const browserGreets = (id: number) =>
    ana.ask<Message>('POST', `/messages/${id}`, { read: 1, fromMe: true, mediaUrl: '', body: theirs })

  it('is not sent unless the company enables it; the greeting of a browser is sent', async () => {
    const { id } = await waiting('Lucía')
    await d.accept(ana, id)
    expect(await said(id)).toEqual([])
    await browserGreets(id)
    expect(await said(id)).toEqual([
      expect.stringMatching(/^(Buenos días|Buenas tardes|Buenas noches) \*Lucía\*, meu nome/),
    ])
  })

  it('is sent by the server in the company’s language, once, also when the browser greets too', async () => {
    await d.set('sendGreetingAccepted', 'enabled')
    await d.set('language', 'pt')
    const { customer, id } = await waiting('Lucía')
    await d.accept(ana, id)
    const greeting = expect.stringMatching(new RegExp(`^(Bom dia|Boa tarde|Boa noite) Lucía, meu nome é ${ana.name} e`))
    expect(await said(id)).toEqual([greeting])
    expect((await d.thread(d.admin, id)).at(-1)).toMatchObject({ bot: 'greeting', user: null })
    const answer = await browserGreets(id)
    expect(answer).toMatchObject({ status: 200, body: { body: greeting, bot: 'greeting' } })
    expect(await said(id)).toHaveLength(1)
    await vi.waitFor(async () => expect((await customer.sees()).at(-1)?.body).toMatch(/meu nome é/))
    // Later the same text is an ordinary message.
    h.clock.forward(31_000)
    await browserGreets(id)
    expect(await said(id)).toHaveLength(2)
    await d.set('language', 'es')
  })

  it('is not sent to groups, nor for a ticket that is reopened or reassigned', async () => {
    await d.set('CheckMsgIsGroup', 'disabled')
    const { number: group } = await d.line.group('Obra', [nextPhoneNumber()])
    const { ticketId } = await d.stored(await d.line.customer(nextPhoneNumber(), 'Beto').says('hola', { group }))
    await d.accept(d.admin, ticketId)
    expect(await said(ticketId)).toEqual([])
    const { id } = await waiting('Eva')
    await d.accept(ana, id)
    await d.put(ana, id, { status: 'closed' })
    await d.put(ana, id, { status: 'open', userId: ana.id })
    await d.put(ana, id, { userId: d.admin.id })
    expect(await said(id)).toHaveLength(1)
    await d.set('sendGreetingAccepted', 'disabled')
    await d.set('CheckMsgIsGroup', 'enabled')
  })
})

describe('transfer notice', () => {
  it('is not sent unless the company enables it', async () => {
    const { id } = await waiting('Lucía')
    await d.put(ana, id, { queueId: (await d.queue()).id, status: 'pending', userId: null })
    expect(await said(id)).toEqual([])
  })

  it.each([
    ['es', 'Te estamos pasando a Soporte es. En breve alguien te atiende.', 'Te estamos pasando con'],
    ['pt', 'Estamos passando você para Soporte pt. Em breve alguém vai te atender.', 'Estamos passando você para'],
    ['en', 'We are passing you on to Soporte en. Someone will be with you shortly.', 'We are passing you on to'],
  ])('names the target queue or agent in %s', async (language, toQueue, toUser) => {
    const { customer, id } = await waiting('Lucía')
    const support = await d.queue(`Soporte ${language}`)
    await d.set('sendMsgTransfTicket', 'enabled')
    await d.set('language', language)
    await d.put(ana, id, { queueId: support.id, status: 'pending', userId: null })
    expect(await said(id)).toEqual([toQueue])
    await d.put(d.admin, id, { queueId: sales.id, userId: ana.id })
    expect((await said(id))[1]).toContain(`${toUser} ${ana.name}`)
    // Returning a ticket, or transferring it to oneself, sends no notice.
    await d.put(ana, id, { status: 'pending', userId: null })
    expect(await said(id)).toHaveLength(2)
    await vi.waitFor(async () => expect((await customer.sees()).filter((m) => !m.fromCustomer)).toHaveLength(2))
    await d.set('sendMsgTransfTicket', 'disabled')
    await d.set('language', 'es')
  })

  it('has a separate text for an agent in another queue, which the text for an agent does not replace', async () => {
    await d.set('sendMsgTransfTicket', 'enabled')
    await d.set('transferUserText', 'Con {{user}}.')
    const support = await d.queue('Postventa')
    const bea = await d.person('user', [support, sales])
    const both = async (name: string) => {
      const { id } = await waiting(name)
      await d.put(d.admin, id, { queueId: support.id, userId: bea.id })
      return (await said(id)).at(-1)
    }
    expect(await both('Uno')).toBe(`Te estamos pasando con ${bea.name}, de Postventa. En breve te atiende.`)
    await d.set('transferBothText', '{{user}} ({{queue}})')
    expect(await both('Dos')).toBe(`${bea.name} (Postventa)`)
    const { id } = await waiting('Tres')
    await d.put(d.admin, id, { userId: bea.id })
    expect((await said(id)).at(-1)).toBe(`Con ${bea.name}.`)
    for (const key of ['transferUserText', 'transferBothText'] as const) await d.set(key, '')
    await d.set('sendMsgTransfTicket', 'disabled')
  })
})
