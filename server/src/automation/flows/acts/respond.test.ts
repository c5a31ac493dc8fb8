import { type Prompt, promptsApi } from '@recado/contract/ai/prompts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FlowDesk, openFlowDesk } from '../../../../test/flow-desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../../test/test-server.ts'
import type { ImmediateAction } from '../../bot-actions/bot.ts'
import { type BotBackend, type BotRequest, PermanentBotError } from '../../bot-requests/backend.ts'

/** A prompt that the test answers. */
let requests: BotRequest<unknown>[]
let answer: (request: BotRequest<unknown>) => Promise<ImmediateAction | null>
const backend: BotBackend = {
  name: 'prompt',
  answer(request) {
    requests.push(request)
    return answer(request)
  },
}
const says = (text: string, more: Partial<ImmediateAction> = {}): ImmediateAction => ({
  ...{ bot: 'prompt', why: 'machine-answered', messages: [text], allowRepeat: true },
  ...more,
})

let harness: TestServer
let desk: FlowDesk
let promptId: number
beforeAll(async () => {
  harness = await testServer({}, undefined, { automations: { backends: [backend] } })
  desk = await openFlowDesk(harness)
  const queue = await desk.createQueue('Recepción humana')
  const body = {
    ...{ name: 'Recepción', prompt: 'Eres la recepción de una tienda. Contesta con calma y en pocas palabras.' },
    ...{ model: 'gpt-4o-mini', maxTokens: 100, temperature: 0.5, apiKey: 'sk-a-key-1234567' },
    ...{ queueId: queue.id, maxMessages: 10, tools: [] },
  }
  const prompt: Prompt = await desk.admin.call(promptsApi.create, { body: body as never })
  promptId = prompt.id
})
afterAll(closeTestServers)
beforeEach(async () => {
  requests = []
  answer = async () => says('Abrimos a las nueve')
  await desk.db.deleteFrom('flows').where('companyId', '=', desk.company.id).execute()
})

const publish = (turns: number, more: object = {}) =>
  desk.publish({
    ...{ kind: 'flow', triggers: [{ kind: 'message' }], first: 'bot' },
    steps: [
      {
        kind: 'respond',
        id: 'bot',
        by: { kind: 'prompt', promptId },
        turns,
        next: 'bye',
        otherwise: 'person',
        ...more,
      },
      { kind: 'say', id: 'bye', text: 'Gracias', next: 'end' },
      { kind: 'person', id: 'person', text: 'Te paso con una persona' },
      { kind: 'end', id: 'end' },
    ],
  })
const received = async ({ customer }: Awaited<ReturnType<FlowDesk['newTicket']>>) =>
  (await customer.listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)
async function startWith(text: string) {
  const ticket = await desk.newTicket(text)
  await desk.settle()
  return ticket
}

describe('a prompt in a flow', () => {
  it('answers once, and the flow goes on', async () => {
    const flow = await publish(1)
    const ticket = await startWith('¿Cuándo abren?')
    expect(requests).toMatchObject([{ input: { id: promptId, text: '¿Cuándo abren?', begins: true, chose: false } }])
    await vi.waitFor(async () => expect(await received(ticket)).toEqual(['Abrimos a las nueve', 'Gracias']))
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'end' }])
    const steps = (await desk.listEvents(ticket.id)).flatMap((event) => event.steps.map(({ step, why }) => [step, why]))
    expect(steps).toContainEqual(['prompt', 'machine-answered'])
    expect(steps).toContainEqual(['flow', 'responded'])
  })

  it('answers in several turns, until it has nothing more to say', async () => {
    const flow = await publish(3)
    const ticket = await startWith('hola')
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'waiting' }])
    answer = async () => says('Hasta luego', { closesTicket: true })
    await desk.say(ticket.customer, '¿Y los domingos?')
    expect(requests.map(({ input }) => input)).toMatchObject([
      { text: 'hola', begins: true },
      { text: '¿Y los domingos?', begins: false },
    ])
    await vi.waitFor(async () =>
      expect(await received(ticket)).toEqual(['Abrimos a las nueve', 'Hasta luego', 'Gracias']),
    )
    expect((await desk.showTicket(ticket.id)).status).toBe('pending')
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'end' }])
  })

  it.each<[string, typeof answer]>([
    ['fails for good', () => Promise.reject(new PermanentBotError('no credit'))],
    ['does not know', async () => says('No sé', { handsOver: true, why: 'machine-does-not-know' })],
  ])('leaves the step at its other way out if it %s', async (_, given) => {
    const flow = await publish(1)
    answer = given
    const ticket = await startWith('¿Cuándo abren?')
    await vi.waitFor(async () => expect(await received(ticket)).toEqual(['Te paso con una persona']))
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'person' }])
  })

  it('is asked again after a failure that may pass, with the same id', async () => {
    const flow = await publish(1)
    answer = async () => {
      if (requests.length === 1) throw new Error('overloaded')
      return says('Abrimos a las nueve')
    }
    const ticket = await startWith('¿Cuándo abren?')
    await vi.waitFor(async () => expect(await received(ticket)).toEqual(['Abrimos a las nueve', 'Gracias']))
    expect(requests).toHaveLength(2)
    expect(requests[1]?.id).toBe(requests[0]?.id)
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'end' }])
  })

  it('sends no answer after a person has taken the conversation', async () => {
    const flow = await publish(1)
    const { promise, resolve } = Promise.withResolvers<ImmediateAction>()
    answer = () => promise
    const ticket = await desk.newTicket('¿Cuándo abren?')
    await vi.waitFor(() => expect(requests).toHaveLength(1), 5000)
    await desk.accept(desk.admin, ticket.id)
    resolve(says('Abrimos a las nueve'))
    await desk.settle()
    expect(await received(ticket)).toEqual([])
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'taken-over' }])
  })

  it('is asked again by another process if this one dies', async () => {
    const flow = await publish(1)
    answer = () => Promise.reject(new PermanentBotError('unused'))
    const ticket = await desk.newTicket('hola')
    await desk.settle()
    const [run] = await desk.listRuns(flow)
    // As a process leaves it that dies while it waits for the answer.
    const position = JSON.stringify({ ...run?.position, stepId: 'bot', isWaiting: false, ended: null })
    await desk.db
      .updateTable('flowRuns')
      .set({ position, state: 'calling', endReason: null, endedAt: null, dueAt: harness.clock.now() })
      .where('id', '=', run?.id as number)
      .execute()
    await desk.db.updateTable('tickets').set({ flowRunId: run?.id }).where('id', '=', ticket.id).execute()
    answer = async () => says('Abrimos a las nueve')
    await desk.settle()
    await vi.waitFor(async () =>
      expect(await received(ticket)).toEqual(['Te paso con una persona', 'Abrimos a las nueve', 'Gracias']),
    )
  })
})
