import { campaignStopsApi, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { contactsApi } from '@recado/contract/contacts'
import { filesApi } from '@recado/contract/files'
import { FlowStep } from '@recado/contract/flows/flow-steps'
import type { ActStep, FlowOutcome } from '@recado/contract/flows/walk'
import { queuesApi } from '@recado/contract/queues'
import { tagsApi } from '@recado/contract/tags'
import { notesApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../../test/upload.ts'
import { lockTicket } from '../../../desk/tickets/base/ticket-view.ts'
import { addMs, days, hours } from '../../../kernel/clock.ts'
import { Scope } from '../../../kernel/data/scope.ts'
import type { FlowAct } from './flow-act.ts'
import { performAct } from './perform-act.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number; name: string }
let flowId: number
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  flowId = await createFlow('Seguimiento')
})
afterAll(closeTestServers)

let ticketId: number
let customer: Awaited<ReturnType<Desk['newTicket']>>['customer']
beforeEach(async () => {
  const ticket = await desk.newTicket('hola', 'Sol')
  ticketId = ticket.id
  customer = ticket.customer
})

type Given = Record<string, unknown> & { kind: FlowStep['kind'] }
const parseStep = (step: Given) => FlowStep.parse({ id: 'step', ...step }) as ActStep
/** Performs a step as the engine does: in a transaction that has the ticket locked. */
async function perform(step: Given, over: Partial<FlowAct> = {}): Promise<FlowOutcome> {
  const { contactId } = await desk.showTicket(ticketId)
  const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
  return scope.transaction(async (tx) => {
    await lockTicket(tx, ticketId)
    return performAct(tx, {
      ...{ runId: 1, ticketId, contactId, step: parseStep(step), variables: {}, flowName: 'Seguimiento' },
      texts: { words: { name: 'Sol' }, moment: { now: tx.now(), zone: 'America/Bogota', language: 'es' } },
      ...{ isReply: true, ...over },
    })
  })
}
const refuses = (step: Given, over: Partial<FlowAct> = {}) =>
  perform(step, over).then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
const received = async () => (await customer.listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)
const waitForReceived = (texts: unknown[]) =>
  vi.waitFor(async () => expect(await received()).toEqual(texts), { timeout: 10_000, interval: 20 })
const flowSteps = async (id = ticketId) =>
  (await desk.listEvents(id)).flatMap(({ kind, steps }) => (kind === 'flow' ? steps : [])).reverse()
const show = () => desk.showTicket(ticketId)
const createTag = (name: string, kanban = 0) =>
  desk.admin.call(tagsApi.create, { body: { name, color: '#112233', kanban } as never })

async function createFlow(
  name: string,
  steps: object[] = [{ kind: 'end', id: 'end' }],
  kind = 'flow',
): Promise<number> {
  const { db, company } = desk
  const document = JSON.stringify({
    ...{ kind, triggers: [{ kind: 'flow', variables: ['order'] }], conditions: { match: 'all', of: [] } },
    ...{ first: Reflect.get(steps[0] as object, 'id'), steps, limits: {} },
  })
  const flow = await db
    .insertInto('flows')
    .values({ companyId: company.id, kind: kind as 'flow', name, draft: document, active: true } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('flowVersions')
    .values({ companyId: company.id, flowId: flow.id, number: 1, document } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('flows').set({ versionId: version.id }).where('id', '=', flow.id).execute()
  await db.insertInto('flowTriggers').values({ companyId: company.id, flowId: flow.id, kind: 'flow' }).execute()
  return flow.id
}
/** A run that waits for a long time, so that no worker continues it. */
async function createRun(of: number, over: object = {}): Promise<number> {
  const { contactId } = await show()
  const { id: versionId } = await desk.db
    .selectFrom('flowVersions')
    .select('id')
    .where('flowId', '=', of)
    .executeTakeFirstOrThrow()
  const position = { stepId: 'end', isWaiting: true, tries: 0, stepsSincePause: 0, variables: {}, ended: null }
  const { id } = await desk.db
    .insertInto('flowRuns')
    .values({
      ...{ companyId: desk.company.id, flowId: of, versionId, eventKey: `test:${ticketId}`, ticketId, contactId },
      ...{ position: JSON.stringify(position), state: 'waiting', ...over },
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const speaker = async () =>
  (await desk.db.selectFrom('tickets').select('flowRunId').where('id', '=', ticketId).executeTakeFirstOrThrow())
    .flowRunId
const optOut = async () => desk.admin.call(campaignStopsApi.create, { body: { contactId: (await show()).contactId } })

describe('a message of a flow', () => {
  it('has its values, and leaves the braces of a customer as they are', async () => {
    const variables = { order: '{{name}} {{ticket}}' }
    expect(await perform({ kind: 'say', text: 'Hola {{name}}: {{order}}' }, { variables })).toEqual({ kind: 'done' })
    await waitForReceived(['Hola Sol: {{name}} {{ticket}}'])
    expect(await flowSteps()).toMatchObject([{ step: 'flow', why: 'said', with: { flow: 'Seguimiento' } }])
    const [message] = (await desk.listMessages(desk.admin, ticketId)).slice(-1)
    expect(message).toMatchObject({ bot: 'flow', fromMe: true })
  })

  it('has buttons or a list, as text on lines without them', async () => {
    const buttons = [
      { id: 'yes', title: 'Sí' },
      { id: 'no', title: 'No' },
    ]
    await perform({ kind: 'say', text: '¿Te sirve?', buttons })
    const rows = [
      { id: 'a', title: 'Centro', description: 'De 9 a 18' },
      { id: 'b', title: 'Norte' },
    ]
    await perform({ kind: 'say', text: '¿Cuál?', list: { button: 'Ver sedes', rows } })
    await waitForReceived(['¿Te sirve?\n\n*1* Sí\n*2* No', '¿Cuál?\n\n*1* Centro\nDe 9 a 18\n*2* Norte'])
    const sent = await desk.db
      .selectFrom('messages')
      .select('sendAs')
      .where('ticketId', '=', ticketId)
      .where('fromMe', '=', true)
      .orderBy('id')
      .execute()
    expect(sent.map(({ sendAs }) => sendAs?.choices)).toMatchObject([
      { text: '¿Te sirve?', options: [{ key: 'yes', title: 'Sí' }, { key: 'no' }] },
      { text: '¿Cuál?', button: 'Ver sedes', options: [{ key: 'a', description: 'De 9 a 18' }, { key: 'b' }] },
    ])
  })

  it('has a file of a list, with the text below it or after it', async () => {
    const list = await desk.admin.call(filesApi.create, {
      body: { name: 'Folletos', message: 'x', options: [{ name: 'Catálogo' }] } as never,
    })
    const fileId = list.options[0]?.id as number
    expect(await refuses({ kind: 'say', text: 'Mira', fileId })).toBe('ERR_NO_FILE_FOUND')
    await sendForm(desk.admin, `/files/uploadList/${list.id}`, {
      id: [String(fileId)],
      files: [[tinyPng, 'catalogo.png']],
    })
    await perform({ kind: 'say', text: 'Mira', fileId })
    await perform({ kind: 'say', text: '¿Te gusta?', fileId, buttons: [{ id: 'yes', title: 'Sí' }] })
    await waitForReceived(['Mira', '', '¿Te gusta?\n\n*1* Sí'])
    const sent = (await desk.listMessages(desk.admin, ticketId)).filter(({ fromMe }) => fromMe)
    expect(sent.map(({ mediaType }) => mediaType)).toEqual(['image', 'image', 'conversation'])
  })

  it('goes to a contact who opted out only as an answer to their own message', async () => {
    await optOut()
    await perform({ kind: 'say', text: 'Oferta' }, { isReply: false })
    await perform({ kind: 'say', text: 'Tu pedido está en camino' }, { isReply: true })
    await waitForReceived(['Tu pedido está en camino'])
    expect(await flowSteps()).toMatchObject([{ why: 'not-said', with: { reason: 'opted-out' } }, { why: 'said' }])
  })

  it('keeps campaigns away for some days if it answers nothing, and does not if it answers', async () => {
    const { id: contactListId } = await desk.admin.call(contactListsApi.create, { body: { name: 'Clientes' } })
    const { number, name } = (await show()).contact
    await desk.admin.call(contactListItemsApi.create, { body: { name, number, email: '', contactListId } })
    await desk.db.updateTable('contactListItems').set({ isWhatsappValid: true }).execute()
    const plan = async (daysBetween: number) => {
      const body = { contactListId, whatsappId: desk.line.id, settings: { daysBetween, skipOpen: false } }
      const { gets, skipped } = await desk.admin.call(campaignsApi.plan, { body })
      return { gets, recent: skipped.recent }
    }
    await perform({ kind: 'say', text: 'Tu pedido está en camino' }, { isReply: true })
    expect(await plan(7)).toEqual({ gets: 1, recent: 0 })
    await perform({ kind: 'say', text: '¿Sigues ahí?' }, { isReply: false })
    expect(await plan(7)).toEqual({ gets: 0, recent: 1 })
    expect(await plan(0)).toEqual({ gets: 1, recent: 0 })
    const createdAt = addMs(harness.clock.now(), -days(8))
    await desk.db.updateTable('messages').set({ createdAt }).where('unprompted', '=', true).execute()
    expect(await plan(7)).toEqual({ gets: 1, recent: 0 })
  })

  it('goes to no contact whose automatic messages are off', async () => {
    const { contact } = await show()
    const { name, number } = contact
    await desk.admin.call(contactsApi.update, {
      params: { id: contact.id },
      body: { name, number, disableBot: true } as never,
    })
    await perform({ kind: 'say', text: 'Hola' })
    expect(await flowSteps()).toMatchObject([{ why: 'not-said', with: { reason: 'no-bots' } }])
    expect(await refuses({ kind: 'ask', text: '¿Sí?', answer: { kind: 'text' } })).toBe('ERR_FLOW_CONTACT_SILENT')
    expect(await received()).toEqual([])
  })

  it('asks again although the text is the same', async () => {
    const options = [
      { id: 'a', title: 'Uno' },
      { id: 'b', title: 'Dos' },
    ]
    const question = { kind: 'ask' as const, text: '¿Cuál, {{name}}?', answer: { kind: 'choice', options } }
    await perform(question)
    await perform(question)
    await perform(question, { text: 'No entendí. ¿Cuál?' })
    const choices = '\n\n*1* Uno\n*2* Dos'
    await waitForReceived([`¿Cuál, Sol?${choices}`, `¿Cuál, Sol?${choices}`, `No entendí. ¿Cuál?${choices}`])
    expect((await flowSteps()).map(({ why }) => why)).toEqual(['asked', 'asked', 'asked'])
  })
})

describe('a change of a flow', () => {
  it('adds and removes plain tags only', async () => {
    const [one, two, lane] = [await createTag('Nuevo'), await createTag('VIP'), await createTag('Carril', 1)]
    await perform({ kind: 'tags', add: [one.id] })
    await perform({ kind: 'tags', add: [two.id], remove: [one.id] })
    expect((await show()).tags.map(({ id }) => id)).toEqual([two.id])
    expect((await flowSteps()).at(-1)).toMatchObject({ why: 'tagged', with: { added: 'VIP', removed: 'Nuevo' } })
    expect(await refuses({ kind: 'tags', add: [lane.id] })).toBe('ERR_VALIDATION')
    const other = await openDesk(harness)
    const foreign = await other.admin.call(tagsApi.create, { body: { name: 'Ajena', color: '#112233' } })
    expect(await refuses({ kind: 'tags', add: [foreign.id] })).toBe('ERR_NO_TAG_FOUND')
    expect((await flowSteps()).map(({ why }) => why)).toEqual(['tagged', 'tagged'])
  })

  it('sets the priority in the name of no user', async () => {
    await perform({ kind: 'priority', priority: 'urgent' })
    expect((await show()).priority).toBe('urgent')
    const [event] = (await desk.listEvents(ticketId)).filter(({ kind }) => kind === 'priority')
    expect(event).toMatchObject({ actor: null, steps: [{ step: 'prioritized', why: 'by-machine' }] })
  })

  it('puts a ticket into a queue, also one that an agent has', async () => {
    await perform({ kind: 'queue', queueId: sales.id })
    expect(await show()).toMatchObject({ status: 'pending', queueId: sales.id, userId: null })
    await desk.accept(desk.admin, ticketId)
    await perform({ kind: 'queue', queueId: sales.id })
    expect(await show()).toMatchObject({ status: 'open', userId: desk.admin.id })
    const other = await desk.createQueue()
    await perform({ kind: 'queue', queueId: other.id })
    expect(await show()).toMatchObject({ status: 'pending', queueId: other.id, userId: null })
    await desk.admin.call(queuesApi.remove, { params: { id: other.id } })
    expect(await refuses({ kind: 'queue', queueId: other.id })).toBe('ERR_QUEUE_NOT_FOUND')
  })

  it('assigns the ticket to the owner of the contact, or to an active user', async () => {
    const ana = await desk.createUser('user', [sales])
    expect(await refuses({ kind: 'assign', userId: 'owner' })).toBe('ERR_NO_USER_FOUND')
    const { contactId } = await show()
    await desk.db.updateTable('contacts').set({ ownerId: ana.id }).where('id', '=', contactId).execute()
    await perform({ kind: 'assign', userId: 'owner' })
    expect(await show()).toMatchObject({ status: 'open', userId: ana.id })
    const notices = await desk.db
      .selectFrom('notices')
      .select(['kind', 'byName'])
      .where('userId', '=', ana.id)
      .execute()
    expect(notices).toEqual([{ kind: 'assigned', byName: 'Recado' }])
    const beto = await desk.createUser('user', [sales])
    await perform({ kind: 'assign', userId: beto.id })
    expect(await show()).toMatchObject({ status: 'open', userId: beto.id })
    await desk.db.updateTable('users').set({ active: false }).where('id', '=', ana.id).execute()
    expect(await refuses({ kind: 'assign', userId: ana.id })).toBe('ERR_NO_USER_FOUND')
    expect((await flowSteps()).map(({ with: given }) => given.user)).toEqual([ana.name, beto.name])
  })

  it('writes a note in its own name, and notifies who is mentioned', async () => {
    const ana = await desk.createUser('user', [sales])
    await perform({ kind: 'note', text: 'Quiere {{what}}', mentions: [ana.id] }, { variables: { what: 'un cambio' } })
    const [note] = await desk.admin.call(notesApi.list, { query: { ticketId } as never })
    expect(note).toMatchObject({
      ...{ note: 'Quiere un cambio', user: { id: 0, name: 'Seguimiento' } },
      mentions: [{ id: ana.id, name: ana.name }],
    })
    const notices = await desk.db
      .selectFrom('notices')
      .select(['kind', 'byName'])
      .where('userId', '=', ana.id)
      .execute()
    expect(notices).toEqual([{ kind: 'mention', byName: 'Seguimiento' }])
  })

  it('snoozes the ticket for hours, until the next opening or until the customer writes', async () => {
    const before = harness.clock.now().getTime()
    await perform({ kind: 'snooze', until: 'hours', hours: 5, note: 'Espera a {{name}}' })
    const { snooze } = await show()
    expect(snooze).toMatchObject({ note: 'Espera a Sol' })
    expect(Date.parse(snooze?.until ?? '') - before).toBeGreaterThanOrEqual(hours(5))
    await perform({ kind: 'snooze', until: 'tomorrow' })
    expect((await show()).snooze?.until).toMatch(/T/)
    await perform({ kind: 'snooze', until: 'message' })
    expect((await show()).snooze).toMatchObject({ until: null, wakesOnMessage: true })
  })

  it('resolves the ticket with the reason of its queue, and sends no farewell', async () => {
    const { body: queue } = await desk.admin.request<{ id: number; closing: { reasons: { id: number }[] } }>(
      ...(['PUT', `/queue/${(await desk.createQueue('Soporte')).id}`] as const),
      {
        ...{ name: 'Soporte', color: '#abcdef', userIds: [] },
        closing: { reasonRequired: true, reasons: [{ name: 'Sin respuesta' }], fields: [] },
      },
    )
    const closingReasonId = queue.closing.reasons[0]?.id as number
    await perform({ kind: 'queue', queueId: queue.id })
    const farewell = { complationMessage: 'Adiós' }
    await desk.db.updateTable('whatsapps').set(farewell).where('id', '=', desk.line.id).execute()
    await perform({ kind: 'resolve', closingReasonId })
    expect(await show()).toMatchObject({ status: 'closed', closingReason: { name: 'Sin respuesta' } })
    expect(await received()).toEqual([])
    expect(await refuses({ kind: 'queue', queueId: sales.id })).toBe('ERR_TICKET_NOT_OPEN')
  })

  it('hands the conversation to people and says so', async () => {
    const runId = await createRun(flowId, { speaks: true })
    await desk.db.updateTable('tickets').set({ chatbot: true, flowRunId: runId }).where('id', '=', ticketId).execute()
    await perform({ kind: 'person', queueId: sales.id, text: 'Te atiende una persona, {{name}}' }, { runId })
    await waitForReceived(['Te atiende una persona, Sol'])
    expect(await show()).toMatchObject({ status: 'pending', queueId: sales.id, chatbot: false })
    expect(await speaker()).toBeNull()
    const { botLeft } = await desk.db
      .selectFrom('tickets')
      .select('botLeft')
      .where('id', '=', ticketId)
      .executeTakeFirstOrThrow()
    expect(botLeft).toBe(true)
    await desk.accept(desk.admin, ticketId)
    await perform({ kind: 'person' })
    expect(await show()).toMatchObject({ status: 'open', userId: desk.admin.id })
  })

  it('sets a custom field of the contact by its name', async () => {
    const set = (value: string) =>
      perform({ kind: 'setField', field: 'Documento', value }, { variables: { id: '123' } })
    await set('CC {{id}}')
    await set('NIT {{id}}')
    const { contactId } = await show()
    const { extraInfo } = await desk.admin.call(contactsApi.show, { params: { id: contactId } })
    expect(extraInfo.map(({ name, value }) => [name, value])).toEqual([['Documento', 'NIT 123']])
    expect((await flowSteps()).at(-1)).toMatchObject({
      why: 'field-set',
      with: { field: 'Documento', value: 'NIT 123' },
    })
  })
})

describe('other flows', () => {
  const runsOf = (of: number) =>
    desk.db
      .selectFrom('flowRuns')
      .select(['id', 'state', 'endReason', 'eventKey', 'ticketId'])
      .where('flowId', '=', of)
      .orderBy('id')
      .execute()

  it('are started in the same conversation, as often as the step is performed', async () => {
    const wait = { kind: 'wait', id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'end' }
    const other = await createFlow('Encuesta', [wait, { kind: 'end', id: 'end' }])
    const runId = await createRun(flowId)
    const start = () => perform({ kind: 'start', flowId: other }, { runId, variables: { order: '77', secret: 'x' } })
    await start()
    await start()
    expect((await runsOf(other)).map(({ eventKey }) => eventKey)).toEqual([
      `flow:${runId}:step:0`,
      `flow:${runId}:step:1`,
    ])
    const [row] = await desk.db.selectFrom('flowRuns').select('position').where('flowId', '=', other).execute()
    expect(row?.position.variables).toEqual({ order: '77' })
    expect((await flowSteps()).filter(({ why }) => why === 'started-other')).toMatchObject([
      { with: { flow: 'Seguimiento', other: 'Encuesta' } },
      { with: { other: 'Encuesta' } },
    ])
  })

  it('speak instead of the flow that starts them', async () => {
    const wait = { kind: 'wait', id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'hi' }
    const other = await createFlow('Habla', [
      wait,
      { kind: 'say', id: 'hi', text: 'Hola', next: 'end' },
      { kind: 'end', id: 'end' },
    ])
    const silent = await createFlow('Calla', [wait, { kind: 'end', id: 'hi' }])
    const runId = await createRun(flowId, { speaks: true, state: 'ready' })
    await desk.db.updateTable('tickets').set({ flowRunId: runId }).where('id', '=', ticketId).execute()
    await perform({ kind: 'start', flowId: silent }, { runId })
    expect(await speaker()).toBe(runId)
    await perform({ kind: 'start', flowId: other }, { runId })
    expect(await speaker()).toBe((await runsOf(other))[0]?.id)
  })

  it('are refused if they are off or do not exist', async () => {
    const other = await createFlow('Apagado')
    await desk.db.updateTable('flows').set({ active: false }).where('id', '=', other).execute()
    expect(await refuses({ kind: 'start', flowId: other })).toBe('ERR_NO_FLOW_FOUND')
    expect(await refuses({ kind: 'start', flowId: 999_999 })).toBe('ERR_NO_FLOW_FOUND')
  })

  it('are stopped if they are sequences of this contact: one of them, or all', async () => {
    const [one, two] = [
      await createFlow('Bienvenida', undefined, 'sequence'),
      await createFlow('Recordatorio', undefined, 'sequence'),
    ]
    const runOfOne = await createRun(one, { speaks: true })
    await desk.db.updateTable('tickets').set({ flowRunId: runOfOne }).where('id', '=', ticketId).execute()
    await createRun(two)
    const runOfFlow = await createRun(flowId)
    const own = ticketId
    ticketId = (await desk.newTicket('hola')).id
    await createRun(one)
    ticketId = own
    await perform({ kind: 'stop', flowId: one })
    const states = async () => [...(await runsOf(one)), ...(await runsOf(two))].map(({ state }) => state)
    expect(await states()).toEqual(['ended', 'waiting', 'waiting'])
    expect(await speaker()).toBeNull()
    await perform({ kind: 'stop', flowId: null })
    expect(await states()).toEqual(['ended', 'waiting', 'ended'])
    expect((await runsOf(flowId)).find(({ id }) => id === runOfFlow)?.state).toBe('waiting')
    expect((await flowSteps()).map(({ why, with: { others } }) => [why, others])).toEqual([
      ['stopped-others', 'Bienvenida'],
      ['stopped-others', 'Recordatorio'],
    ])
  })
})
