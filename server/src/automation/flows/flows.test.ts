import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { tagsApi } from '@recado/contract/tags'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import type { FlowDraft } from '../../../test/flow-desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: Desk
let tag: number
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  tag = await createTag(desk, 'Nuevo')
})
afterAll(closeTestServers)

async function createTag(of: Desk, name: string): Promise<number> {
  return (await of.admin.call(tagsApi.create, { body: { name, color: '#112233' } })).id
}
const tagRule = (tagId = tag): FlowDraft => ({
  kind: 'rule',
  triggers: [{ kind: 'ticketOpened' }],
  first: 'tag',
  steps: [
    { kind: 'tags', id: 'tag', add: [tagId], next: 'end' },
    { kind: 'end', id: 'end' },
  ],
})
const create = (document = tagRule(), name = 'Marcar nuevos'): Promise<Flow> =>
  desk.admin.call(flowsApi.create, { body: { name, document } })
const publish = ({ id, revision }: Flow): Promise<Flow> =>
  desk.admin.call(flowsApi.publish, { params: { id }, body: { revision } })
const save = ({ id, name, revision }: Flow, document: FlowDraft) =>
  desk.admin.request<Flow & { error?: string }>('PUT', `/flows/${id}`, { name, document, revision })
const triggersOf = (flowId: number) =>
  desk.db.selectFrom('flowTriggers').select('kind').where('flowId', '=', flowId).orderBy('kind').execute()

describe('a flow', () => {
  it('is a draft until it is published, and then runs in its version while the draft changes', async () => {
    const draft = await create()
    expect(draft).toMatchObject({ state: 'draft', version: null, published: null, hasDraft: true, kind: 'rule' })
    expect(await triggersOf(draft.id)).toEqual([])
    const published = await publish(draft)
    expect(published).toMatchObject({
      ...{ state: 'active', hasDraft: false },
      version: { number: 1, user: { id: desk.admin.id } },
    })
    expect(await triggersOf(draft.id)).toEqual([{ kind: 'ticketOpened' }])
    const changed = (await save(published, { ...tagRule(), triggers: [{ kind: 'snoozeOver' }] })).body
    expect(changed).toMatchObject({
      state: 'active',
      hasDraft: true,
      published: { triggers: [{ kind: 'ticketOpened' }] },
    })
    expect(await triggersOf(draft.id)).toEqual([{ kind: 'ticketOpened' }])
    expect((await publish(changed)).version?.number).toBe(2)
    expect(await triggersOf(draft.id)).toEqual([{ kind: 'snoozeOver' }])
  })

  it('shows no header of a call, and keeps those that come back masked', async () => {
    const calling = (value: string): FlowDraft => ({
      ...tagRule(),
      first: 'call',
      steps: [
        {
          ...{ kind: 'call', id: 'call', url: 'https://shop.example/orders', next: 'end', otherwise: 'end' },
          headers: [{ name: 'authorization', value }],
        },
        { kind: 'end', id: 'end' },
      ],
    })
    const stored = async () =>
      (await desk.db.selectFrom('flows').select('draft').where('id', '=', draft.id).executeTakeFirstOrThrow()).draft
    const draft = await create(calling('Bearer 8f3a-topsecret'))
    expect(JSON.stringify(draft)).not.toContain('topsecret')
    const before = await stored()
    expect(JSON.stringify(before)).not.toContain('topsecret')
    const published = await publish((await save(draft, draft.draft)).body)
    expect(await stored()).toEqual(before)
    const { flows } = await desk.admin.call(flowsApi.list, { query: { kind: 'rule' } })
    const { versions } = await desk.admin.call(flowsApi.versions, { params: { id: draft.id } })
    expect(JSON.stringify([published, flows, versions])).not.toMatch(/topsecret|sealed/)
  })

  it('is not saved over the change of somebody else', async () => {
    const draft = await create()
    expect((await save(draft, tagRule())).status).toBe(200)
    expect(await save(draft, tagRule())).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_CHANGED' } })
    const late = await desk.admin.request('POST', `/flows/${draft.id}/publish`, { revision: draft.revision })
    expect(late).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_CHANGED' } })
  })

  it('is not published with an error, or with something that was deleted', async () => {
    const empty = await create({ ...tagRule(), triggers: [] })
    const refused = await desk.admin.request('POST', `/flows/${empty.id}/publish`, { revision: empty.revision })
    expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_INVALID' } })
    const gone = await createTag(desk, 'Se va')
    const draft = await create(tagRule(gone))
    await desk.admin.request('DELETE', `/tags/${gone}`)
    const saved = await save(draft, { ...tagRule(gone), triggers: [{ kind: 'snoozeOver' }] })
    expect(saved).toMatchObject({ status: 200, body: { names: [] } })
    const broken = await desk.admin.request('POST', `/flows/${draft.id}/publish`, { revision: saved.body.revision })
    expect(broken).toMatchObject({ status: 404, body: { error: 'ERR_FLOW_REFERENCE' } })
  })

  it('may write after a day of silence without a template, unless a line of the company needs one', async () => {
    const own = await openDesk(harness)
    const reminder: FlowDraft = {
      kind: 'rule',
      triggers: [{ kind: 'silent', minutes: 3 * 1440 }],
      first: 'say',
      steps: [
        { kind: 'say', id: 'say', text: '¿Seguimos?', next: 'end' },
        { kind: 'end', id: 'end' },
      ],
    }
    const draft = () => own.admin.call(flowsApi.create, { body: { name: 'Recordar', document: reminder } })
    const publishIt = async ({ id, revision }: Flow) =>
      own.admin.request<Flow & { error?: string }>('POST', `/flows/${id}/publish`, { revision })
    expect(await publishIt(await draft())).toMatchObject({ status: 200, body: { hasReplyWindow: false } })
    await own.db.updateTable('whatsapps').set({ provider: 'cloud' }).where('companyId', '=', own.company.id).execute()
    expect(await publishIt(await draft())).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_INVALID' } })
  })

  it('refuses ids of another company', async () => {
    const other = await openDesk(harness)
    const foreign = await createTag(other, 'Ajena')
    const attempt = await desk.admin.request('POST', '/flows', { name: 'X', document: tagRule(foreign) })
    expect(attempt).toMatchObject({ status: 404, body: { error: 'ERR_FLOW_REFERENCE' } })
    const draft = await create()
    expect(await save(draft, tagRule(foreign))).toMatchObject({ status: 404, body: { error: 'ERR_FLOW_REFERENCE' } })
    expect(await other.admin.request('GET', `/flows/${draft.id}`)).toMatchObject({ status: 404 })
  })

  it('is switched off and on, and deleted with its versions', async () => {
    const flow = await publish(await create())
    const switchTo = (active: boolean) =>
      desk.admin.call(flowsApi.setActive, { params: { id: flow.id }, body: { active } })
    expect((await switchTo(false)).state).toBe('off')
    expect(await triggersOf(flow.id)).toEqual([])
    expect((await switchTo(true)).state).toBe('active')
    expect(await triggersOf(flow.id)).toHaveLength(1)
    await desk.admin.call(flowsApi.remove, { params: { id: flow.id } })
    expect(await desk.admin.request('GET', `/flows/${flow.id}`)).toMatchObject({ body: { error: 'ERR_NO_FLOW_FOUND' } })
    const unpublished = await create()
    const early = await desk.admin.request('PUT', `/flows/${unpublished.id}/active`, { active: true })
    expect(early).toMatchObject({ status: 409, body: { error: 'ERR_FLOW_NOT_PUBLISHED' } })
  })

  it('goes back to an earlier version as a new draft', async () => {
    const first = await publish(await create())
    const second = await publish((await save(first, { ...tagRule(), triggers: [{ kind: 'snoozeOver' }] })).body)
    const { versions } = await desk.admin.call(flowsApi.versions, { params: { id: first.id } })
    expect(versions.map(({ number }) => number)).toEqual([2, 1])
    const back = await desk.admin.call(flowsApi.restore, { params: { id: first.id, number: 1 } })
    expect(back).toMatchObject({
      ...{ hasDraft: true, version: { number: 2 }, revision: second.revision + 1 },
      draft: { triggers: [{ kind: 'ticketOpened' }] },
    })
    const missing = await desk.admin.request('POST', `/flows/${first.id}/versions/9/restore`)
    expect(missing).toMatchObject({ status: 404, body: { error: 'ERR_NO_FLOWVERSION_FOUND' } })
  })

  it('is shown with as many documents as a reply may have, so that checking it keeps nobody waiting', async () => {
    const own = await openDesk(harness)
    const long = (steps: number): FlowDraft => ({
      kind: 'rule',
      triggers: [{ kind: 'ticketOpened' }],
      first: 's0',
      steps: [
        ...Array.from({ length: steps }, (_, n) => ({
          ...{ kind: 'note' as const, id: `s${n}`, text: 'x'.repeat(1900) },
          next: n + 1 < steps ? `s${n + 1}` : 'end',
        })),
        { kind: 'end' as const, id: 'end' },
      ],
    })
    const make = (steps: number) => own.admin.call(flowsApi.create, { body: { name: 'Larga', document: long(steps) } })
    for (let n = 0; n < 20; n++) await make(7)
    const { flows } = await own.admin.call(flowsApi.list, { query: { kind: 'rule' } })
    const shown = flows.filter(({ document }) => document !== null)
    expect(flows).toHaveLength(20)
    expect(shown.length).toBeGreaterThan(10)
    expect(JSON.stringify(shown.map(({ document }) => document)).length).toBeLessThan(256_000)
    const { id, revision } = await make(50)
    for (let n = 0; n < 4; n++) await own.admin.call(flowsApi.publish, { params: { id }, body: { revision } })
    const { versions } = await own.admin.call(flowsApi.versions, { params: { id } })
    expect(versions.map(({ number }) => number)).toEqual([4, 3])
  })

  it('is listed by kind in its order, with the names of what it uses, for admins alone', async () => {
    const own = await openDesk(harness)
    const vip = await createTag(own, 'VIP')
    const make = (name: string) =>
      own.admin.call(flowsApi.create, { body: { name, document: tagRule(vip) } }).then(({ id }) => id)
    const ids = [await make('Uno'), await make('Dos'), await make('Tres')]
    const list = async () => (await own.admin.call(flowsApi.list, { query: { kind: 'rule' } })).flows
    expect((await list()).map(({ id }) => id)).toEqual(ids)
    await own.admin.call(flowsApi.order, { body: { ids: ids.toReversed() } })
    const [first] = await list()
    expect((await list()).map(({ id }) => id)).toEqual(ids.toReversed())
    expect(first).toMatchObject({ state: 'draft', failed: 0, inside: 0, document: { first: 'tag' } })
    expect(first?.days).toEqual(Array.from({ length: 30 }, () => 0))
    expect((await own.admin.call(flowsApi.list, { query: { kind: 'rule' } })).names).toMatchObject([
      { entity: 'tag', id: vip, name: 'VIP' },
    ])
    expect((await own.admin.call(flowsApi.list, { query: { kind: 'flow' } })).flows).toEqual([])
    const agent = await own.createUser('user', [])
    expect(await agent.request('GET', '/flows')).toMatchObject({ body: { error: 'ERR_NO_PERMISSION' } })
  })
})
