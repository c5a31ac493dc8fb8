import type { Message } from '@recado/contract/messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'
import { undoWindowMs } from './undo-window.ts'

type NamedUser = TestUser & { name: string }
let harness: TestServer
let desk: Desk
let sales: { id: number }
let ana: NamedUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  ana = await desk.createUser('user', [sales])
})
afterAll(closeTestServers)

async function createPendingTicket(name: string) {
  const { customer, id } = await desk.newTicket('hola', name)
  await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  return { customer, id }
}
/** Lets the time to undo pass, so that the messages that wait for it are sent. */
async function sendHeldMessages(): Promise<void> {
  harness.clock.advance(undoWindowMs)
  await harness.server.switchboard.outbox.look()
}
const listOwnTexts = async (id: number) =>
  (await desk.listMessages(desk.admin, id)).filter((m) => m.fromMe).map((m) => m.body)

describe('greeting on accept', () => {
  const theirs = '{{ms}} *{{name}}*, meu nome é *Ana* e agora vou prosseguir com seu atendimento!'
  const browserGreets = (id: number) =>
    ana.request<Message>('POST', `/messages/${id}`, { read: 1, fromMe: true, mediaUrl: '', body: theirs })

  it('is sent by the server only if the company enables it; a greeting from the browser is always sent', async () => {
    const { id } = await createPendingTicket('Lucía')
    await desk.accept(ana, id)
    expect(await listOwnTexts(id)).toEqual([])
    await browserGreets(id)
    expect(await listOwnTexts(id)).toEqual([
      expect.stringMatching(/^(Buenos días|Buenas tardes|Buenas noches) \*Lucía\*, meu nome/),
    ])
  })

  it('is sent by the server once, in the company’s language, also when the browser sends a greeting too', async () => {
    await desk.setSetting('sendGreetingAccepted', 'enabled')
    await desk.setSetting('language', 'pt')
    const { customer, id } = await createPendingTicket('Lucía')
    await desk.accept(ana, id)
    const greeting = expect.stringMatching(new RegExp(`^(Bom dia|Boa tarde|Boa noite) Lucía, meu nome é ${ana.name} e`))
    expect(await listOwnTexts(id)).toEqual([greeting])
    expect((await desk.listMessages(desk.admin, id)).at(-1)).toMatchObject({ bot: 'greeting', user: null })
    const answer = await browserGreets(id)
    expect(answer).toMatchObject({ status: 200, body: { body: greeting, bot: 'greeting' } })
    expect(await listOwnTexts(id)).toHaveLength(1)
    await sendHeldMessages()
    await vi.waitFor(async () => expect((await customer.listMessages()).at(-1)?.body).toMatch(/meu nome é/))
    // After the time to undo, the same text is an ordinary message.
    harness.clock.advance(31_000)
    await browserGreets(id)
    expect(await listOwnTexts(id)).toHaveLength(2)
    await desk.setSetting('language', 'es')
  })

  it('is not sent to groups, nor for a ticket that is reopened or reassigned', async () => {
    await desk.setSetting('CheckMsgIsGroup', 'disabled')
    const { number: group } = await desk.line.group('Obra', [nextPhoneNumber()])
    const { ticketId } = await desk.waitForMessage(
      await desk.line.customer(nextPhoneNumber(), 'Beto').says('hola', { group }),
    )
    await desk.accept(desk.admin, ticketId)
    expect(await listOwnTexts(ticketId)).toEqual([])
    const { id } = await createPendingTicket('Eva')
    await desk.accept(ana, id)
    await desk.putTicket(ana, id, { status: 'closed' })
    await desk.putTicket(ana, id, { status: 'open', userId: ana.id })
    await desk.putTicket(ana, id, { userId: desk.admin.id })
    expect(await listOwnTexts(id)).toHaveLength(1)
    await desk.setSetting('sendGreetingAccepted', 'disabled')
    await desk.setSetting('CheckMsgIsGroup', 'enabled')
  })
})

describe('transfer notice', () => {
  it('is not sent unless the company enables it', async () => {
    const { id } = await createPendingTicket('Lucía')
    await desk.putTicket(ana, id, { queueId: (await desk.createQueue()).id, status: 'pending', userId: null })
    expect(await listOwnTexts(id)).toEqual([])
  })

  it.each([
    ['es', 'Te estamos pasando a Soporte es. En breve alguien te atiende.', 'Te estamos pasando con'],
    ['pt', 'Estamos passando você para Soporte pt. Em breve alguém vai te atender.', 'Estamos passando você para'],
    ['en', "We're transferring you to Soporte en. Someone will be with you shortly.", "We're transferring you to"],
  ])('names the target queue or agent in %s', async (language, toQueue, toUser) => {
    const { customer, id } = await createPendingTicket('Lucía')
    const support = await desk.createQueue(`Soporte ${language}`)
    await desk.setSetting('sendMsgTransfTicket', 'enabled')
    await desk.setSetting('language', language)
    await desk.putTicket(ana, id, { queueId: support.id, status: 'pending', userId: null })
    expect(await listOwnTexts(id)).toEqual([toQueue])
    await desk.putTicket(desk.admin, id, { queueId: sales.id, userId: ana.id })
    expect((await listOwnTexts(id))[1]).toContain(`${toUser} ${ana.name}`)
    // Returning a ticket, or transferring it to oneself, sends no notice.
    await desk.putTicket(ana, id, { status: 'pending', userId: null })
    expect(await listOwnTexts(id)).toHaveLength(2)
    await sendHeldMessages()
    await vi.waitFor(async () => expect((await customer.listMessages()).filter((m) => !m.fromCustomer)).toHaveLength(2))
    await desk.setSetting('sendMsgTransfTicket', 'disabled')
    await desk.setSetting('language', 'es')
  })

  it('has a separate text for an agent in another queue, which the text for an agent does not override', async () => {
    await desk.setSetting('sendMsgTransfTicket', 'enabled')
    await desk.setSetting('transferUserText', 'Con {{user}}.')
    const support = await desk.createQueue('Postventa')
    const bea = await desk.createUser('user', [support, sales])
    const both = async (name: string) => {
      const { id } = await createPendingTicket(name)
      await desk.putTicket(desk.admin, id, { queueId: support.id, userId: bea.id })
      return (await listOwnTexts(id)).at(-1)
    }
    expect(await both('Uno')).toBe(`Te estamos pasando con ${bea.name}, de Postventa. En breve te atiende.`)
    await desk.setSetting('transferBothText', '{{user}} ({{queue}})')
    expect(await both('Dos')).toBe(`${bea.name} (Postventa)`)
    const { id } = await createPendingTicket('Tres')
    await desk.putTicket(desk.admin, id, { userId: bea.id })
    expect((await listOwnTexts(id)).at(-1)).toBe(`Con ${bea.name}.`)
    for (const key of ['transferUserText', 'transferBothText'] as const) await desk.setSetting(key, '')
    await desk.setSetting('sendMsgTransfTicket', 'disabled')
  })
})
