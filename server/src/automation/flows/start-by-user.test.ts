import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { flowsApi } from '@recado/contract/flows/flows'
import { macrosApi } from '@recado/contract/macros/macros'
import { ticketBatchesApi } from '@recado/contract/tickets/ticket-batches'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FlowDesk, type FlowDraft, openFlowDesk } from '../../../test/flow-desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: FlowDesk
let queue: { id: number }
let ana: TestUser
let beto: TestUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openFlowDesk(harness)
  queue = await desk.createQueue('Ventas')
  ana = await desk.createUser('user', [queue])
  beto = await desk.createUser('user', [queue])
})
afterAll(closeTestServers)
beforeEach(() => desk.db.deleteFrom('flows').where('companyId', '=', desk.company.id).execute())

const survey = (more: Partial<FlowDraft> = {}): FlowDraft => ({
  kind: 'flow',
  triggers: [{ kind: 'person' }],
  first: 'ask',
  steps: [
    { kind: 'ask', id: 'ask', text: '¿Cómo estuvo?', answer: { kind: 'text' }, next: 'end', otherwise: 'person' },
    { kind: 'person', id: 'person' },
    { kind: 'end', id: 'end' },
  ],
  ...more,
})
/** A conversation of Ana. */
async function openConversation(): Promise<{ id: number; contactId: number }> {
  const { id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  await desk.accept(ana, id)
  return { id, contactId: (await desk.showTicket(id)).contactId }
}
const start = (by: TestUser, ticketId: number, flowId: number) =>
  by.request('POST', `/tickets/${ticketId}/flows`, { flowId })
const startable = async (by = ana) => (await by.call(flowsApi.startable, {})).flows

describe('a flow that a user starts', () => {
  it('is offered while it is switched on, to every agent of the company', async () => {
    const { id } = await desk.publish(survey(), 'Encuesta')
    await desk.publish(survey({ triggers: [{ kind: 'snoozeOver' }] }))
    await desk.admin.call(flowsApi.create, { body: { name: 'Borrador', document: survey() } })
    expect(await startable()).toEqual([{ id, kind: 'flow', name: 'Encuesta' }])
    expect(await startable((await openFlowDesk(harness)).admin)).toEqual([])
    await desk.admin.call(flowsApi.setActive, { params: { id }, body: { active: false } })
    expect(await startable()).toEqual([])
    expect(await start(ana, (await openConversation()).id, id)).toMatchObject({
      ...{ status: 409, body: { error: 'ERR_FLOW_OFF' } },
    })
  })

  it('speaks in the conversation, and knows who started it', async () => {
    const conditions = { match: 'all', of: [{ field: 'user', in: ['me'] }] }
    const flow = await desk.publish(survey({ conditions }))
    const { id } = await openConversation()
    expect((await start(ana, id, flow.id)).status).toBe(200)
    await desk.settle()
    expect(await desk.listSaid(id)).toEqual(['¿Cómo estuvo?'])
    expect(await desk.listRuns(flow)).toMatchObject([{ startedById: ana.id, ticketId: id, state: 'waiting' }])
    expect(await desk.showTicket(id)).toMatchObject({ status: 'open', userId: ana.id })
  })

  it('is refused while another one speaks, which goes on', async () => {
    const flow = await desk.publish(survey())
    const { id } = await openConversation()
    await start(ana, id, flow.id)
    await desk.settle()
    expect(await start(ana, id, flow.id)).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_BUSY' } })
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'waiting', endReason: null }])
  })

  it('is refused with the reason if its limits or the contact exclude it', async () => {
    const flow = await desk.publish(survey({ limits: { runsPerDay: 1 } }))
    const [first, second, third] = [await openConversation(), await openConversation(), await openConversation()]
    await harness.wide().db.updateTable('plans').set({ useCampaigns: true }).execute()
    await desk.admin.call(campaignStopsApi.create, { body: { contactId: third.contactId } })
    expect(await start(ana, third.id, flow.id)).toMatchObject({ body: { error: 'ERR_FLOW_CONTACT_SILENT' } })
    expect((await start(ana, first.id, flow.id)).status).toBe(200)
    expect(await start(ana, second.id, flow.id)).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_EXCLUDED' } })
  })

  it('starts for those who may write in the ticket, in no closed ticket and in none of another company', async () => {
    const [flow, other] = [await desk.publish(survey()), await openFlowDesk(harness)]
    const foreign = await other.publish(survey())
    const { id } = await openConversation()
    expect(await start(beto, id, flow.id)).toMatchObject({ status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } })
    expect(await start(other.admin, id, foreign.id)).toMatchObject({ status: 404 })
    expect(await start(ana, id, foreign.id)).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_OFF' } })
    await desk.putTicket(ana, id, { status: 'closed' })
    expect(await start(ana, id, flow.id)).toMatchObject({ body: { error: 'ERR_TICKET_NOT_OPEN' } })
    expect(await desk.listRuns(flow)).toEqual([])
  })
})

describe('a macro with a flow', () => {
  it('starts it in one conversation and in many, and says where it could not', async () => {
    const flow = await desk.publish(survey(), 'Encuesta')
    const steps = [
      { kind: 'priority' as const, priority: 'high' as const },
      { kind: 'flow' as const, flowId: flow.id },
    ]
    const { id: macroId } = await ana.call(macrosApi.create, {
      body: { name: 'Preguntar', shortcode: 'preguntar', message: '', steps },
    })
    expect((await ana.call(macrosApi.list, {})).references.flows).toEqual([{ id: flow.id, name: 'Encuesta' }])
    const [one, two] = [await openConversation(), await openConversation()]
    const check = () => ana.call(macrosApi.check, { body: { ticketId: one.id, steps } })
    expect((await check()).errors).toEqual([null, null])
    expect(await desk.listRuns(flow)).toEqual([])
    const run = await ana.call(macrosApi.run, { body: { ticketId: one.id, steps, clientId: 'macro-with-flow' } })
    expect(run.steps.map(({ state }) => state)).toEqual(['done', 'done'])
    expect((await check()).errors).toEqual([null, 'ERR_FLOW_BUSY'])
    await ana.call(ticketBatchesApi.start, { body: { ids: [one.id, two.id], action: { kind: 'macro', macroId } } })
    await expect
      .poll(async () => (await ana.call(ticketBatchesApi.last, {})).batch, { timeout: 10_000 })
      .toMatchObject({ state: 'done', done: 1, refusals: [{ ticketId: one.id, code: 'ERR_FLOW_BUSY' }] })
    await desk.settle()
    expect(await desk.listSaid(two.id)).toEqual(['¿Cómo estuvo?'])
    expect((await desk.listRuns(flow)).map(({ ticketId }) => ticketId)).toEqual([one.id, two.id])
  })

  it('has no flow of another company, and shows that its flow was deleted', async () => {
    const other = await openFlowDesk(harness)
    const foreign = await other.publish(survey())
    const withFlow = (flowId: number) => ({
      ...{ name: 'Preguntar', shortcode: `p${flowId}`, steps: [{ kind: 'flow', flowId }] },
    })
    expect(await ana.request('POST', '/macros', withFlow(foreign.id))).toMatchObject({
      ...{ status: 404, body: { error: 'ERR_NO_FLOW_FOUND' } },
    })
    const own = await desk.publish(survey())
    expect((await ana.request('POST', '/macros', withFlow(own.id))).status).toBe(200)
    await desk.admin.call(flowsApi.remove, { params: { id: own.id } })
    expect((await ana.call(macrosApi.list, {})).references.flows).toEqual([])
  })
})
