import { connectionsApi } from '@recado/contract/connections'
import { healthApi, type PlatformFailure } from '@recado/contract/health/health'
import { moneyApi } from '@recado/contract/money/platform'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  closeTestServers,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { openPool } from '../../kernel/data/database.ts'
import { makeLog } from '../../kernel/log.ts'
import { errorCodeIn, webhookErrorCodeIn } from './failures.ts'

let h: TestServer
let boss: TestUser
beforeAll(async () => {
  h = await testServer()
  boss = await h.superUser()
})
afterAll(closeTestServers)

const loadHealth = (searchParam = '') => boss.call(healthApi.show, { query: { searchParam } })
const failed = async (kind: PlatformFailure['kind']) => (await loadHealth()).failures.filter((one) => one.kind === kind)
const slow = { timeout: waitTimeoutMs }

describe('the health page', () => {
  it('is only for the super user', async () => {
    const { admin } = await h.createCompany()
    const refused = { body: { error: 'ERR_NO_PERMISSION' } }
    expect(await admin.request('GET', '/health')).toMatchObject(refused)
    expect(await admin.request('POST', '/health/again', { kind: 'job', id: 1 })).toMatchObject(refused)
    expect((await h.anonymous.request('GET', '/health')).status).toBeGreaterThan(400)
  })

  it('shows the report of every process, and also a process that holds lines and does not answer', async () => {
    const { processes } = await loadHealth()
    expect(processes).toHaveLength(1)
    expect(processes[0]).toMatchObject({ answers: true, here: true, pid: process.pid, version: expect.any(String) })
    expect(processes[0]?.memory).toBeGreaterThan(10_000_000)
    const { id, admin } = await h.createCompany()
    const { id: whatsappId } = await h.openLine({ admin })
    const gone = 'elsewhere:4711:somebody'
    await sql`update "lineLeases" set holder = ${gone}, until = now() + interval '1 hour'
      where "companyId" = ${id} and "whatsappId" = ${whatsappId}`.execute(h.wide().db)
    const after = await loadHealth()
    expect(after.processes.find((one) => one.id === gone)).toMatchObject({
      ...{ host: 'elsewhere', pid: 4711, answers: false, lines: 1 },
    })
    await sql`delete from "lineLeases" where "whatsappId" = ${whatsappId}`.execute(h.wide().db)
  })

  it('says that nobody can pay until a payment provider is set up', async () => {
    expect((await loadHealth()).cannotBePaid).toBe(true)
    const body = {
      provider: 'pix' as const,
      pixKey: 'pagos@recado.example',
      pixName: 'Recado',
      pixCity: 'Recife',
      efiKey: '',
    }
    await boss.call(moneyApi.update, { body })
    expect((await loadHealth()).cannotBePaid).toBe(false)
    // A company that does not pay in reais needs the operator's instructions.
    const { id } = await h.createCompany()
    await h.wide().db.updateTable('companies').set({ currency: 'ARS' }).where('id', '=', id).execute()
    expect((await loadHealth()).cannotBePaid).toBe(true)
    await boss.call(moneyApi.update, { body: { ...body, paymentInstructions: 'Transferencia' } })
    expect((await loadHealth()).cannotBePaid).toBe(false)
  })

  it('shows another process on the same database', async () => {
    await startSecondProcess(h)
    await vi.waitFor(async () => {
      const { processes } = await loadHealth()
      expect(processes.filter(({ answers }) => answers)).toHaveLength(2)
      expect(processes.map(({ here }) => here)).toContain(false)
    }, slow)
  })

  it('shows lines with their backlog, lines in trouble first, and finds them by name', async () => {
    const one = await h.createCompany()
    const line = await h.openLine(one, { name: 'Recepción' })
    const two = await h.createCompany('Otra Casa')
    const off = await h.openLine(two, { name: 'Zaguán' })
    await two.admin.call(connectionsApi.disconnect, { params: { whatsappId: off.id } })
    const { lines } = await loadHealth()
    expect(lines.find(({ id }) => id === line.id)).toMatchObject({
      ...{ name: 'Recepción', company: { id: one.id, name: one.name }, status: 'CONNECTED', outbox: 0, events: 0 },
      process: expect.stringContaining(`:${process.pid}:`),
    })
    // The backlog is counted at most every two seconds, for all viewers together.
    await vi.waitFor(async () => {
      const { statuses } = await loadHealth()
      expect(statuses.find(({ status }) => status === 'CONNECTED')?.count).toBeGreaterThan(0)
    }, slow)
    expect((await loadHealth('zaguan')).lines).toMatchObject([{ id: off.id, reason: 'off', process: null }])
    expect((await loadHealth('otra casa')).lines).toHaveLength(1)
    await boss.call(healthApi.again, { body: { kind: 'line', id: off.id } })
    await vi.waitFor(async () => {
      expect((await loadHealth('zaguan')).lines).toMatchObject([{ status: 'qrcode', wanted: true }])
    }, slow)
  })

  it('shows a failed job without its payload, and runs it again', async () => {
    const owner = openPool(h.databaseUrl, makeLog('silent'), { max: 1 })
    await owner.query(
      `select graphile_worker.add_job('nobody:does', '{"words": "a customer said so"}', max_attempts => 1)`,
    )
    await owner.query(`update graphile_worker._private_jobs set attempts = 1, last_error = 'connect ECONNREFUSED: a customer said so'
      where id = (select id from graphile_worker.jobs where task_identifier = 'nobody:does')`)
    const [job] = await failed('job')
    expect(job).toMatchObject({ name: 'nobody:does', code: 'ECONNREFUSED', count: 1, canRetry: true, nextAt: null })
    expect(JSON.stringify(await loadHealth())).not.toContain('customer said')
    await boss.call(healthApi.again, { body: { kind: 'job', id: job?.id as number } })
    const { rows } = await owner.query(
      `select attempts from graphile_worker.jobs where task_identifier = 'nobody:does'`,
    )
    expect(rows).toEqual([{ attempts: 0 }])
    await owner.query(`delete from graphile_worker._private_jobs where id = $1`, [job?.id])
    // Retrying a job that is already done succeeds.
    expect((await boss.request('POST', '/health/again', { kind: 'job', id: job?.id })).status).toBe(200)
    expect((await boss.request('POST', '/health/again', { kind: 'line', id: 987_654 })).status).toBe(404)
    await owner.end()
  })

  it('retries dead-lettered events of a line', async () => {
    const one = await h.createCompany()
    const { customer, id: whatsappId } = await h.openLine(one)
    await customer('+5511999990001').says('hola')
    await vi.waitFor(async () => {
      const { rows } = await sql`select id from tickets where "companyId" = ${one.id}`.execute(h.wide().db)
      expect(rows).toHaveLength(1)
    }, slow)
    await sql`update journal set error = 'secret words of somebody', "ticketId" = null where "whatsappId" = ${whatsappId}`.execute(
      h.wide().db,
    )
    const [event] = await failed('event')
    expect(event).toMatchObject({ id: whatsappId, count: 1, code: '', company: { id: one.id } })
    expect((await loadHealth()).lines.find(({ id }) => id === whatsappId)).toMatchObject({ aside: 1 })
    await boss.call(healthApi.again, { body: { kind: 'event', id: whatsappId } })
    await vi.waitFor(async () => {
      const { rows } =
        await sql`select "processedAt" is not null as done, error from journal where "whatsappId" = ${whatsappId}`.execute(
          h.wide().db,
        )
      expect(rows).toEqual([{ done: true, error: null }])
    }, slow)
    expect(await failed('event')).toEqual([])
    // A second retry does not create the message again.
    const { rows } = await sql`select id from messages where "companyId" = ${one.id}`.execute(h.wide().db)
    expect(rows).toHaveLength(1)
  })

  it('shows a webhook that does not answer, and retries it at once', async () => {
    const { id } = await h.createCompany()
    const { rows } = await sql<{ id: number }>`
      insert into webhooks ("companyId", name, url, events, "secretSealed", "restsSince", "restsUntil", "failuresInRow", "lastError")
      values (${id}, 'Reservas', 'https://hooks.example.test/x', '{message.created}', 'x', now(), now() + interval '1 hour', 7, '503 Service Unavailable')
      returning id`.execute(h.wide().db)
    const webhookId = rows[0]?.id as number
    expect(await failed('webhook')).toMatchObject([{ id: webhookId, name: 'Reservas', code: '503', canRetry: true }])
    await boss.call(healthApi.again, { body: { kind: 'webhook', id: webhookId } })
    expect(await failed('webhook')).toEqual([])
  })

  it('counts the backlog, and marks work that waits too long', async () => {
    const one = await h.createCompany()
    const { id: whatsappId } = await h.openLine(one)
    await one.admin.call(connectionsApi.disconnect, { params: { whatsappId } })
    // Without a lease, no process polls the backlog of this line.
    await sql`delete from "lineLeases" where "whatsappId" = ${whatsappId}`.execute(h.wide().db)
    await sql`insert into journal ("companyId", "whatsappId", "eventId", chat, kind, event, "receivedAt")
      values (${one.id}, ${whatsappId}, 'message:late', 'x', 'message', '{}', now() - interval '5 minutes')`.execute(
      h.wide().db,
    )
    await vi.waitFor(async () => {
      const events = (await loadHealth()).waits.find(({ kind }) => kind === 'events')
      expect(events).toMatchObject({ count: 1, late: true })
    }, slow)
    await sql`delete from journal where "eventId" = 'message:late'`.execute(h.wide().db)
  })
})

describe('failure codes', () => {
  it('contain only known codes, and no text of a customer', () => {
    expect(errorCodeIn('ERR_NOT_FOUND')).toBe('ERR_NOT_FOUND')
    expect(errorCodeIn('connect ECONNREFUSED 10.0.0.1:80')).toBe('ECONNREFUSED')
    expect(errorCodeIn('window-closed', true)).toBe('window-closed')
    expect(errorCodeIn('meta:131047', true)).toBe('meta:131047')
    // Text that is not a known failure reason of a line may be a customer's.
    expect(errorCodeIn('hola')).toBe('')
    expect(errorCodeIn('500: Sol said something')).toBe('500')
    expect(errorCodeIn('invalid input syntax for type json: "Sol said"')).toBe('')
    // Webhook failure reasons are our own text, with only codes from the details.
    expect(webhookErrorCodeIn('timeout:10')).toBe('timeout:10')
    expect(webhookErrorCodeIn('resting')).toBe('resting')
    expect(webhookErrorCodeIn('unreachable:connect ECONNREFUSED 10.0.0.1:80')).toBe('unreachable:ECONNREFUSED')
    expect(webhookErrorCodeIn('unreachable:Sol said something')).toBe('unreachable')
    expect(webhookErrorCodeIn('forbidden:sol.example.test leads inside')).toBe('forbidden')
    expect(webhookErrorCodeIn('503 timeout:10')).toBe('503')
    expect(webhookErrorCodeIn('timeouts are said by Sol')).toBe('')
  })
})
