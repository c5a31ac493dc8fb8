import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { type FlowDesk, type FlowDraft, openFlowDesk } from '../../../test/flow-desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: FlowDesk
beforeAll(async () => {
  harness = await testServer({ apiRate: 5 })
  desk = await openFlowDesk(harness, { isDefault: true })
})
afterAll(closeTestServers)
beforeEach(() => desk.db.deleteFrom('flows').where('companyId', '=', desk.company.id).execute())

const notice: FlowDraft = {
  kind: 'rule',
  triggers: [{ kind: 'hook', keep: [{ path: 'order.id', variable: 'order' }] }],
  first: 'say',
  steps: [
    { kind: 'say', id: 'say', text: 'El pedido {{order}} salió.', next: 'end' },
    { kind: 'end', id: 'end' },
  ],
}
async function openHook(flow: Pick<Flow, 'id'>): Promise<string> {
  const { url } = await desk.admin.call(flowsApi.setHook, { params: { id: flow.id } })
  return url.slice(url.indexOf('/flow-hooks/'))
}
const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  harness.anonymous.request<{ error?: string }>('POST', path, body, headers)
const listTickets = (number: string) =>
  desk.db
    .selectFrom('tickets')
    .innerJoin('contacts', 'contacts.id', 'tickets.contactId')
    .select(['tickets.id', 'tickets.status', 'tickets.whatsappId'])
    .where('contacts.number', '=', number)
    .where('contacts.companyId', '=', desk.company.id)
    .execute()

describe('the address of a flow', () => {
  it('starts it with parts of what was sent, in a new waiting ticket on the default line', async () => {
    const flow = await desk.publish(notice)
    const path = await openHook(flow)
    const number = nextPhoneNumber()
    const answer = await call(path, { number, order: { id: 'A-7', secret: 'x' } })
    expect(answer).toMatchObject({ status: 202, body: { message: 'Accepted' } })
    const events = await desk.db.selectFrom('flowEvents').select('details').where('kind', '=', 'hook').execute()
    expect(JSON.stringify(events)).not.toContain('secret')
    await desk.settle()
    const [ticket] = await listTickets(number)
    expect(ticket).toMatchObject({ status: 'pending', whatsappId: desk.line.id })
    expect(await desk.listSaid(ticket?.id as number)).toEqual(['El pedido A-7 salió.'])
  })

  it('starts it in the conversation that the contact has', async () => {
    const path = await openHook(await desk.publish(notice))
    const { id } = await desk.openTicket(desk.admin)
    const { contact } = await desk.showTicket(id)
    await call(path, { number: `+${contact.number}`, order: { id: 8 } })
    await desk.settle()
    expect(await desk.listSaid(id)).toEqual(['El pedido 8 salió.'])
    expect(await listTickets(contact.number)).toHaveLength(1)
  })

  it('starts it once for an idempotency key, also for two calls at once, and for every call without one', async () => {
    const path = await openHook(await desk.publish(notice))
    const number = nextPhoneNumber()
    const again = () => call(path, { number, order: { id: 1 } }, { 'idempotency-key': 'order-1' })
    expect((await Promise.all([again(), again()])).map(({ status }) => status)).toEqual([202, 202])
    await desk.settle()
    await again()
    await desk.settle()
    const [ticket, ...others] = await listTickets(number)
    expect(others).toEqual([])
    expect(await desk.listSaid(ticket?.id as number)).toHaveLength(1)
    for (const id of [2, 3]) {
      await call(path, { number, order: { id } })
      await desk.settle()
    }
    expect(await desk.listSaid(ticket?.id as number)).toHaveLength(3)
  })

  it('is shown once, is stored as a hash, and is replaced and removed', async () => {
    const flow = await desk.publish(notice)
    const path = await openHook(flow)
    const token = path.slice('/flow-hooks/'.length)
    expect(token).toMatch(/^[\w-]{43}$/)
    const shown = await desk.admin.call(flowsApi.show, { params: { id: flow.id } })
    expect(shown.hasHook).toBe(true)
    const rows = await desk.db.selectFrom('flows').selectAll().where('id', '=', flow.id).execute()
    const { flows } = await desk.admin.call(flowsApi.list, { query: { kind: 'rule' } })
    expect(JSON.stringify([rows, shown, flows])).not.toContain(token)
    const next = await openHook(flow)
    const body = { number: nextPhoneNumber(), order: { id: 1 } }
    const unknown = await call('/flow-hooks/nobody', body)
    expect(unknown).toMatchObject({ status: 404, body: { error: 'ERR_FLOW_HOOK' } })
    expect((await call(path, body)).body).toEqual(unknown.body)
    expect((await call(next, body)).status).toBe(202)
    await desk.admin.call(flowsApi.removeHook, { params: { id: flow.id } })
    expect((await call(next, body)).body).toEqual(unknown.body)
    expect((await desk.admin.call(flowsApi.show, { params: { id: flow.id } })).hasHook).toBe(false)
  })

  it('refuses what is no number, what is too long, and a flow that is off', async () => {
    const flow = await desk.publish(notice)
    const path = await openHook(flow)
    expect(await call(path, { order: {} })).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
    expect(await call(path, { number: 'abc' })).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
    const number = nextPhoneNumber()
    expect((await call(path, { number, text: 'x'.repeat(9000) })).status).toBe(413)
    await desk.admin.call(flowsApi.setActive, { params: { id: flow.id }, body: { active: false } })
    expect(await call(path, { number })).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_OFF' } })
    expect(await listTickets(number)).toEqual([])
  })

  it('follows the rules of the message API: the plan, the payment and the rate', async () => {
    const own = await openFlowDesk(harness, { isDefault: true })
    const flow = await own.publish(notice)
    const { url } = await own.admin.call(flowsApi.setHook, { params: { id: flow.id } })
    const path = url.slice(url.indexOf('/flow-hooks/'))
    const change = (values: object) =>
      harness.wide().db.updateTable('companies').set(values).where('id', '=', own.company.id).execute()
    const body = { number: nextPhoneNumber() }
    await change({ status: false })
    expect(await call(path, body)).toMatchObject({ body: { error: 'ERR_COMPANY_INACTIVE' } })
    await change({ status: true, dueDate: '2020-01-01' })
    expect(await call(path, body)).toMatchObject({ body: { error: 'ERR_SUBSCRIPTION_EXPIRED' } })
    await change({ dueDate: '2099-01-01' })
    const answers = await Promise.all(Array.from({ length: 15 }, () => call(path, body)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.some(({ status }) => status === 202)).toBe(true)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.body.error).toBe('ERR_RATE_LIMIT')
  })

  it('is given by admins of the company alone', async () => {
    const flow = await desk.publish(notice)
    const other = await openFlowDesk(harness)
    expect(await other.admin.request('PUT', `/flows/${flow.id}/hook`)).toMatchObject({ status: 404 })
    const agent = await desk.createUser('user', [])
    expect(await agent.request('PUT', `/flows/${flow.id}/hook`)).toMatchObject({ body: { error: 'ERR_NO_PERMISSION' } })
  })
})
