import { connectionsApi } from '@recado/contract/connections'
import { integrationsApi, integrationToolsApi } from '@recado/contract/integrations/integrations'
import { queuesApi } from '@recado/contract/queues'
import { tagsApi } from '@recado/contract/tags'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { fakeDialogflow } from '../../../test/fake-dialogflow.ts'
import { choiceInput, fakeTypebot, textBlock, textInput } from '../../../test/fake-typebot.ts'
import { fakeWebhook } from '../../../test/fake-webhook.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { makeLog } from '../../kernel/log.ts'
import { makeIntegrationBackend } from './integration.ts'
import { webhookDeliveryJobs } from './webhook-deliveries.ts'

let harness: TestServer
let desk: Desk
let typebot: Awaited<ReturnType<typeof fakeTypebot>>
let google: Awaited<ReturnType<typeof fakeDialogflow>>
let webhook: Awaited<ReturnType<typeof fakeWebhook>>
const usualMs = 10_000
const limits = { callTimeoutMs: usualMs }
const logLines: string[] = []
/** The first bytes of a voice note, enough to detect its type. */
const voice = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead'), Buffer.alloc(20)])

beforeAll(async () => {
  ;[typebot, google, webhook] = [await fakeTypebot(), await fakeDialogflow(), await fakeWebhook()]
  const crew = { backends: [makeIntegrationBackend(limits)] }
  const config = { privateTargets: true, dialogflowUrl: google.base }
  harness = await testServer(config, makeLog('debug', { write: (line) => void logLines.push(line) }), {
    automations: crew,
    botRequestLimits: { retryDelayMs: () => 1 },
  })
})
afterAll(async () => {
  await closeTestServers()
  for (const machine of [typebot, google, webhook]) machine.close()
})
beforeEach(async () => {
  desk = await openDesk(harness)
  for (const machine of [typebot, google, webhook]) machine.reset()
  webhook.received.splice(0)
  webhook.hook.answer = () => 'ok'
  limits.callTimeoutMs = usualMs
  typebot.flow.start = () => ({ messages: [textBlock('Hola, soy el bot')], input: textInput })
  typebot.flow.next = (text) => ({ messages: [textBlock(`Dijiste ${text}`)], input: textInput })
})

const urls = { typebot: () => typebot.url, n8n: () => `${webhook.url}/hook`, webhook: () => `${webhook.url}/hook` }
type Type = keyof typeof urls | 'dialogflow'

/** A company whose line leads to one queue with this integration. */
async function answeredBy(type: Type, more: Record<string, unknown> = {}) {
  const own =
    type === 'dialogflow'
      ? { projectName: 'agente', jsonContent: google.json, language: 'es' }
      : { urlN8N: urls[type](), typebotSlug: 'flujo' }
  const body = { type, name: 'La máquina', typebotDelayMessage: 0, ...own, ...more }
  const integration = await desk.admin.call(integrationsApi.create, { body: body as never })
  const queue = await desk.createQueue('Ventas')
  await desk.admin.call(queuesApi.update, {
    params: { id: queue.id },
    body: { ...queue, integrationId: integration.id } as never,
  })
  const row = await desk.line.showLine()
  await desk.admin.call(connectionsApi.update, {
    params: { id: desk.line.id },
    body: { ...row, queueIds: [queue.id] } as never,
  })
  if (type === 'n8n' || type === 'webhook')
    webhook.hook.secret = (await desk.admin.call(integrationToolsApi.secret, { params: { id: integration.id } })).secret
  return { integration, queue }
}
const waitForRunner = () => harness.server.switchboard.botRequestRunner.idle()
/** The customer writes; resolves when all bot requests are done. */
async function sayAndWait(customer: { says: (text: string) => Promise<string> }, text: string) {
  await desk.waitForHandled(await customer.says(text))
  await waitForRunner()
}
async function startTicket(text = 'hola') {
  const { id, customer } = await desk.newTicket(text)
  await desk.waitForHandled((await customer.listMessages()).find((m) => m.body === text)?.id ?? '')
  await waitForRunner()
  return { id, customer, says: (more: string) => sayAndWait(customer, more) }
}
const listBotTexts = async (id: number) =>
  (
    await desk.db
      .selectFrom('messages')
      .select(['body', 'mediaType'])
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .orderBy('id')
      .execute()
  ).map((m) => (m.mediaType === 'conversation' ? m.body : `${m.mediaType} ${m.body}`.trim()))
const stateOf = (id: number) => desk.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const lastStep = async (id: number) => (await desk.listEvents(id))[0]?.steps.at(-1)
const callsOf = async (id: number) =>
  (await desk.admin.call(integrationsApi.calls, { params: { id }, query: {} as never })).calls

describe('a Typebot', () => {
  it('starts and continues a session, and stores its id on the ticket', async () => {
    const { integration, queue } = await answeredBy('typebot')
    const { id, says } = await startTicket()
    expect(await listBotTexts(id)).toEqual(['Hola, soy el bot'])
    expect(await desk.showTicket(id)).toMatchObject({
      ...{ status: 'pending', queueId: queue.id, chatbot: true },
      ...{ useIntegration: true, integrationId: integration.id, promptId: null },
    })
    expect(JSON.parse(typebot.requests[0]?.body ?? '')).toMatchObject({ message: { text: 'hola' } })
    await says('quiero un turno')
    expect(await listBotTexts(id)).toEqual(['Hola, soy el bot', 'Dijiste quiero un turno'])
    expect(typebot.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['startChat', 'continueChat'])
    const calls = await callsOf(integration.id)
    expect(calls).toMatchObject([
      { kind: 'typebot', ticketId: id, status: 200, ok: true, error: '' },
      { kind: 'typebot', ticketId: id, status: 200, ok: true, error: '' },
    ])
    expect(calls[0]?.asked).toContain('quiero un turno')
    expect(await desk.admin.call(integrationsApi.show, { params: { id: integration.id } })).toMatchObject({
      health: { inRow: 0, restsUntil: null },
    })
    // Accepting the ticket ends the session in the same statement.
    await desk.accept(desk.admin, id)
    expect(await stateOf(id)).toMatchObject({ useIntegration: false, integrationId: null, botSession: null })
  })

  it('shows files, and choices that the customer answers by number', async () => {
    await answeredBy('typebot')
    typebot.flow.start = () => ({
      messages: [
        { type: 'image', content: { url: `${typebot.url}/files/a.png` } },
        { type: 'audio', content: { url: 'http://127.0.0.1:9/gone.mp3' } },
        textBlock('¿Con quién?'),
      ],
      input: choiceInput('Ventas', 'Soporte'),
    })
    const { id, says } = await startTicket()
    expect(await listBotTexts(id)).toEqual([
      'image',
      'http://127.0.0.1:9/gone.mp3',
      '¿Con quién?\n\n*1* Ventas\n*2* Soporte',
    ])
    const last = await desk.db
      .selectFrom('messages')
      .select('sendAs')
      .where('ticketId', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(last?.sendAs?.choices).toMatchObject({
      text: '¿Con quién?',
      options: [
        { key: '1', title: 'Ventas' },
        { key: '2', title: 'Soporte' },
      ],
    })
    await says('2')
    expect((await listBotTexts(id)).at(-1)).toBe('Dijiste Soporte')
  })

  it('sends answers without the characters that PostgreSQL cannot store', async () => {
    const { integration } = await answeredBy('typebot')
    typebot.flow.start = () => ({ messages: [textBlock('uno\u0000dos \ud83d')], input: choiceInput('A\u0000') })
    const { id } = await startTicket()
    expect(await listBotTexts(id)).toEqual(['unodos \ufffd\n\n*1* A'])
    expect(await callsOf(integration.id)).toMatchObject([{ ok: true }])
  })

  it('shows the typing indicator between two messages, and keeps their order', async () => {
    await answeredBy('typebot', { typebotDelayMessage: 60 })
    typebot.flow.start = () => ({ messages: [textBlock('uno'), textBlock('dos'), textBlock('tres')], input: textInput })
    const { customer } = await startTicket()
    await vi.waitFor(async () =>
      expect((await customer.listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)).toEqual([
        'uno',
        'dos',
        'tres',
      ]),
    )
  })

  it('restarts once when the session is gone, and after its timeout in minutes', async () => {
    await answeredBy('typebot', { typebotExpires: 10 })
    const { id, says } = await startTicket()
    typebot.sessions.clear()
    await says('sigo aquí')
    expect(await listBotTexts(id)).toEqual(['Hola, soy el bot', 'Hola, soy el bot'])
    const paths = () => typebot.requests.map(({ path }) => path.split('/').at(-1))
    expect(paths()).toEqual(['startChat', 'continueChat', 'startChat'])
    expect((await callsOf((await stateOf(id)).integrationId as number)).map((one) => one.error)).toContain(
      'the session is over',
    )
    await desk.withClockForward(11 * 60_000, () => says('volví'))
    expect(paths().at(-1)).toBe('startChat')
  })

  it('recognizes its keywords, and sends its configured text for input it does not understand', async () => {
    await answeredBy('typebot', {
      ...{ typebotKeywordFinish: 'salir', typebotKeywordRestart: 'empezar', typebotRestartMessage: 'De nuevo' },
      typebotUnknownMessage: 'No entendí',
    })
    typebot.flow.next = () => ({ messages: [textBlock('Invalid message. Please, try again.')], input: textInput })
    const { id, says } = await startTicket()
    await says('@@')
    expect((await listBotTexts(id)).at(-1)).toBe('No entendí')
    await says(' Empezar ')
    expect((await listBotTexts(id)).at(-1)).toBe('De nuevo')
    await says('otra vez')
    expect(typebot.requests.at(-1)?.path).toContain('startChat')
    await says('SALIR')
    expect((await stateOf(id)).status).toBe('closed')
  })

  it.each([
    ['says so', (q: number) => ({ messages: [textBlock('Te paso'), textBlock(`#{"queueId": ${q}}`)] }), 'handed-over'],
    ['is over', () => ({ messages: [textBlock('Te paso')] }), 'flow-ended'],
  ])('leaves the ticket to agents when the flow %s', async (_, answer, why) => {
    await answeredBy('typebot')
    const other = await desk.createQueue('Soporte')
    typebot.flow.next = () => answer(other.id)
    const { id, says } = await startTicket()
    await says('persona')
    expect((await listBotTexts(id)).at(-1)).toBe('Te paso')
    expect(await stateOf(id)).toMatchObject({ botLeft: true, useIntegration: false, integrationId: null })
    expect((await stateOf(id)).queueId === other.id).toBe(why === 'handed-over')
    expect(await lastStep(id)).toMatchObject({ step: 'integration', why })
    const before = typebot.requests.length
    await says('¿hola?')
    expect(typebot.requests).toHaveLength(before)
  })

  it('transfers the ticket to an agent of this company, and of no other', async () => {
    await answeredBy('typebot')
    const agent = await desk.createUser('user')
    const stranger = await (await harness.createCompany()).user()
    const foreign = await openDesk(harness)
    const theirs = await foreign.createQueue()
    typebot.flow.next = (text) => ({ messages: [textBlock(`#{"queueId": ${theirs.id}, "userId": ${text}}`)] })
    const one = await startTicket()
    await one.says(String(agent.id))
    expect(await stateOf(one.id)).toMatchObject({ status: 'open', userId: agent.id })
    const two = await startTicket()
    await two.says(String(stranger.id))
    expect(await stateOf(two.id)).toMatchObject({ status: 'pending', userId: null, botLeft: true })
    expect(await lastStep(two.id)).toMatchObject({ with: { refused: `queue ${theirs.id}, user ${stranger.id}` } })
  })
})

describe('a DialogFlow agent', () => {
  it('answers in the session of the ticket, and accepts voice messages', async () => {
    await answeredBy('dialogflow')
    const { id, says, customer } = await startTicket()
    await says('¿precio?')
    expect(await listBotTexts(id)).toEqual(['Entendí hola', 'Entendí ¿precio?'])
    const { uuid } = await desk.showTicket(id)
    expect(google.requests.at(-1)?.path).toContain(`/sessions/${uuid}:detectIntent`)
    google.agent.result = (_, given) => ({ fulfillmentText: given.inputAudio ? 'Te escuché' : 'No' })
    await desk.waitForHandled(await customer.sends(new File([voice], 'voz.ogg', { type: 'audio/ogg' })))
    await waitForRunner()
    expect((await listBotTexts(id)).at(-1)).toBe('Te escuché')
  })

  it('leaves the ticket to an agent after the second misunderstanding, and at the end of the flow', async () => {
    await answeredBy('dialogflow')
    google.agent.result = () => ({ fulfillmentText: '¿Cómo?', intent: { isFallback: true } })
    const { id, says } = await startTicket('blabla')
    expect(await stateOf(id)).toMatchObject({ botLeft: false })
    await says('blabla')
    expect(await stateOf(id)).toMatchObject({ botLeft: true })
    expect(await lastStep(id)).toMatchObject({ why: 'not-understood' })
    google.agent.result = () => ({ fulfillmentText: 'Chau', diagnosticInfo: { end_conversation: true } })
    const other = await startTicket()
    expect(await listBotTexts(other.id)).toEqual(['Chau'])
    expect(await lastStep(other.id)).toMatchObject({ why: 'agent-ended' })
  })

  it('is tested before it is saved: the test returns 200, or 400 with a readable reason', async () => {
    google.agent.result = (text) => ({ fulfillmentText: `Entendí ${text}` })
    const body = { projectName: 'agente', jsonContent: google.json, language: 'es' }
    expect(await desk.admin.call(integrationToolsApi.testSession, { body: body as never })).toMatchObject({
      ...{ ok: true, says: ['Entendí hola'] },
    })
    const wrong = await desk.admin.request<{ error: string; reason: string }>('POST', '/queueIntegration/testSession', {
      ...body,
      projectName: 'otro',
    })
    expect(wrong).toMatchObject({ status: 400, body: { error: 'ERR_INTEGRATION_TEST' } })
    expect(wrong.body.reason).toContain('no agent in project otro')
    expect(
      (await desk.admin.request('POST', '/queueIntegration/testSession', { ...body, jsonContent: '{}' })).status,
    ).toBe(400)
  })
})

describe('a webhook', () => {
  it('receives each message, signed, and its answer is performed', async () => {
    const { integration, queue } = await answeredBy('webhook')
    const tag = await desk.admin.call(tagsApi.create, { body: { name: 'VIP', color: '#112233' } as never })
    webhook.hook.answer = ({ event, message }) =>
      event === 'conversation.started'
        ? { say: [{ text: '¿Qué?', choices: ['Pagar', 'Otra'] }], tag: tag.id }
        : { say: `Elegiste ${message?.choice}`, transfer: 'people' }
    const { id, says } = await startTicket()
    expect(webhook.received).toMatchObject([
      {
        isSigned: true,
        body: {
          version: 1,
          event: 'conversation.started',
          company: { id: desk.company.id },
          integration: { id: integration.id },
          ticket: { id, queue: { id: queue.id } },
          message: { body: 'hola', type: 'conversation', media: null },
          line: { id: desk.line.id },
        },
      },
    ])
    expect(webhook.received[0]?.id).toBe(webhook.received[0]?.body.id)
    expect((await desk.showTicket(id)).tags).toMatchObject([{ id: tag.id }])
    await says('1')
    expect((await listBotTexts(id)).at(-1)).toBe('Elegiste Pagar')
    expect(await stateOf(id)).toMatchObject({ botLeft: true })
  })

  it('keeps the ticket if it answers only ok, and receives the next message with its file', async () => {
    await answeredBy('n8n')
    const { id, customer } = await startTicket()
    expect(await listBotTexts(id)).toEqual([])
    expect(await stateOf(id)).toMatchObject({ useIntegration: true, botLeft: false })
    await desk.waitForHandled(
      await customer.sends(new File([Buffer.from('%PDF-1.4 x')], 'factura.pdf', { type: 'application/pdf' })),
    )
    await waitForRunner()
    const { message } = webhook.received.at(-1)?.body ?? {}
    expect(message?.media?.name).toContain('factura')
    const address = new URL(message?.media?.url ?? '')
    expect((await fetch(harness.address + address.pathname + address.search)).status).toBe(200)
  })

  it('leaves the customer to agents at once if it fails, and receives the messages later, in order', async () => {
    const { integration } = await answeredBy('webhook')
    webhook.state.permanentFailure = { kind: 'fail', status: 500, body: 'broken' }
    const { id } = await startTicket()
    expect(await stateOf(id)).toMatchObject({ botLeft: true })
    expect(await lastStep(id)).toMatchObject({ why: 'nobody-answered', with: { error: 'La máquina: 500 broken' } })
    webhook.state.permanentFailure = null
    const waits = () =>
      desk.db.selectFrom('webhookDeliveries').select(['state', 'attempts']).where('ticketId', '=', id).execute()
    expect(await waits()).toEqual([{ state: 'waiting', attempts: 1 }])
    const job = { companyId: desk.company.id, integrationId: integration.id, ticketId: id }
    webhook.hook.answer = () => ({ say: 'demasiado tarde' })
    await webhookDeliveryJobs(harness.server.deps)['webhook:deliver'](job)
    expect(await waits()).toEqual([{ state: 'done', attempts: 2 }])
    expect(webhook.received.map((one) => one.id)).toHaveLength(1)
    // Agents have the ticket: a late answer is ignored.
    expect(await listBotTexts(id)).not.toContain('demasiado tarde')
  })

  it('receives two quick messages in order, each once, and both its answers are sent', async () => {
    await answeredBy('webhook')
    webhook.hook.answer = ({ message }) => ({ say: `eco ${message?.body}` })
    const { promise, resolve } = Promise.withResolvers<void>()
    webhook.failures.push({ kind: 'late', after: promise })
    const number = nextPhoneNumber()
    await desk.receive(makeTextEvent(number, 'uno'))
    await webhook.waitForRequest(1)
    await desk.receive(makeTextEvent(number, 'dos'))
    resolve()
    await vi.waitFor(() => expect(webhook.received).toHaveLength(2), 10_000)
    await waitForRunner()
    const { ticketId } = await desk.db
      .selectFrom('messages')
      .select('ticketId')
      .where('companyId', '=', desk.company.id)
      .where('body', '=', 'dos')
      .executeTakeFirstOrThrow()
    expect(webhook.received.map((one) => one.body.message?.body)).toEqual(['uno', 'dos'])
    expect(await listBotTexts(ticketId as number)).toEqual(['eco uno', 'eco dos'])
  })

  it('cannot reach another company or send an unlimited number of messages', async () => {
    const foreign = await openDesk(harness)
    const [queue, tag] = [
      await foreign.createQueue(),
      await foreign.admin.call(tagsApi.create, { body: { name: 'XYZ', color: '#112233' } as never }),
    ]
    await answeredBy('webhook')
    webhook.hook.answer = () => ({
      say: 'hola',
      tag: [tag.id],
      transfer: { queueId: queue.id, userId: foreign.admin.id },
    })
    const { id } = await startTicket()
    expect((await desk.showTicket(id)).tags).toEqual([])
    expect(await stateOf(id)).toMatchObject({ companyId: desk.company.id, userId: null, botLeft: true })
    webhook.hook.answer = () => ({ say: Array(500).fill('bla') })
    const other = await startTicket()
    expect((await listBotTexts(other.id)).length).toBeLessThan(5)
    expect(await lastStep(other.id)).toMatchObject({ why: 'nobody-answered' })
  })

  it('has a secret that is shown once, and recorded calls that can be sent again', async () => {
    const { integration } = await answeredBy('webhook')
    const { id } = await startTicket()
    const [call] = await callsOf(integration.id)
    const params = { id: integration.id, callId: call?.id as number }
    expect(await desk.admin.call(integrationToolsApi.again, { params })).toMatchObject({
      ok: true,
      status: 200,
      ticketId: id,
    })
    expect(webhook.received.map((one) => one.id)).toEqual([webhook.received[0]?.id, webhook.received[0]?.id])
    const shown = await desk.admin.request<object>('GET', `/queueIntegration/${integration.id}`)
    const kept = JSON.stringify([shown.body, await callsOf(integration.id)])
    expect(kept).not.toContain(webhook.hook.secret)
    expect(kept).not.toContain('v1,')
    // A call of another company is not found.
    const foreign = await openDesk(harness)
    expect(
      (await foreign.admin.request('POST', `/queueIntegration/${integration.id}/calls/${call?.id}/again`)).status,
    ).toBe(404)
  })

  it('can be tested as a draft, like every other type', async () => {
    const draft = { type: 'webhook', name: 'Borrador', urlN8N: `${webhook.url}/files/x` }
    expect(await desk.admin.call(integrationToolsApi.test, { body: { draft } as never })).toMatchObject({
      ok: true,
      says: [],
    })
    const flow = { type: 'typebot', name: 'Borrador', urlN8N: typebot.url, typebotSlug: 'x' }
    expect(await desk.admin.call(integrationToolsApi.test, { body: { draft: flow } as never })).toMatchObject({
      ok: true,
      says: ['Hola, soy el bot'],
    })
    const nobody = { ...flow, urlN8N: 'http://127.0.0.1:9' }
    const answer = await desk.admin.call(integrationToolsApi.test, { body: { draft: nobody } as never })
    expect(answer).toMatchObject({ ok: false, status: 0 })
    expect(answer.error).toContain('unreachable:')
  })
})

describe('a failing integration', () => {
  const bad = [
    ['fails', { kind: 'fail', status: 500, body: 'broken' }, '500 broken', '500 broken'],
    ['talks nonsense', { kind: 'nonsense' }, 'no JSON', 'no JSON'],
    ['hangs', { kind: 'hang' }, 'no answer within', 'timeout:'],
    ['breaks off', { kind: 'cut' }, 'cannot be reached', 'unreachable:'],
  ] as const
  const types = ['typebot', 'dialogflow', 'webhook'] as const
  it.each(types.flatMap((type) => bad.map(([name, mishap, why, code]) => [type, name, mishap, why, code] as const)))(
    'leaves the customer to agents with a readable reason: %s %s',
    async (type, name, mishap, why, code) => {
      const { integration, queue } = await answeredBy(type)
      const machine = { typebot, dialogflow: google, webhook }[type]
      machine.state.permanentFailure = mishap
      if (name === 'hangs') limits.callTimeoutMs = 300
      const { id } = await startTicket()
      // A webhook may answer anything: an answer that is not JSON requests no action.
      if (type === 'webhook' && name === 'talks nonsense')
        return expect(await stateOf(id)).toMatchObject({ botLeft: false })
      // Some failures are retried before agents take over.
      await vi.waitFor(async () => expect((await stateOf(id)).botLeft).toBe(true), 10_000)
      expect(await stateOf(id)).toMatchObject({ status: 'pending', queueId: queue.id })
      const last = await lastStep(id)
      expect(last).toMatchObject({ step: 'asked', why: 'nobody-answered' })
      expect(String(last?.with?.error)).toContain(why)
      const [call] = await callsOf(integration.id)
      expect(call).toMatchObject({ ok: false, ticketId: id })
      // The recorded error contains a code that the screen translates.
      expect(call?.error).toContain(code)
      expect(JSON.stringify(call)).not.toContain('PRIVATE KEY')
    },
  )

  it('is paused after five failures in a row, reported to admins once, and called again later', async () => {
    const { integration } = await answeredBy('typebot')
    const socketClient = await desk.admin.listen()
    typebot.state.permanentFailure = { kind: 'fail', status: 404, body: 'no such flow' }
    for (let n = 0; n < 6; n++) await startTicket()
    expect(typebot.requests).toHaveLength(5)
    const health = async () => (await desk.admin.call(integrationsApi.show, { params: { id: integration.id } })).health
    expect(await health()).toMatchObject({ inRow: 5, reason: '404 no such flow' })
    expect((await health()).restsUntil).not.toBeNull()
    await socketClient.waitFor(`company-${desk.company.id}-notice`, { action: 'create' })
    const notices = await desk.db
      .selectFrom('notices')
      .select(['kind', 'byName'])
      .where('companyId', '=', desk.company.id)
      .execute()
    expect(notices).toEqual([{ kind: 'resting', byName: 'La máquina' }])
    typebot.state.permanentFailure = null
    await desk.withClockForward(61_000, async () => {
      const { id } = await startTicket()
      expect(await listBotTexts(id)).toEqual(['Hola, soy el bot'])
    })
    expect(await health()).toMatchObject({ inRow: 0, reason: '', restsUntil: null })
  })

  it('is ignored when an agent accepted the ticket meanwhile', async () => {
    await answeredBy('typebot')
    const { promise, resolve } = Promise.withResolvers<void>()
    typebot.failures.push({ kind: 'late', after: promise })
    const { id } = await desk.newTicket('hola')
    await typebot.waitForRequest(1)
    await desk.accept(desk.admin, id)
    resolve()
    await waitForRunner()
    expect(await listBotTexts(id)).toEqual([])
  })

  it('is not called where the plan has no integrations', async () => {
    await answeredBy('typebot')
    const { planId } = await desk.db
      .selectFrom('companies')
      .select('planId')
      .where('id', '=', desk.company.id)
      .executeTakeFirstOrThrow()
    const flag = (on: boolean) =>
      desk.db
        .updateTable('plans')
        .set({ useIntegrations: on })
        .where('id', '=', planId as number)
        .execute()
    await flag(false)
    try {
      const { id } = await startTicket()
      expect(typebot.requests).toEqual([])
      expect(await stateOf(id)).toMatchObject({ botLeft: true })
      expect(await lastStep(id)).toMatchObject({ with: { error: 'the plan has no integrations' } })
    } finally {
      await flag(true)
    }
  })

  it('is logged with its reasons and without secrets', () => {
    const all = logLines.join('\n')
    expect(all).toContain('nobody answered a bot')
    for (const secret of ['whsec_', 'PRIVATE KEY', 'Bearer token']) expect(all).not.toContain(secret)
  })
})
