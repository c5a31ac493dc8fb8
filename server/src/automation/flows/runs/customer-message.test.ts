import { defaultCampaignSettings } from '@recado/contract/campaigns/settings'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeTextEvent, nextPhoneNumber } from '../../../../test/desk.ts'
import { type FlowDesk, type FlowDraft, openFlowDesk } from '../../../../test/flow-desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../../test/test-server.ts'

let harness: TestServer
/** A line that greets every customer who writes for the first time. */
let desk: FlowDesk
beforeAll(async () => {
  harness = await testServer()
  desk = await openFlowDesk(harness, { greetingMessage: 'Bienvenido' })
})
afterAll(closeTestServers)
beforeEach(() => desk.db.deleteFrom('flows').where('companyId', '=', desk.company.id).execute())

const end = { kind: 'end' as const, id: 'end' }
const say = (id: string, text: string, next: string) => ({ kind: 'say' as const, id, text, next })
const makeFlow = (kind: 'message' | 'ticketOpened', steps: FlowDraft['steps']): FlowDraft => ({
  ...{ kind: 'flow', triggers: [{ kind }], first: steps[0]?.id ?? null, steps },
})
const ask = {
  ...{ kind: 'ask' as const, id: 'ask', text: '¿Su nombre?', answer: { kind: 'text' }, variable: 'who' },
  ...{ next: 'say', otherwise: 'person' },
}
const askName = makeFlow('ticketOpened', [
  ask,
  say('say', 'Gracias, {{who}}', 'end'),
  { kind: 'person', id: 'person' },
  end,
])
const newCustomer = () => desk.line.customer(nextPhoneNumber(), 'Sol Paz')
const ticketOf = async (number: string) => {
  const ticket = desk.db.selectFrom('tickets as t').innerJoin('contacts as c', 'c.id', 't.contactId').select('t.id')
  return (await ticket.where('c.number', '=', number).executeTakeFirstOrThrow()).id
}
/** Everything that the desk wrote to the customer, in order. */
const heardBy = async (number: string): Promise<string[]> => {
  const rows = desk.db
    .selectFrom('messages')
    .select('body')
    .where('ticketId', '=', await ticketOf(number))
  return (await rows.where('fromMe', '=', true).orderBy('id').execute()).map(({ body }) => body)
}

describe('a customer who writes', () => {
  it('gets the flow instead of the greeting, once', async () => {
    const flow = await desk.publish(askName)
    const customer = newCustomer()
    await desk.say(customer, 'hola')
    expect(await heardBy(customer.number)).toEqual(['¿Su nombre?'])
    await desk.say(customer, 'Sol')
    expect(await heardBy(customer.number)).toEqual(['¿Su nombre?', 'Gracias, Sol'])
    const id = await ticketOf(customer.number)
    expect(await desk.listRuns(flow)).toMatchObject([{ eventKey: `opened:${id}`, endReason: 'end' }])
    expect(await desk.db.selectFrom('flowEvents').select('id').execute()).toEqual([])
    // The flow is over: the next message is for the bots.
    await desk.say(customer, 'otra cosa')
    expect(await heardBy(customer.number)).toEqual(['¿Su nombre?', 'Gracias, Sol', 'Bienvenido'])
  })

  it('gets the greeting while a flow only waits for a time', async () => {
    const wait = { kind: 'wait' as const, id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'say' }
    await desk.publish(makeFlow('ticketOpened', [wait, say('say', 'Más tarde', 'end'), end]))
    const customer = newCustomer()
    await desk.say(customer, 'hola')
    expect(await heardBy(customer.number)).toEqual([])
    await desk.say(customer, '¿hay alguien?')
    expect(await heardBy(customer.number)).toEqual(['Bienvenido'])
  })

  it('gets the greeting beside a flow that is silent', async () => {
    const tag = await desk.createTag()
    const flow = await desk.publish(makeFlow('message', [{ kind: 'tags', id: 'tag', add: [tag], next: 'end' }, end]))
    const customer = newCustomer()
    await desk.say(customer, 'hola')
    await desk.say(customer, 'quiero comprar')
    expect(await heardBy(customer.number)).toEqual(['Bienvenido'])
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended' }, { state: 'ended' }])
  })

  it('gets no flow whose words are not in the message, nor one if bots are off for them', async () => {
    const trigger = { kind: 'message' as const, words: { mode: 'any', words: ['precio'] } }
    const steps = [say('say', 'La lista de precios', 'end'), end]
    await desk.publish({ kind: 'rule', triggers: [trigger], first: 'say', steps })
    const [customer, withoutBots] = [newCustomer(), newCustomer()]
    await desk.say(customer, 'hola')
    await desk.say(customer, '¿qué PRECIO tiene?')
    expect(await heardBy(customer.number)).toEqual(['Bienvenido', 'La lista de precios'])
    await desk.say(withoutBots, 'hola')
    const silent = desk.db.updateTable('contacts').set({ disableBot: true })
    await silent.where('number', '=', withoutBots.number).execute()
    await desk.say(withoutBots, 'precio')
    expect(await heardBy(withoutBots.number)).toEqual(['Bienvenido'])
  })

  it('answers with a second message that arrives before the flow goes on', async () => {
    await desk.publish(askName)
    const customer = newCustomer()
    await desk.say(customer, 'hola')
    await desk.receive(makeTextEvent(customer.number, 'Sol'), makeTextEvent(customer.number, 'Paz'))
    await desk.settle()
    expect(await heardBy(customer.number)).toEqual(['¿Su nombre?', 'Gracias, Sol'])
  })

  it('answers a question that was asked when the ticket was closed, in a new ticket', async () => {
    const flow = await desk.publish({ ...askName, triggers: [{ kind: 'resolved' }] })
    const customer = newCustomer()
    await desk.say(customer, 'hola')
    const closed = await ticketOf(customer.number)
    await desk.putTicket(desk.admin, closed, { status: 'closed' })
    await desk.settle()
    expect(await desk.listSaid(closed)).toEqual(['¿Su nombre?'])
    const { ticketId } = await desk.waitForMessage(await customer.says('Sol'))
    await desk.settle()
    expect(ticketId).not.toBe(closed)
    expect(await desk.listSaid(ticketId)).toEqual(['Gracias, Sol'])
    expect(await desk.listRuns(flow)).toMatchObject([{ ticketId, endReason: 'end' }])
  })

  it('ends a sequence by asking for no more messages', async () => {
    const wait = { kind: 'wait' as const, id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'say' }
    const steps = [wait, say('say', '¿Lo pensó?', 'end'), end]
    const flow = await desk.publish({ ...makeFlow('ticketOpened', steps), kind: 'sequence' })
    const customer = newCustomer()
    await desk.say(customer, 'hola')
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'waiting' }])
    await desk.say(customer, defaultCampaignSettings.stopWords[0] ?? '')
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'opted-out' }])
  })

  it('gets the same in a batch of strangers as alone', async () => {
    await desk.publish(askName)
    await desk.publish(
      makeFlow('message', [{ kind: 'tags', id: 'tag', add: [await desk.createTag()], next: 'end' }, end]),
    )
    const [together, alone] = [0, 1].map(() => [0, 1, 2, 3].map(() => nextPhoneNumber())) as [string[], string[]]
    for (const text of ['hola', 'Sol', 'gracias']) {
      await desk.receive(...together.map((phone) => makeTextEvent(phone, text)))
      await desk.settle()
      for (const phone of alone) await desk.receive(makeTextEvent(phone, text))
      await desk.settle()
    }
    const outcome = async (phones: string[]) => {
      const ids = await Promise.all(phones.map(ticketOf))
      const runs = desk.db
        .selectFrom('flowRuns')
        .select(['state', 'endReason', 'ticketId'])
        .orderBy('flowId')
        .orderBy('id')
      return Promise.all(
        phones.map(async (phone, n) => ({
          heard: await heardBy(phone),
          tags: (await desk.showTicket(ids[n] as number)).tags.length,
          runs: (await runs.where('ticketId', '=', ids[n] as number).execute()).map(({ endReason }) => endReason),
        })),
      )
    }
    const expected = {
      heard: ['¿Su nombre?', 'Gracias, Sol', 'Bienvenido'],
      tags: 1,
      runs: ['end', 'end', 'end', 'end'],
    }
    expect(await outcome(alone)).toEqual(alone.map(() => expected))
    expect(await outcome(together)).toEqual(await outcome(alone))
  })
})
