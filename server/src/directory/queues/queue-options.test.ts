import { queueOptionsApi } from '@recado/contract/queue-options'
import { pickUnusedColor, queuePalette, queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { CallRefusedError, closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

const add = (queueId: number, title: string, more: object = {}) =>
  desk.admin.call(queueOptionsApi.create, { body: { queueId, title, ...more } as never })
const list = (queueId: number, parentId?: number) =>
  desk.admin.call(queueOptionsApi.list, { query: { queueId, ...(parentId !== undefined && { parentId }) } as never })
const order = (queueId: number, parentId: number | null, ids: number[]) =>
  desk.admin.call(queueOptionsApi.order, { body: { queueId, parentId, ids } })
const numbers = async (queueId: number, parentId: number) =>
  (await list(queueId, parentId)).map((o) => `${o.option} ${o.title}`)

describe('the options of a queue', () => {
  it('are numbered automatically, nest, and are returned by level or all at once', async () => {
    const { id } = await desk.createQueue()
    const a = await add(id, 'A')
    const b = await add(id, 'B', { parentId: '' })
    const aa = await add(id, 'AA', { parentId: a.id, message: 'hola', option: '3' })
    expect([a.option, b.option, aa.option]).toEqual([1, 2, 3])
    expect(aa).toMatchObject({ parentId: a.id, message: 'hola', leads: 'person', forwardQueueId: null })
    expect(await numbers(id, -1)).toEqual(['1 A', '2 B'])
    expect(await numbers(id, a.id)).toEqual(['3 AA'])
    expect(await list(id)).toHaveLength(3)
  })

  it('are reordered and moved under another parent by dragging', async () => {
    const { id } = await desk.createQueue()
    const [a, b, c] = [await add(id, 'A'), await add(id, 'B'), await add(id, 'C')]
    await order(id, null, [c.id, a.id, b.id])
    expect(await numbers(id, -1)).toEqual(['1 C', '2 A', '3 B'])
    await order(id, a.id, [b.id])
    expect(await numbers(id, a.id)).toEqual(['1 B'])
    expect(await numbers(id, -1)).toEqual(['1 C', '2 A'])
    await expect(order(id, b.id, [a.id])).rejects.toThrow('ERR_QUEUE_OPTION_CIRCLE')
    await expect(order(id, a.id, [a.id])).rejects.toThrow('ERR_QUEUE_OPTION_CIRCLE')
    const other = await add((await desk.createQueue()).id, 'X')
    await expect(order(id, null, [other.id])).rejects.toThrow('ERR_QUEUE_OPTION_NOT_FOUND')
    await expect(add(id, 'Y', { parentId: other.id })).rejects.toThrow(CallRefusedError)
  })

  it('are deleted with all options below them, and the gap in the numbers is closed', async () => {
    const { id } = await desk.createQueue()
    const [a, b] = [await add(id, 'A'), await add(id, 'B')]
    await add(id, 'AA', { parentId: a.id })
    await desk.admin.call(queueOptionsApi.remove, { params: { id: a.id } })
    expect(await list(id)).toMatchObject([{ id: b.id, option: 1 }])
  })

  it('accept extra fields from older clients, which save options one at a time', async () => {
    const { id } = await desk.createQueue()
    const a = await add(id, 'A', { edition: true, children: [] })
    const answer = await desk.admin.request('PUT', `/queue-options/${a.id}`, {
      ...a,
      title: 'Otra',
      option: 2,
      edition: false,
      children: [],
    })
    expect(answer).toMatchObject({ status: 200, body: { id: a.id, title: 'Otra', option: 2 } })
    expect(
      await desk.admin.request('POST', '/queue-options', { title: 'sin cola', option: 1, parentId: null }),
    ).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION' },
    })
  })

  it('are published with their queue, and changed only by admins', async () => {
    const { id } = await desk.createQueue()
    const agent = await desk.createUser('user')
    const socketClient = await agent.listen()
    await add(id, 'A')
    expect(await socketClient.waitFor(`company-${desk.company.id}-queue`, { action: 'update' })).toMatchObject({
      queue: { id },
    })
    expect(await agent.request('POST', '/queue-options', { queueId: id, title: 'No' })).toMatchObject({
      status: 400,
      body: { error: 'ERR_NO_PERMISSION' },
    })
    expect(await agent.call(queueOptionsApi.list, { query: { queueId: id } as never })).toHaveLength(1)
    socketClient.close()
  })
})

describe('saving a whole menu in one call', () => {
  const line = (key: string, parentKey: string | null, more: object = {}) => ({ key, parentKey, title: key, ...more })
  const replace = (queueId: number, options: object[], more: object = {}) =>
    desk.admin.call(queueOptionsApi.replace, { params: { queueId }, body: { options, ...more } as never })
  const refused = (queueId: number, options: object[]) =>
    desk.admin.request('PUT', `/queue/${queueId}/options`, { options }) as Promise<{ status: number; body: unknown }>
  const drawn = async (queueId: number) => {
    const all = await list(queueId)
    const path = (id: number | null): string => {
      const at = all.find((o) => o.id === id)
      return at ? `${path(at.parentId)}${at.option}` : ''
    }
    return all.map((o) => `${path(o.id)} ${o.title}`).sort()
  }

  it('replaces the menu: kept options keep their ids, also when they move or leave a deleted branch', async () => {
    const { id } = await desk.createQueue()
    const first = await replace(id, [line('A', null), line('AA', 'A'), line('B', null), line('AB', 'A')])
    expect(await drawn(id)).toEqual(['1 A', '11 AA', '12 AB', '2 B'])
    const of = (title: string) => first.options.find((o) => o.title === title)?.id as number
    // B moves to the top, AA moves out of A, and A moves below AA; AB is deleted.
    const second = await replace(id, [
      line('b', null, { id: of('B') }),
      line('aa', null, { id: of('AA'), message: 'hola' }),
      line('a', 'aa', { id: of('A') }),
      line('neu', 'b'),
    ])
    expect(await drawn(id)).toEqual(['1 b', '11 neu', '2 aa', '21 a'])
    const ids = Object.fromEntries(second.options.map((o) => [o.title, o.id]))
    expect(ids).toMatchObject({ b: of('B'), aa: of('AA'), a: of('A') })
    expect(second.findings).toEqual([])
    expect((await desk.admin.call(queuesApi.show, { params: { id } })).options).toHaveLength(4)
    expect((await desk.admin.call(queuesApi.list)).find((q) => q.id === id)).toMatchObject({
      options: await desk.admin.call(queueOptionsApi.list, { query: { queueId: id } as never }),
    })
  })

  it('keeps options that others added since, after its own, and a repeated call makes no duplicates', async () => {
    const { id } = await desk.createQueue()
    const seen = (await replace(id, [line('A', null), line('B', null)])).options.map((o) => o.id)
    const [a] = seen
    await add(id, 'De otra persona')
    await add(id, 'También', { parentId: a })
    const mine = [line('A', null, { id: a }), line('C', null), line('CC', 'C')]
    for (const _ of ['first', 'again']) {
      await replace(id, mine, { seen })
      expect(await drawn(id)).toEqual(['1 A', '11 También', '2 C', '21 CC', '3 De otra persona'])
    }
    await replace(id, [])
    expect(await drawn(id)).toEqual([])
  })

  it('refuses the whole menu if an option is unreachable, nameless or of another queue, and only warns of unwise options', async () => {
    const { id } = await desk.createQueue()
    const other = await add((await desk.createQueue()).id, 'X')
    const before = await replace(id, [line('A', null, { leads: 'end' })])
    expect(before.findings.map((f) => f.kind)).toEqual(['dead-end', 'no-hand-over'])
    const invalid = { status: 400, body: { error: 'ERR_VALIDATION' } }
    const gone = [line('N', null), line('Z', null)]
    expect(await refused(id, [...gone, line('p', 'q'), line('q', 'p')])).toMatchObject(invalid)
    expect(await refused(id, [...gone, line('lost', 'nobody')])).toMatchObject(invalid)
    expect(await refused(id, [...gone, line('N', null)])).toMatchObject(invalid)
    expect(await refused(id, [...gone, line('x', null, { title: ' ' })])).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION', fields: { 'options.2.title': 'Required' } },
    })
    expect(await refused(id, [...gone, line('x', null, { id: other.id })])).toMatchObject({ status: 404 })
    expect(await refused(id, [...gone, line('x', null, { forwardQueueId: 999_999 })])).toMatchObject({ status: 404 })
    const many = Array.from({ length: 100 }, (_, i) => line(`n${i}`, null))
    expect(await refused(id, many)).toMatchObject(invalid)
    expect(await drawn(id)).toEqual(['1 A'])
  })

  it('publishes a single event', async () => {
    const { id } = await desk.createQueue()
    const socketClient = await desk.admin.listen()
    await replace(id, [line('A', null), line('B', null), line('BB', 'B')])
    const topic = `company-${desk.company.id}-queue`
    expect(await socketClient.waitFor(topic, { action: 'update' })).toMatchObject({
      queue: { id, options: [{}, {}, {}] },
    })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((n) => n.name === topic)).toHaveLength(1)
    socketClient.close()
  })
})

describe('the color palette', () => {
  it('has fifty distinct colors, and suggests one that no queue uses', () => {
    expect(queuePalette).toHaveLength(50)
    expect(new Set(queuePalette).size).toBe(50)
    expect(pickUnusedColor(queuePalette.slice(0, 3).map((c) => c.toUpperCase()))).toBe(queuePalette[3])
  })
})

describe('recorded tests of a menu', () => {
  it('pass while the menu answers the same for any customer name, and fail when an answer changes', async () => {
    const queue = await desk.createQueue('Turnos')
    const greetingMessage = 'Hola {{name}}'
    await desk.admin.call(queuesApi.update, { params: { id: queue.id }, body: { ...queue, greetingMessage } as never })
    const a = await add(queue.id, 'Pedir', { message: 'Te damos uno.' })
    const menu = 'Hola Lucía\n\nEscribe el número de tu opción:\n*1* Pedir'
    const steps = [
      { customer: 'hola', bot: [menu] },
      { customer: '1', bot: ['Te damos uno.'] },
    ]
    const params = { queueId: queue.id }
    const saved = await desk.admin.call(queuesApi.saveTest, { params, body: { name: 'Pedir', steps } as never })
    expect(saved).toMatchObject({
      passes: true,
      name: 'Pedir',
      now: [[menu.replace('Lucía', '{{name}}')], ['Te damos uno.']],
    })
    await desk.admin.call(queueOptionsApi.update, { params: { id: a.id }, body: { ...a, message: 'Ya no.' } as never })
    expect(await desk.admin.call(queuesApi.runTests, { params })).toMatchObject({
      failed: 1,
      tests: [{ passes: false }],
    })
    expect(await desk.admin.call(queuesApi.tests, { params })).toMatchObject([{ id: saved.id, passes: false }])
    await desk.admin.call(queuesApi.dropTest, { params: { ...params, id: saved.id } })
    expect(await desk.admin.call(queuesApi.tests, { params })).toEqual([])
  })

  it('are limited in number, because they run each time the menu is viewed', async () => {
    const queue = await desk.createQueue('Muchas')
    const params = { queueId: queue.id }
    const save = (steps: object[]) =>
      desk.admin.request('POST', `/queue/${queue.id}/menu-tests`, { name: 'Otra', whatsappId: null, steps })
    const long = Array.from({ length: 30 }, () => ({ customer: 'hola', bot: ['x'.repeat(8000)] }))
    expect(await save(long)).toMatchObject({ status: 400, body: { fields: { steps: 'Too Long!' } } })
    for (let n = 0; n < 49; n++) expect((await save([{ customer: 'hola', bot: [] }])).status).toBe(200)
    // Two parallel saves compete for the last allowed test, so one of them is refused.
    const both = await Promise.all([1, 2].map(() => save([{ customer: 'hola', bot: [] }])))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await desk.admin.call(queuesApi.tests, { params })).toHaveLength(50)
  })

  it('start in the main menu of the line on which they were recorded', async () => {
    const [one, two] = [await desk.createQueue('Uno'), await desk.createQueue('Dos')]
    const line = await desk.line.showLine()
    await desk.admin.request('PUT', `/whatsapp/${desk.line.id}`, {
      ...line,
      queueIds: [one.id, two.id],
      greetingMessage: 'Elige',
    })
    await add(two.id, 'Hablar', { message: 'Ya va.' })
    const steps = [
      { customer: 'hola', bot: ['Elige\n\nEscribe el número de tu opción:\n*1* Uno\n*2* Dos'] },
      { customer: '2', bot: ['Escribe el número de tu opción:\n*1* Hablar\n*#* Menú principal'] },
      { customer: '1', bot: ['Ya va.'] },
    ]
    const body = { name: 'Entero', steps, whatsappId: desk.line.id } as never
    expect(await desk.admin.call(queuesApi.saveTest, { params: { queueId: two.id }, body })).toMatchObject({
      passes: true,
    })
  })

  it('are validated before they are saved', async () => {
    const queue = await desk.createQueue()
    const options = [
      { key: 'a', parentKey: null, option: 1, title: 'A', leads: 'queue', forwardQueueId: queue.id },
      { key: 'b', parentKey: null, option: 1, title: 'B', leads: 'queue', forwardQueueId: 999_999 },
    ]
    expect(await desk.admin.call(queuesApi.check, { body: { options } as never })).toEqual({
      findings: [{ kind: 'unreachable', key: 'b' }],
    })
  })
})
