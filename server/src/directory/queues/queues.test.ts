import { promptsApi } from '@recado/contract/ai/prompts'
import { auditApi } from '@recado/contract/api-access/audit'
import { connectionsApi } from '@recado/contract/connections'
import { defaultHours } from '@recado/contract/hours/hours'
import { integrationsApi } from '@recado/contract/integrations/integrations'
import { type Queue, queuesApi } from '@recado/contract/queues'
import { usersApi } from '@recado/contract/users'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { lockLine } from '../connections/find-line.ts'
import { publishConnection } from '../connections/view.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const add = (who: TestUser, name: string, color: string, more: Record<string, unknown> = {}) =>
  who.call(queuesApi.create, { body: { name, color, ...more } as never })

const addLine = (who: TestUser, name: string) =>
  who.call(connectionsApi.create, { body: { name, provider: 'sandbox' } as never })

describe('queues', () => {
  it('are created from an untouched form, with the default hours, and listed in menu order', async () => {
    const { admin } = await harness.createCompany()
    const untouched = {
      greetingMessage: '',
      outOfHoursMessage: '',
      orderQueue: '',
      integrationId: '',
      promptId: null,
      schedules: defaultHours,
    }
    const last = await add(admin, 'Última', '#111111', untouched)
    expect(last).toMatchObject({
      orderQueue: null,
      integrationId: null,
      promptId: null,
      schedules: defaultHours,
      complationMessage: '',
      ratingMessage: '',
    })
    await expect(add(admin, 'Segunda', '#222222', { promptId: 7 })).rejects.toThrow('ERR_NO_PROMPT_FOUND')
    await expect(add(admin, 'Segunda', '#222222', { integrationId: 8 })).rejects.toThrow('ERR_NO_INTEGRATION_FOUND')
    const { create } = promptsApi
    const prompt = await admin.call(create, { body: { ...create.example, queueId: last.id } as never })
    const flow = await admin.call(integrationsApi.create, { body: integrationsApi.create.example as never })
    const machines = { integrationId: flow.id, promptId: prompt.id }
    const second = await add(admin, 'Segunda', '#222222', { orderQueue: '2', ...machines })
    expect(second).toMatchObject(machines)
    const first = await add(admin, 'Primera', '#333333', { orderQueue: 1 })
    expect(first.schedules).toEqual(defaultHours)
    expect((await admin.call(queuesApi.list)).map((q) => q.id)).toEqual([first.id, second.id, last.id])
    expect(await admin.call(queuesApi.show, { params: { id: first.id } })).toEqual(first)
  })

  it('take their lines and people from the form, and leave both alone when a form does not send them', async () => {
    const { id: companyId, admin, user } = await harness.createCompany()
    const [ana, beto] = [await user(), await user()]
    const [here, there] = [await addLine(admin, 'Centro'), await addLine(admin, 'Norte')]
    const onLines = async (queueId: number) =>
      (await admin.call(connectionsApi.list))
        .filter((one) => one.queues.some(({ id }) => id === queueId))
        .map(({ id }) => id)
    const members = async (queueId: number) =>
      (await admin.call(usersApi.everyone))
        .filter((one) => one.profile !== 'admin' && one.queues.some(({ id }) => id === queueId))
        .map(({ id }) => id)
    const listens = await ana.listen()
    const sales = await add(admin, 'Ventas', '#111111', {
      whatsappIds: [here.id, there.id],
      userIds: [ana.id, beto.id],
    })
    expect([await onLines(sales.id), await members(sales.id)]).toEqual([
      [here.id, there.id],
      [ana.id, beto.id],
    ])
    await listens.waitFor(`company-${companyId}-user`, { action: 'update' })
    expect((await ana.call(usersApi.show, { params: { id: ana.id } })).queues).toMatchObject([{ id: sales.id }])

    const change = (body: object) =>
      admin.request('PUT', `/queue/${sales.id}`, { name: 'Ventas', color: '#111111', ...body })
    expect((await change({})).status).toBe(201)
    expect([await onLines(sales.id), await members(sales.id)]).toEqual([
      [here.id, there.id],
      [ana.id, beto.id],
    ])
    expect((await change({ whatsappIds: [there.id], userIds: [] })).status).toBe(201)
    expect([await onLines(sales.id), await members(sales.id)]).toEqual([[there.id], []])
    const { entries } = await admin.call(auditApi.list, { query: {} as never })
    expect(entries[0]).toMatchObject({ deed: 'user.changed', changes: [{ field: 'queues', from: 'Ventas', to: '' }] })

    // A second queue on a line requires a greeting; if the line has none, it comes with the form.
    const second = { whatsappIds: [there.id], userIds: [beto.id] }
    await expect(add(admin, 'Soporte', '#222222', second)).rejects.toThrow('ERR_WAPP_GREETING_REQUIRED')
    const support = await add(admin, 'Soporte', '#222222', { ...second, lineGreeting: 'Elige' })
    expect(await onLines(support.id)).toEqual([there.id])
    const [, line] = await admin.call(connectionsApi.list)
    expect(line).toMatchObject({ id: there.id, greetingMessage: 'Elige' })
    await expect(add(admin, 'Otra', '#333333', { userIds: [999_999] })).rejects.toThrow('ERR_NO_USER_FOUND')
    await expect(add(admin, 'Otra', '#333333', { whatsappIds: [999_999] })).rejects.toThrow('ERR_NO_WAPP_FOUND')
  })

  it('keep the company’s own token, also when a form does not send it', async () => {
    const { admin } = await harness.createCompany()
    const made = await add(admin, 'Ventas', '#111111', { token: ' crm-7 ' })
    expect(made).toMatchObject({ token: 'crm-7', options: [] })
    const change = async (body: object) =>
      (await admin.request<Queue>('PUT', `/queue/${made.id}`, { name: 'Ventas', color: '#111111', ...body })).body.token
    expect(await change({})).toBe('crm-7')
    expect(await change({ token: null })).toBe('crm-7')
    expect(await change({ token: '' })).toBe('')
  })

  it('of another company are listed only for the super user who names that company', async () => {
    const [one, other] = [await harness.createCompany(), await harness.createCompany()]
    const own = await add(one.admin, 'Ventas', '#111111')
    const theirs = await add(other.admin, 'Soporte', '#111111')
    const ids = async (who: TestUser, query = '') =>
      (await who.request<Queue[]>('GET', `/queue${query}`)).body.map((q) => q.id)
    const boss = await harness.superUser()
    expect(await ids(boss, `?companyId=${other.id}`)).toEqual([theirs.id])
    expect(await ids(boss)).toEqual([])
    for (const query of ['', `?companyId=${other.id}`, '?companyId=', '?companyId=undefined'])
      expect(await ids(one.admin, query)).toEqual([own.id])
  })

  it('keep their hours when an update omits them, and answer an update with the status code of Whaticket-compatible clients', async () => {
    const { admin } = await harness.createCompany()
    const hours = defaultHours.map((day) => ({ ...day, startTime: '10:00' }))
    const queue = await add(admin, 'Ventas', '#111111', { schedules: hours })
    const answer = await admin.request('PUT', `/queue/${queue.id}`, { name: 'Ventas 2', color: '#111111' })
    expect(answer).toMatchObject({ status: 201, body: { id: queue.id, name: 'Ventas 2', schedules: hours } })
    expect(
      (await admin.request('PUT', `/queue/${queue.id}`, { ...queue, schedules: defaultHours })).body,
    ).toMatchObject({
      schedules: defaultHours,
    })
  })

  it('have a unique name and color within the company', async () => {
    const [one, other] = [await harness.createCompany(), await harness.createCompany()]
    const queue = await add(one.admin, 'Ventas', '#abcdef')
    await expect(add(one.admin, 'VENTAS', '#000001')).rejects.toMatchObject({
      status: 409,
      code: 'ERR_QUEUE_NAME_ALREADY_EXISTS',
    })
    await expect(add(one.admin, 'Otra', '#ABCDEF')).rejects.toMatchObject({
      status: 409,
      code: 'ERR_QUEUE_COLOR_ALREADY_EXISTS',
    })
    const second = await add(one.admin, 'Otra', '#000002')
    await expect(
      one.admin.call(queuesApi.update, {
        params: { id: second.id },
        body: { name: 'Otra', color: '#ABCDEF' } as never,
      }),
    ).rejects.toMatchObject({ code: 'ERR_QUEUE_COLOR_ALREADY_EXISTS' })
    await add(other.admin, queue.name, queue.color)
    for (const body of [
      { name: 'x', color: '#123456' },
      { name: 'Fine', color: '' },
      { name: 'Fine', color: 'red' },
    ])
      expect(await one.admin.request('POST', '/queue', body)).toMatchObject({
        status: 400,
        body: { error: 'ERR_VALIDATION' },
      })
  })

  it('are published to the whole company', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const socketClient = await (await company.user()).listen()
    const queue = await add(admin, 'Ventas', '#111111')
    const changed = await admin.call(queuesApi.update, {
      params: { id: queue.id },
      body: { name: 'Soporte', color: '#111111' } as never,
    })
    expect((await admin.request('DELETE', `/queue/${queue.id}`)).body).toEqual({ message: 'deleted' })
    await socketClient.whenCaughtUp()
    const news = socketClient.received.filter((e) => e.name === `company-${company.id}-queue`).map((e) => e.payload)
    expect(news).toEqual([
      { action: 'create', queue },
      { action: 'update', queue: changed },
      { action: 'delete', queueId: queue.id },
    ])
    expect(await admin.request('DELETE', `/queue/${queue.id}`)).toMatchObject({
      status: 404,
      body: { error: 'ERR_QUEUE_NOT_FOUND' },
    })
  })

  it('are reordered all at once or not at all, and published to everybody', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const [a, b, c, d] = [
      await add(admin, 'Ventas', '#111111', { orderQueue: 1 }),
      await add(admin, 'Soporte', '#222222', { orderQueue: 2 }),
      await add(admin, 'Cobros', '#333333'),
      await add(admin, 'Otros', '#444444'),
    ]
    const line = { name: 'Line', provider: 'sandbox', queueIds: [a.id, c.id], greetingMessage: 'Hola' }
    const { id } = (await admin.request<{ id: number }>('POST', '/whatsapp', line)).body
    const socketClient = await (await company.user()).listen()
    const placed = async (queues?: Queue[]) =>
      (queues ?? (await admin.call(queuesApi.list))).map((q) => [q.id, q.orderQueue])
    const stranger = await add((await harness.createCompany()).admin, 'Ajena', '#111111')
    for (const ids of [
      [c.id, stranger.id, a.id],
      [c.id, 2_000_000_000],
    ])
      expect(await admin.request('PUT', '/queue/order', { ids })).toMatchObject({
        status: 404,
        body: { error: 'ERR_QUEUE_NOT_FOUND' },
      })
    expect((await placed()).slice(0, 2)).toEqual([
      [a.id, 1],
      [b.id, 2],
    ])
    const answered = await admin.call(queuesApi.order, { body: { ids: [c.id, b.id, a.id] } })
    const order = [
      [c.id, 1],
      [b.id, 2],
      [a.id, 3],
      [d.id, 4],
    ]
    expect([await placed(answered), await placed()]).toEqual([order, order])
    await socketClient.whenCaughtUp()
    const news = socketClient.received.flatMap(({ name, payload }) =>
      name === `company-${company.id}-queue` ? [[payload.action, (payload.queue as Queue).id]] : [],
    )
    // Queues whose position is unchanged are not published.
    expect(news.toSorted()).toEqual([a, c, d].map((queue) => ['update', queue.id]).toSorted())
    const { payload } = socketClient.received.findLast(({ name }) => name === `company-${company.id}-whatsapp`) ?? {}
    expect(payload?.whatsapp).toMatchObject({ id, queues: [{ id: c.id }, { id: a.id }] })
    const rest = socketClient.received.length
    await admin.call(queuesApi.order, { body: { ids: [c.id, b.id] } })
    await socketClient.whenCaughtUp()
    expect([await placed(), socketClient.received.length]).toEqual([order, rest])
  })

  it('have their new name in all later events, even if the old name was cached before', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const socketClient = await admin.listen()
    const queue = await add(admin, 'Ventas', '#111111')
    const body = { name: 'Line', provider: 'sandbox', queueIds: [queue.id] }
    const line = (await admin.request<{ id: number }>('POST', '/whatsapp', body)).body
    const names = () =>
      socketClient.received
        .filter((e) => e.name === `company-${companyId}-whatsapp`)
        .map((e) => (e.payload.whatsapp as { queues: { name: string }[] }).queues[0]?.name)
    let renaming: Promise<unknown> | undefined
    await new Scope(harness.server.deps, { companyId }).transaction(async (scope) => {
      const row = await lockLine(scope, line.id)
      await publishConnection(scope, row)
      renaming = admin.request('PUT', `/queue/${queue.id}`, { name: 'Soporte', color: '#111111' })
      const waits = expect.poll(() =>
        sql`select 1 from pg_locks where not granted`.execute(scope.db).then((r) => r.rows.length),
      )
      await Promise.race([renaming, waits.toBeGreaterThan(0)])
    })
    await renaming
    await socketClient.whenCaughtUp()
    expect(names().at(-1)).toBe('Soporte')
  })

  it('are published after a rename with the lines and users that have them', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const agent = await company.user()
    const socketClient = await agent.listen()
    const queue = await add(admin, 'Ventas', '#111111')
    await socketClient.waitFor(`company-${company.id}-user`, { action: 'update' })
    const line = (
      await admin.request<{ id: number }>('POST', '/whatsapp', {
        name: 'Line',
        provider: 'sandbox',
        queueIds: [queue.id],
        transferQueueId: queue.id,
      })
    ).body
    await admin.request('PUT', `/users/${agent.id}`, {
      name: 'Ana',
      email: agent.email,
      profile: 'user',
      queueIds: [queue.id],
    })
    const last = (kind: 'user' | 'whatsapp', id: number) =>
      socketClient.received
        .filter((e) => e.name === `company-${company.id}-${kind}`)
        .map((e) => e.payload[kind] as { id: number; queues: { name: string }[]; transferQueueId?: number })
        .findLast((row) => row.id === id)
    await admin.request('PUT', `/queue/${queue.id}`, { name: 'Soporte', color: '#111111' })
    await socketClient.whenCaughtUp()
    expect(
      [last('user', agent.id), last('user', admin.id), last('whatsapp', line.id)].map((row) =>
        row?.queues.map((q) => q.name),
      ),
    ).toEqual([['Soporte'], ['Soporte'], ['Soporte']])
    await admin.request('DELETE', `/queue/${queue.id}`)
    await socketClient.whenCaughtUp()
    expect(
      [last('user', agent.id), last('user', admin.id), last('whatsapp', line.id)].map((row) => row?.queues),
    ).toEqual([[], [], []])
    expect(last('whatsapp', line.id)?.transferQueueId).toBeNull()
  })

  it('count against the plan, also when many are created at once', async () => {
    const company = await harness.createCompany()
    await harness.wide().db.updateTable('companies').set({ planId: 1 }).where('id', '=', company.id).execute()
    const tries = await Promise.allSettled(
      Array.from({ length: 14 }, (_, n) => add(company.admin, `Cola ${n}`, `#0000${n + 10}`)),
    )
    expect(tries.filter((t) => t.status === 'fulfilled')).toHaveLength(10)
    expect(
      new Set(tries.flatMap((t) => (t.status === 'rejected' ? [`${t.reason.status} ${t.reason.code}`] : []))),
    ).toEqual(new Set(['402 ERR_PLAN_LIMIT_QUEUES']))
  })

  it('are changed only by admins', async () => {
    const company = await harness.createCompany()
    const supervisor = await company.user('supervisor')
    const queue = await add(company.admin, 'Ventas', '#111111')
    for (const method of ['PUT', 'DELETE'])
      expect(await supervisor.request(method, `/queue/${queue.id}`, queue)).toMatchObject({
        status: 400,
        body: { error: 'ERR_NO_PERMISSION' },
      })
    expect(await supervisor.call(queuesApi.list)).toEqual([queue])
  })
})
