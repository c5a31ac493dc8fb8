import { type FlowTest, flowTestsApi, maxTestsPerFlow } from '@recado/contract/flows/flow-tests'
import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FlowDesk, type FlowDraft, openFlowDesk } from '../../../test/flow-desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: FlowDesk
beforeAll(async () => {
  harness = await testServer()
  desk = await openFlowDesk(harness)
})
afterAll(closeTestServers)

const question = (next = 'thanks'): FlowDraft => ({
  kind: 'flow',
  triggers: [{ kind: 'person' }],
  first: 'ask',
  steps: [
    { kind: 'ask', id: 'ask', text: '¿Cuántas?', answer: { kind: 'number' }, variable: 'n', next, otherwise: 'person' },
    { kind: 'say', id: 'thanks', text: 'Anoto {{n}}.', next: 'end' },
    { kind: 'person', id: 'person' },
    { kind: 'end', id: 'end' },
  ],
})
const test = { name: 'Dice cuántas', scene: {}, entries: [{ kind: 'message' as const, text: '4' }] }
const trace = ['ask', 'thanks', 'end', '=end']
const create = (document = question()): Promise<Flow> =>
  desk.admin.call(flowsApi.create, { body: { name: 'Reservas', document } })
const listTests = async (flow: { id: number }): Promise<FlowTest[]> =>
  (await desk.admin.call(flowTestsApi.list, { params: { id: flow.id } })).tests
const publish = ({ id, revision }: Flow) =>
  desk.admin.request<Flow & { error?: string }>('POST', `/flows/${id}/publish`, { revision })

describe('a test of a flow', () => {
  it('keeps a document from being published while it takes another way', async () => {
    const flow = await create()
    const saved = await desk.admin.call(flowTestsApi.create, { params: { id: flow.id }, body: { ...test, trace } })
    expect(await listTests(flow)).toEqual([saved])
    expect((await publish(flow)).status).toBe(200)
    const { body: changed } = await desk.admin.request<Flow>('PUT', `/flows/${flow.id}`, {
      ...{ name: flow.name, document: question('end'), revision: flow.revision },
    })
    expect(await publish(changed)).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_TEST_FAILED' } })
    const params = { id: flow.id, testId: saved.id }
    await desk.admin.call(flowTestsApi.update, { params, body: { ...test, trace: ['ask', 'end', '=end'] } })
    expect((await publish(changed)).status).toBe(200)
    await desk.admin.call(flowTestsApi.remove, { params })
    expect(await listTests(flow)).toEqual([])
  })

  it('may be one of so many, and so long', async () => {
    const flow = await create()
    const add = (over: object = {}) =>
      desk.admin.request('POST', `/flows/${flow.id}/tests`, { ...test, trace, ...over })
    const long = Array.from({ length: 60 }, () => ({ kind: 'message', text: 'x'.repeat(1000) }))
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await add({ entries: long })).status)
    expect(statuses).toEqual([...Array(7).fill(200), 409])
    for (let n = 7; n < maxTestsPerFlow; n++) expect((await add()).status).toBe(200)
    expect(await add()).toMatchObject({ status: 409, body: { error: 'ERR_LIST_FULL' } })
  })

  it('has tags of the company only, and keeps one that was deleted', async () => {
    const [other, flow, tag] = [await openFlowDesk(harness), await create(), await desk.createTag()]
    const scene = { tagIds: [tag] }
    const add = (tagIds: number[]) =>
      desk.admin.request<FlowTest>('POST', `/flows/${flow.id}/tests`, { ...test, trace, scene: { tagIds } })
    expect(await add([await other.createTag()])).toMatchObject({ status: 404, body: { error: 'ERR_NO_TAG_FOUND' } })
    const { id: testId } = (await add([tag])).body
    await desk.admin.request('DELETE', `/tags/${tag}`)
    const params = { id: flow.id, testId }
    expect(await desk.admin.call(flowTestsApi.update, { params, body: { ...test, trace, scene } })).toMatchObject({
      scene,
    })
  })

  it('is for admins of the company alone, and goes with its flow', async () => {
    const [other, flow] = [await openFlowDesk(harness), await create()]
    const saved = await desk.admin.call(flowTestsApi.create, { params: { id: flow.id }, body: { ...test, trace } })
    expect(await other.admin.request('GET', `/flows/${flow.id}/tests`)).toMatchObject({ status: 404 })
    expect(await other.admin.request('DELETE', `/flows/${flow.id}/tests/${saved.id}`)).toMatchObject({ status: 404 })
    const agent = await desk.createUser('user', [])
    expect(await agent.request('GET', `/flows/${flow.id}/tests`)).toMatchObject({
      body: { error: 'ERR_NO_PERMISSION' },
    })
    await desk.admin.call(flowsApi.remove, { params: { id: flow.id } })
    expect(await desk.db.selectFrom('flowTests').select('id').where('id', '=', saved.id).execute()).toEqual([])
  })
})
