import { readdir } from 'node:fs/promises'
import { connectionsApi } from '@recado/contract/connections'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { lineTokenHmac } from '../../accounts/api-access/api-keys.ts'
import { Scope } from '../../kernel/data/scope.ts'
import type { LineRow } from '../../lines/line.ts'
import { chooseLine, findDefaultLine, listLineQueues } from './find-line.ts'
import { saveLineState } from './line-state.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

type ConnectionBody = Record<string, unknown>
const add = (who: TestUser, body: ConnectionBody = {}) =>
  who.call(connectionsApi.create, { body: { name: `Line ${Math.random()}`, provider: 'sandbox', ...body } as never })
const change = (who: TestUser, id: number, body: ConnectionBody) =>
  who.call(connectionsApi.update, { params: { id }, body: { name: `Line ${Math.random()}`, ...body } as never })
const show = (who: TestUser, id: number) => who.call(connectionsApi.show, { params: { id } })
const list = (who: TestUser) => who.call(connectionsApi.list)
const scopeOf = (companyId: number) => new Scope(harness.server.deps, { companyId })
let colours = 0
const addQueue = (who: TestUser, name: string, more: ConnectionBody = {}) =>
  who.call(queuesApi.create, { body: { name, color: `#${String(++colours).padStart(6, '0')}`, ...more } as never })

describe('a connection', () => {
  it('accepts the default values of the form, and returns all of them', async () => {
    const { admin } = await harness.createCompany()
    const untouched = {
      name: 'Ventas',
      greetingMessage: '',
      complationMessage: '',
      outOfHoursMessage: '',
      ratingMessage: '',
      isDefault: false,
      token: '',
      provider: 'beta',
      expiresInactiveMessage: '',
      expiresTicket: 0,
      timeUseBotQueues: 0,
      maxUseBotQueues: 3,
      transferQueueId: null,
      promptId: null,
    }
    const sent = { ...untouched, queueIds: [] }
    const { body: made } = await admin.request<{ id: number; token: string }>('POST', '/whatsapp', sent)
    expect(made).toMatchObject({
      ...untouched,
      isDefault: true,
      token: expect.stringMatching(/^[\w-]{43}$/),
      status: 'OPENING',
      reason: '',
      qrcode: '',
      retries: 0,
      timeToTransfer: null,
      queues: [],
    })
    // There is no provider for linked phones yet, and the connection shows that.
    await vi.waitFor(async () =>
      expect(await show(admin, made.id)).toMatchObject({ status: 'DISCONNECTED', reason: 'provider-missing' }),
    )
    const again = {
      ...(await show(admin, made.id)),
      queueIds: [],
      timeToTransfer: '',
      expiresTicket: '10',
      ratingMessage: '¿1, 2 o 3?',
    }
    expect((await admin.request('PUT', `/whatsapp/${made.id}`, again)).body).toMatchObject({
      token: made.token,
      expiresTicket: 10,
      ratingMessage: '¿1, 2 o 3?',
      timeToTransfer: null,
      isDefault: true,
    })
    expect((await admin.request('GET', `/whatsapp/?session=0`)).body).toMatchObject([
      { id: made.id, token: made.token },
    ])
  })

  it('has a name that is unique in the company', async () => {
    const [one, other] = [await harness.createCompany(), await harness.createCompany()]
    await add(one.admin, { name: 'Ventas' })
    await expect(add(one.admin, { name: 'VENTAS' })).rejects.toMatchObject({
      status: 409,
      code: 'ERR_WAPP_NAME_ALREADY_EXISTS',
    })
    const second = await add(one.admin, { name: 'Soporte' })
    await expect(change(one.admin, second.id, { name: 'ventas' })).rejects.toMatchObject({
      code: 'ERR_WAPP_NAME_ALREADY_EXISTS',
    })
    await add(other.admin, { name: 'Ventas' })
    expect(await one.admin.request('POST', '/whatsapp', { name: 'x' })).toMatchObject({
      status: 400,
      body: { fields: { name: 'Too Short!' } },
    })
  })

  it('keeps its queues, and requires a greeting if it has two of them', async () => {
    const { admin } = await harness.createCompany()
    const [b, a] = [
      await addQueue(admin, 'Second', { orderQueue: 2 }),
      await addQueue(admin, 'First', { orderQueue: 1 }),
    ]
    const queueIds = [b.id, a.id, a.id]
    await expect(add(admin, { queueIds })).rejects.toMatchObject({ status: 400, code: 'ERR_WAPP_GREETING_REQUIRED' })
    const line = await add(admin, { queueIds, greetingMessage: 'Elige' })
    expect(line.queues).toEqual([a, b].map(({ id, name, color }) => ({ id, name, color })))
    await expect(change(admin, line.id, { greetingMessage: '' })).rejects.toMatchObject({
      code: 'ERR_WAPP_GREETING_REQUIRED',
    })
    expect((await change(admin, line.id, { greetingMessage: 'Elige ya' })).queues).toHaveLength(2)
    expect((await change(admin, line.id, { queueIds: [b.id] })).queues).toMatchObject([{ id: b.id }])
    expect((await listLineQueues(scopeOf(admin.companyId), line.id)).map((q) => q.id)).toEqual([b.id])
    await admin.call(queuesApi.remove, { params: { id: b.id } })
    expect((await show(admin, line.id)).queues).toEqual([])
    await expect(add(admin, { queueIds: [b.id] })).rejects.toMatchObject({ status: 404, code: 'ERR_QUEUE_NOT_FOUND' })
    await expect(add(admin, { transferQueueId: b.id })).rejects.toMatchObject({
      status: 404,
      code: 'ERR_QUEUE_NOT_FOUND',
    })
  })

  it('has a sealed token, found by its hash, and kept when the form leaves it empty', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const line = await add(admin, { token: 'my own token' })
    expect(line.token).toBe('my own token')
    const row = await harness
      .wide()
      .db.selectFrom('whatsapps')
      .selectAll()
      .where('id', '=', line.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('my own token')
    expect(row.tokenHash).toBe(lineTokenHmac(scopeOf(companyId).deps, 'my own token'))
    expect((await change(admin, line.id, { token: '' })).token).toBe('my own token')
    expect((await change(admin, line.id, { token: 'another one' })).token).toBe('another one')
    await expect(add(admin, { token: 'another one' })).rejects.toMatchObject({ status: 400, code: 'ERR_VALIDATION' })
    expect((await admin.request('POST', '/whatsapp', { name: 'Short', token: 'abc' })).body).toMatchObject({
      error: 'ERR_VALIDATION',
    })
  })

  it('does not reveal tokens of other connections to guesses', async () => {
    const theirs = await harness.createCompany()
    await add(theirs.admin, { token: 'panaderia' })
    const { admin } = await harness.createCompany()
    const line = await add(admin)
    const guess = async (token: string) => {
      const { name } = line
      const { status, body } = await admin.request<{ error?: string }>('PUT', `/whatsapp/${line.id}`, { name, token })
      return [status, body.error]
    }
    // A taken token is a validation error; sending back the same token is no guess.
    expect(await guess('panaderia')).toEqual([400, 'ERR_VALIDATION'])
    for (let n = 0; n < 19; n++) expect((await guess(`carniceria-${n}`))[0]).toBe(200)
    for (let n = 0; n < 3; n++) expect((await guess('carniceria-18'))[0]).toBe(200)
    for (const token of ['panaderia', 'a-free-one']) expect(await guess(token)).toEqual([429, 'ERR_TOO_MANY_TRIES'])
    const made = { name: 'Another', provider: 'sandbox', token: 'panaderia' }
    expect((await admin.request('POST', '/whatsapp', made)).status).toBe(429)
    expect(
      (await change(theirs.admin, (await list(theirs.admin))[0]?.id as number, { token: 'otra-clave' })).token,
    ).toBe('otra-clave')
  })

  it('must be linked again after its provider was changed, and changes its provider only on explicit request', async () => {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    const { admin } = company
    expect(await change(admin, line.id, {})).toMatchObject({ provider: 'sandbox', status: 'CONNECTED' })
    expect(await change(admin, line.id, { provider: 'stable' })).toMatchObject({
      provider: 'sandbox',
      status: 'CONNECTED',
    })
    await change(admin, line.id, { provider: 'cloud' })
    await line.waitForStatus('DISCONNECTED', 'cloud-incomplete')
    expect(await admin.request('GET', `/sandbox/${line.id}/customers`)).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_WAPP_FOUND' },
    })
    await change(admin, line.id, { provider: 'sandbox' })
    await line.waitForStatus('qrcode')
  })

  it('is removed with everything that belongs to it, and its line is stopped', async () => {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    await line.customer('5491155550001').sends(new File(['x'], 'x.txt'))
    const { mediaPath: file } = await harness
      .wide()
      .db.selectFrom('sandboxMessages')
      .select('mediaPath')
      .where('whatsappId', '=', line.id)
      .executeTakeFirstOrThrow()
    expect(await readdir(`${harness.dataDir}/files/${company.id}`)).toContain(file)
    const agent = await company.user()
    await harness.wide().db.updateTable('users').set({ whatsappId: line.id }).where('id', '=', agent.id).execute()
    const socketClient = await agent.listen()
    expect((await company.admin.request('DELETE', `/whatsapp/${line.id}`)).body).toEqual({ message: 'deleted' })
    await vi.waitFor(() =>
      expect(
        socketClient.received.filter((e) => e.name === `company-${company.id}-user`).map((e) => e.payload?.user),
      ).toContainEqual(expect.objectContaining({ id: agent.id, whatsappId: null })),
    )
    expect(await company.admin.request('GET', `/whatsapp/${line.id}`)).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_WAPP_FOUND' },
    })
    await vi.waitFor(() => expect(harness.server.lines.connectedLine(line.id)).toBeUndefined())
    expect(
      (
        await harness
          .wide()
          .db.selectFrom('users')
          .select('whatsappId')
          .where('id', '=', agent.id)
          .executeTakeFirstOrThrow()
      ).whatsappId,
    ).toBeNull()
    // The phone's own file is deleted; the copy in the conversation stays.
    await vi.waitFor(async () => expect(await readdir(`${harness.dataDir}/files/${company.id}`)).not.toContain(file), {
      timeout: 10_000,
    })
  })
})

describe('the default line', () => {
  it('is the first line, moves when another line is chosen, and cannot be unset without choosing another', async () => {
    const { admin } = await harness.createCompany()
    const [first, second, third] = [await add(admin), await add(admin), await add(admin)]
    const defaults = async () => (await list(admin)).filter((l) => l.isDefault).map((l) => l.id)
    expect(await defaults()).toEqual([first.id])
    await expect(change(admin, first.id, { isDefault: false })).rejects.toMatchObject({
      status: 400,
      code: 'ERR_NO_OTHER_WHATSAPP',
    })
    await change(admin, third.id, { isDefault: true })
    expect(await defaults()).toEqual([third.id])
    await change(admin, third.id, {})
    expect(await defaults()).toEqual([third.id])
    await admin.call(connectionsApi.remove, { params: { id: third.id } })
    expect(await defaults()).toEqual([first.id])
    const fourth = await add(admin, { isDefault: true })
    expect(await defaults()).toEqual([fourth.id])
    for (const id of [first.id, second.id, fourth.id]) await admin.call(connectionsApi.remove, { params: { id } })
    expect(await list(admin)).toEqual([])
    await expect(findDefaultLine(scopeOf(admin.companyId))).rejects.toMatchObject({ code: 'ERR_NO_DEF_WAPP_FOUND' })
  })

  it('is unique, however many lines are set as default at once', async () => {
    const { admin } = await harness.createCompany()
    const lines = await Promise.all(Array.from({ length: 6 }, () => add(admin, { isDefault: true })))
    await Promise.all(lines.map((l) => change(admin, l.id, { isDefault: true })))
    expect((await list(admin)).filter((l) => l.isDefault)).toHaveLength(1)
  })

  it('is used if no line was named and the user has none', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const [first, second] = [await add(admin), await add(admin)]
    const agent = await company.user()
    const scope = scopeOf(company.id)
    expect((await chooseLine(scope, null, agent.id)).id).toBe(first.id)
    await harness.wide().db.updateTable('users').set({ whatsappId: second.id }).where('id', '=', agent.id).execute()
    expect((await chooseLine(scope, null, agent.id)).id).toBe(second.id)
    expect((await chooseLine(scope, first.id, agent.id)).id).toBe(first.id)
    expect((await chooseLine(scope, null, null)).id).toBe(first.id)
    const other = await harness.createCompany()
    await expect(chooseLine(scope, (await add(other.admin)).id, agent.id)).rejects.toMatchObject({
      code: 'ERR_NO_WAPP_FOUND',
    })
  })
})

describe('the plan limit of connections', () => {
  it('holds also when many connections are created at once', async () => {
    const company = await harness.createCompany()
    await harness.wide().db.updateTable('companies').set({ planId: 1 }).where('id', '=', company.id).execute()
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => add(company.admin)))
    expect(tries.filter((t) => t.status === 'fulfilled')).toHaveLength(2)
    expect(
      tries
        .filter((t) => t.status === 'rejected')
        .every((t) => t.reason.code === 'ERR_PLAN_LIMIT_CONNECTIONS' && t.reason.status === 402),
    ).toBe(true)
    expect(await list(company.admin)).toHaveLength(2)
  })
})

describe('visibility of connections', () => {
  const secret = /tokenSealed|tokenHash|wanted|fence|holder|companyId/

  it('shows token and QR code only to admins, in lists, by id and in live events', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const people = [await company.user('user'), await company.user('supervisor')]
    const socketClients = await Promise.all(people.map((p) => p.listen()))
    const socketClient = await admin.listen()
    const { id, token } = await add(admin)
    await vi.waitFor(async () => expect((await show(admin, id)).qrcode).toMatch(/^recado-sandbox:/))
    const { qrcode } = await show(admin, id)
    for (const person of people) {
      expect(await show(person, id)).toMatchObject({ status: 'qrcode', token: '', qrcode: '' })
      expect(await list(person)).toMatchObject([{ id, token: '', qrcode: '' }])
    }
    for (const [n, heard] of socketClients.entries()) {
      await heard.waitFor(`company-${company.id}-whatsappSession`)
      await (people[n] as TestUser).call(connectionsApi.list)
      await heard.whenCaughtUp()
      const said = JSON.stringify(heard.received.filter((e) => /whatsapp/.test(e.name)))
      expect(said).toContain(`"id":${id}`)
      expect(said).not.toContain(token)
      expect(said).not.toContain(qrcode)
      expect(said).not.toMatch(secret)
    }
    // The QR dialog closes when it receives an empty code, so an admin receives only the version with the code.
    const sessions = socketClient.received
      .filter((e) => e.name.endsWith('-whatsappSession'))
      .map((e) => e.payload.session as { status: string; qrcode: string })
    expect(sessions.filter((s) => s.status === 'qrcode').map((s) => s.qrcode)).toEqual([qrcode])
    const rows = socketClient.received.filter((e) => e.name.endsWith('-whatsapp')).map((e) => e.payload)
    expect(rows.every((p) => p.action === 'update')).toBe(true)
    expect(rows.at(-1)).toMatchObject({ whatsapp: { id, token, qrcode } })
    expect(JSON.stringify([rows, sessions, await list(admin)])).not.toMatch(secret)
  })

  it('keeps a list that applies live events equal to a reloaded list', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const people = [admin, await company.user('supervisor')]
    const socketClients = await Promise.all(people.map((p) => p.listen()))
    const start = await Promise.all(people.map(list))
    const [kept, gone] = [await addQueue(admin, 'Queda'), await addQueue(admin, 'Se va')]
    const [first, second] = [await add(admin), await add(admin, { isDefault: true, queueIds: [gone.id] })]
    const third = await add(admin, { transferQueueId: gone.id })
    await change(admin, first.id, { queueIds: [kept.id, gone.id], greetingMessage: 'Elige' })
    await admin.request('PUT', `/queue/${kept.id}`, { name: 'Otro nombre', color: '#fafafa' })
    await admin.request('DELETE', `/queue/${gone.id}`)
    await admin.request('POST', `/sandbox/${third.id}/scan`)
    await admin.request('DELETE', `/whatsappsession/${first.id}`)
    await admin.call(connectionsApi.remove, { params: { id: second.id } })
    for (const [n, person] of people.entries())
      await vi.waitFor(async () => {
        const told = new Map((start[n] ?? []).map((row) => [row.id, row]))
        for (const { name, payload } of socketClients[n]?.received ?? []) {
          if (name !== `company-${company.id}-whatsapp`) continue
          if (payload.action === 'delete') told.delete(payload.whatsappId as number)
          else told.set((payload.whatsapp as { id: number }).id, payload.whatsapp as never)
        }
        const now = await list(person)
        expect(now.map((row) => row.status)).toEqual(['DISCONNECTED', 'CONNECTED'])
        expect([...told.values()].sort((a, b) => a.id - b.id)).toEqual(now)
      })
  })

  it('publishes a removed line, and the new default, to everybody', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const [first, second] = [await add(admin), await add(admin)]
    const socketClient = await (await company.user()).listen()
    await admin.call(connectionsApi.remove, { params: { id: first.id } })
    await socketClient.waitFor(`company-${company.id}-whatsapp`, { action: 'delete', whatsappId: first.id })
    await vi.waitFor(() =>
      expect(socketClient.received.map((e) => e.payload?.whatsapp)).toContainEqual(
        expect.objectContaining({ id: second.id, isDefault: true }),
      ),
    )
  })

  it('allows only admins to create, change, remove and connect a line', async () => {
    const company = await harness.createCompany()
    const { id } = await add(company.admin)
    for (const person of [await company.user('user'), await company.user('supervisor')])
      for (const [method, path] of [
        ['POST', '/whatsapp'],
        ['PUT', `/whatsapp/${id}`],
        ['DELETE', `/whatsapp/${id}`],
        ['POST', `/whatsappsession/${id}`],
        ['PUT', `/whatsappsession/${id}`],
        ['DELETE', `/whatsappsession/${id}`],
      ] as const)
        expect(await person.request(method, path, { name: 'Mine' })).toMatchObject({
          status: 400,
          body: { error: 'ERR_NO_PERMISSION' },
        })
  })
})

describe('state reports of a running line', () => {
  async function held() {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    const { db } = harness.wide()
    const { wantedRound } = await db
      .selectFrom('whatsapps')
      .select('wantedRound')
      .where('id', '=', line.id)
      .executeTakeFirstOrThrow()
    const { fence } = await db
      .selectFrom('lineLeases')
      .select('fence')
      .where('whatsappId', '=', line.id)
      .executeTakeFirstOrThrow()
    const row: LineRow = { id: line.id, companyId: company.id, provider: 'sandbox', wantedRound, fence }
    return { company, line, row }
  }
  const say = (row: LineRow, status: 'CONNECTED' | 'TIMEOUT', more = {}) =>
    saveLineState(harness.server.deps, row, { status, ...more })

  it('are accepted only under the current fence and round, and published only when the state changes', async () => {
    const { company, line, row } = await held()
    const socketClient = await company.admin.listen()
    const before = await line.showLine()
    await say({ ...row, fence: row.fence - 1 }, 'TIMEOUT')
    await say({ ...row, fence: row.fence + 1 }, 'TIMEOUT')
    await say({ ...row, wantedRound: row.wantedRound + 1 }, 'TIMEOUT')
    await say({ ...row, companyId: row.companyId + 1 }, 'TIMEOUT')
    await say(row, 'CONNECTED', { number: before.number })
    await say(row, 'CONNECTED')
    expect(await line.showLine()).toEqual(before)
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((e) => /whatsapp/.test(e.name))).toEqual([])
    await say(row, 'TIMEOUT', { reason: 'network', retries: 2 })
    expect(await line.showLine()).toMatchObject({
      status: 'TIMEOUT',
      reason: 'network',
      retries: 2,
      number: before.number,
    })
    await socketClient.waitFor(`company-${company.id}-whatsappSession`)
  })

  it('do not turn on a line that a user turned off', async () => {
    const { company, line, row } = await held()
    await company.admin.request('DELETE', `/whatsappsession/${line.id}`)
    await say(row, 'CONNECTED')
    await say({ ...row, wantedRound: row.wantedRound + 1 }, 'CONNECTED')
    expect(await line.showLine()).toMatchObject({ status: 'DISCONNECTED', reason: 'off' })
  })
})
