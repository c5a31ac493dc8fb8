import type { Message } from '@recado/contract/messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'
import { undoWindowMs } from './undo-window.ts'

type Named = TestUser & { name: string }
let h: TestServer
let d: Desk
let sales: { id: number }
let ana: Named
beforeAll(async () => {
  h = await testServer()
  d = await openDesk(h)
  sales = await d.createQueue('Ventas')
  ana = await d.createUser('user', [sales])
})
afterAll(closeTestServers)

async function createPendingTicket(name: string) {
  const { customer, id } = await d.newTicket('hola', name)
  await d.putTicket(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  return { customer, id }
}
/** Lets the time to undo pass, so that the messages that wait for it are sent. */
async function sendHeldMessages(): Promise<void> {
  h.clock.advance(undoWindowMs)
  await h.server.switchboard.outbox.look()
}
const listOwnTexts = async (id: number) =>
  (await d.listMessages(d.admin, id)).filter((m) => m.fromMe).map((m) => m.body)

describe('greeting on accept', () => {
  const theirs = '{{ms}} *{{name}}*, meu nome é *Ana* e agora vou prosseguir com seu atendimento!'
  const browserGreets = (id: number) =>
    ana.request<Message>('POST', `/messages/${id}`, { read: 1, fromMe: true, mediaUrl: '', body: theirs })

  it('is sent by the server only if the company enables it; a greeting from the browser is always sent', async () => {
    const { id } = await createPendingTicket('Lucía')
    await d.accept(ana, id)
    expect(await listOwnTexts(id)).toEqual([])
    await browserGreets(id)
    expect(await listOwnTexts(id)).toEqual([
      expect.stringMatching(/^(Buenos días|Buenas tardes|Buenas noches) \*Lucía\*, meu nome/),
    ])
  })

  it('is sent by the server once, in the company’s language, also when the browser sends a greeting too', async () => {
    await d.setSetting('sendGreetingAccepted', 'enabled')
    await d.setSetting('language', 'pt')
    const { customer, id } = await createPendingTicket('Lucía')
    await d.accept(ana, id)
    const greeting = expect.stringMatching(new RegExp(`^(Bom dia|Boa tarde|Boa noite) Lucía, meu nome é ${ana.name} e`))
    expect(await listOwnTexts(id)).toEqual([greeting])
    expect((await d.listMessages(d.admin, id)).at(-1)).toMatchObject({ bot: 'greeting', user: null })
    const answer = await browserGreets(id)
    expect(answer).toMatchObject({ status: 200, body: { body: greeting, bot: 'greeting' } })
    expect(await listOwnTexts(id)).toHaveLength(1)
    await sendHeldMessages()
    await vi.waitFor(async () => expect((await customer.listMessages()).at(-1)?.body).toMatch(/meu nome é/))
    // After the time to undo, the same text is an ordinary message.
    h.clock.advance(31_000)
    await browserGreets(id)
    expect(await listOwnTexts(id)).toHaveLength(2)
    await d.setSetting('language', 'es')
  })

  it('is not sent to groups, nor for a ticket that is reopened or reassigned', async () => {
    await d.setSetting('CheckMsgIsGroup', 'disabled')
    const { number: group } = await d.line.group('Obra', [nextPhoneNumber()])
    const { ticketId } = await d.waitForMessage(
      await d.line.customer(nextPhoneNumber(), 'Beto').says('hola', { group }),
    )
    await d.accept(d.admin, ticketId)
    expect(await listOwnTexts(ticketId)).toEqual([])
    const { id } = await createPendingTicket('Eva')
    await d.accept(ana, id)
    await d.putTicket(ana, id, { status: 'closed' })
    await d.putTicket(ana, id, { status: 'open', userId: ana.id })
    await d.putTicket(ana, id, { userId: d.admin.id })
    expect(await listOwnTexts(id)).toHaveLength(1)
    await d.setSetting('sendGreetingAccepted', 'disabled')
    await d.setSetting('CheckMsgIsGroup', 'enabled')
  })
})

describe('transfer notice', () => {
  it('is not sent unless the company enables it', async () => {
    const { id } = await createPendingTicket('Lucía')
    await d.putTicket(ana, id, { queueId: (await d.createQueue()).id, status: 'pending', userId: null })
    expect(await listOwnTexts(id)).toEqual([])
  })

  it.each([
    ['es', 'Te estamos pasando a Soporte es. En breve alguien te atiende.', 'Te estamos pasando con'],
    ['pt', 'Estamos passando você para Soporte pt. Em breve alguém vai te atender.', 'Estamos passando você para'],
    ['en', "We're transferring you to Soporte en. Someone will be with you shortly.", "We're transferring you to"],
  ])('names the target queue or agent in %s', async (language, toQueue, toUser) => {
    const { customer, id } = await createPendingTicket('Lucía')
    const support = await d.createQueue(`Soporte ${language}`)
    await d.setSetting('sendMsgTransfTicket', 'enabled')
    await d.setSetting('language', language)
    await d.putTicket(ana, id, { queueId: support.id, status: 'pending', userId: null })
    expect(await listOwnTexts(id)).toEqual([toQueue])
    await d.putTicket(d.admin, id, { queueId: sales.id, userId: ana.id })
    expect((await listOwnTexts(id))[1]).toContain(`${toUser} ${ana.name}`)
    // Returning a ticket, or transferring it to oneself, sends no notice.
    await d.putTicket(ana, id, { status: 'pending', userId: null })
    expect(await listOwnTexts(id)).toHaveLength(2)
    await sendHeldMessages()
    await vi.waitFor(async () => expect((await customer.listMessages()).filter((m) => !m.fromCustomer)).toHaveLength(2))
    await d.setSetting('sendMsgTransfTicket', 'disabled')
    await d.setSetting('language', 'es')
  })

  it('has a separate text for an agent in another queue, which the text for an agent does not override', async () => {
    await d.setSetting('sendMsgTransfTicket', 'enabled')
    await d.setSetting('transferUserText', 'Con {{user}}.')
    const support = await d.createQueue('Postventa')
    const bea = await d.createUser('user', [support, sales])
    const both = async (name: string) => {
      const { id } = await createPendingTicket(name)
      await d.putTicket(d.admin, id, { queueId: support.id, userId: bea.id })
      return (await listOwnTexts(id)).at(-1)
    }
    expect(await both('Uno')).toBe(`Te estamos pasando con ${bea.name}, de Postventa. En breve te atiende.`)
    await d.setSetting('transferBothText', '{{user}} ({{queue}})')
    expect(await both('Dos')).toBe(`${bea.name} (Postventa)`)
    const { id } = await createPendingTicket('Tres')
    await d.putTicket(d.admin, id, { userId: bea.id })
    expect((await listOwnTexts(id)).at(-1)).toBe(`Con ${bea.name}.`)
    for (const key of ['transferUserText', 'transferBothText'] as const) await d.setSetting(key, '')
    await d.setSetting('sendMsgTransfTicket', 'disabled')
  })
})
