import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { flowsApi } from '@recado/contract/flows/flows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FlowDesk, type FlowDraft, openFlowDesk } from '../../../test/flow-desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { days, minutes } from '../../kernel/clock.ts'
import { flowNightJobs } from './forget-old-runs.ts'

let harness: TestServer
let desk: FlowDesk
beforeAll(async () => {
  harness = await testServer()
  await harness.wide().db.updateTable('plans').set({ useCampaigns: true }).execute()
  desk = await openFlowDesk(harness)
})
afterAll(closeTestServers)
beforeEach(() => desk.db.deleteFrom('flows').where('companyId', '=', desk.company.id).execute())

const sequence: FlowDraft = {
  kind: 'sequence',
  triggers: [{ kind: 'snoozeOver' }],
  first: 'one',
  steps: [
    { kind: 'say', id: 'two', text: 'Dos', next: 'end' },
    { kind: 'wait', id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'two' },
    { kind: 'say', id: 'one', text: 'Uno', next: 'wait' },
    { kind: 'end', id: 'end' },
  ],
}
async function enter(): Promise<{ id: number; contactId: number }> {
  const { id } = await desk.newTicket()
  await desk.announce(id, 'snoozeOver')
  await desk.settle()
  return { id, contactId: (await desk.showTicket(id)).contactId }
}
const numbersOf = (flow: { id: number }) => desk.admin.call(flowsApi.numbers, { params: { id: flow.id } })
const optOut = (contactId: number) => desk.admin.call(campaignStopsApi.create, { body: { contactId } })

describe('the numbers of a flow', () => {
  it('count what happened at each step of the published version, and who stands there now', async () => {
    const flow = await desk.publish(sequence)
    const { id } = await enter()
    await enter()
    expect(await numbersOf(flow)).toMatchObject({
      ...{ version: 1, optedOut: 0 },
      steps: [
        { stepId: 'two', came: 0, inside: 0 },
        { stepId: 'wait', came: 2, answered: 0, inside: 2 },
        { stepId: 'one', came: 2, left: 0, failed: 0, inside: 0 },
        { stepId: 'end', came: 0 },
      ],
    })
    await desk.withClockForward(minutes(61), desk.settle)
    expect((await numbersOf(flow)).steps[0]).toMatchObject({ came: 2, inside: 0 })
    expect(await desk.listSaid(id)).toEqual(['Uno', 'Dos'])
  })

  it('are listed for sequences in the order of their line', async () => {
    await desk.publish(sequence, 'Publicada')
    await desk.admin.call(flowsApi.create, { body: { name: 'Borrador', document: sequence } })
    await enter()
    const { flows } = await desk.admin.call(flowsApi.list, { query: { kind: 'sequence' } })
    expect(flows.map(({ name, steps }) => [name, steps.map(({ stepId, inside }) => [stepId, inside])])).toEqual([
      [
        'Publicada',
        [
          ['one', 0],
          ['wait', 1],
          ['two', 0],
        ],
      ],
      ['Borrador', []],
    ])
    expect(flows[0]).toMatchObject({ inside: 1 })
    expect(await desk.admin.call(flowsApi.show, { params: { id: flows[0]?.id as number } })).toMatchObject({
      ...{ inside: 1, hasHook: false },
    })
  })

  it('start anew with each version, and there are none of a draft', async () => {
    const draft = await desk.admin.call(flowsApi.create, { body: { name: 'Nueva', document: sequence } })
    expect(await numbersOf(draft)).toEqual({ version: null, steps: [], optedOut: 0 })
    const { id } = await desk.publish(sequence)
    await enter()
    const { revision } = await desk.admin.call(flowsApi.show, { params: { id } })
    await desk.admin.call(flowsApi.publish, { params: { id }, body: { revision } })
    const { version, steps } = await numbersOf({ id })
    expect([version, steps.every(({ came, inside }) => came === 0 && inside === 0)]).toEqual([2, true])
  })

  it('are for admins of the company alone', async () => {
    const flow = await desk.publish(sequence)
    const other = await openFlowDesk(harness)
    expect(await other.admin.request('GET', `/flows/${flow.id}/numbers`)).toMatchObject({ status: 404 })
    const agent = await desk.createUser('user', [])
    expect(await agent.request('GET', `/flows/${flow.id}/numbers`)).toMatchObject({
      body: { error: 'ERR_NO_PERMISSION' },
    })
  })
})

describe('a contact who asks for no automatic messages', () => {
  it('leaves every sequence at once, and is counted also when the run is forgotten', async () => {
    const flow = await desk.publish(sequence)
    const { id, contactId } = await enter()
    const stays = await enter()
    await optOut(contactId)
    expect(await desk.listRuns(flow)).toMatchObject([
      { ticketId: id, state: 'ended', endReason: 'opted-out', dueAt: null },
      { ticketId: stays.id, state: 'waiting' },
    ])
    expect(await desk.loadSpeaker(id)).toEqual({ flowRunId: null })
    expect(await desk.loadSpeaker(stays.id)).not.toEqual({ flowRunId: null })
    await optOut(contactId)
    expect((await numbersOf(flow)).optedOut).toBe(1)
    await desk.withClockForward(days(91), () => flowNightJobs(harness.server.deps)['flows:night']({}))
    expect(await desk.listRuns(flow)).toHaveLength(1)
    expect((await numbersOf(flow)).optedOut).toBe(1)
    const [last] = await desk.listEvents(id)
    expect(last?.steps).toMatchObject([{ step: 'flow', why: 'ended', with: { reason: 'opted-out' } }])
  })

  it('leaves it with the word for it, in the transaction that stores the message', async () => {
    const flow = await desk.publish(sequence)
    const { id, customer } = await desk.newTicket()
    await desk.announce(id, 'snoozeOver')
    await desk.settle()
    await desk.waitForHandled(await customer.says('BAJA'))
    expect(await desk.listRuns(flow)).toMatchObject([{ state: 'ended', endReason: 'opted-out' }])
    expect((await numbersOf(flow)).optedOut).toBe(1)
  })
})
