import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { messagesApi } from '@recado/contract/messages'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nextPhoneNumber } from './desk.ts'
import type { SandboxPhone, TestCustomer } from './sandbox-phone.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from './test-server.ts'

/** Real line processes, started as in production, on the database of a web process. */
let web: TestServer
let admin: TestUser
let companyId: number
const childProcesses: ChildProcess[] = []
beforeAll(async () => {
  web = await testServer({ role: 'web' })
})
afterAll(async () => {
  for (const child of childProcesses) child.kill('SIGKILL')
  await Promise.all(
    childProcesses.map((child) => child.exitCode !== null || child.signalCode !== null || once(child, 'exit')),
  )
  await closeTestServers()
})

async function startLines(): Promise<ChildProcess> {
  const main = new URL('../src/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...{ ROLE: 'lines', DATABASE_URL: web.databaseUrl, APP_SECRET: web.config.appSecret },
      ...{ DATA_DIR: web.dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' },
    },
  })
  childProcesses.push(child)
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  await vi.waitFor(() => expect(said).toContain('Recado is running'), { timeout: 60_000 })
  return child
}
/** The number of lines with a valid lease, per process. */
async function countLinesPerProcess(): Promise<number[]> {
  const rows = await web
    .wide()
    .db.selectFrom('lineLeases')
    .select((eb) => ['holder', eb.fn.countAll<number>().as('n')])
    .where('until', '>', new Date().toISOString())
    .groupBy('holder')
    .execute()
  return rows.map(({ n }) => n).sort()
}

describe('eight lines on several processes', () => {
  it('are shared with a process that joins and taken over from one that dies, without lost or duplicate messages', async () => {
    const company = await web.createCompany()
    admin = company.admin
    companyId = company.id
    await startLines()
    const phones: SandboxPhone[] = []
    for (let n = 0; n < 8; n++) phones.push(await web.openLine(company))
    const customers = phones.map((phone) => phone.customer(nextPhoneNumber(), 'Sol'))
    expect(await countLinesPerProcess()).toEqual([8])

    const socketClient = await admin.listen()
    let over = false
    /** The messages of a customer in order, and the answers. */
    const talk = async (customer: TestCustomer): Promise<{ said: string[]; answered: string[] }> => {
      const told = { said: [] as string[], answered: [] as string[] }
      for (let n = 0; n < 400 && !over; n++) {
        const wid = await customer.says(`dice ${n}`)
        told.said.push(`dice ${n}`)
        const { ticketId } = await vi.waitFor(
          () =>
            web
              .wide()
              .db.selectFrom('messages')
              .select('ticketId')
              .where('companyId', '=', companyId)
              .where('wid', '=', wid)
              .executeTakeFirstOrThrow(),
          { interval: 50 },
        )
        const params = { ticketId: Number(ticketId) }
        const taken = { status: 'open', userId: admin.id } as never
        if (!n) await admin.call(ticketsApi.update, { params: { id: params.ticketId }, body: taken })
        await admin.call(messagesApi.send, { params, body: { body: `oye ${n}` } as never })
        told.answered.push(`oye ${n}`)
      }
      return told
    }
    const talking = Promise.all(customers.map(talk))

    const second = await startLines()
    await vi.waitFor(
      async () =>
        expect([
          [4, 4],
          [3, 5],
        ]).toContainEqual(await countLinesPerProcess()),
      { interval: 100 },
    )
    await socketClient.whenCaughtUp()
    // Moving a line to another process must not be published.
    const news = socketClient.received
      .filter((e) => e.name === `company-${companyId}-whatsappSession`)
      .map((e) => (e.payload.session as { status: string }).status)
    expect(news.filter((status) => status !== 'CONNECTED')).toEqual([])

    second.kill('SIGKILL')
    const died = performance.now()
    await vi.waitFor(async () => expect(await countLinesPerProcess()).toEqual([8]), { interval: 50 })
    await vi.waitFor(async () => {
      const rows = await Promise.all(phones.map((phone) => phone.showLine()))
      expect(rows.map(({ status }) => status)).toEqual(phones.map(() => 'CONNECTED'))
    })
    expect(performance.now() - died).toBeLessThan(15_000)

    over = true
    const all = await talking
    for (const [n, { said, answered }] of all.entries()) {
      expect(said.length).toBeGreaterThan(1)
      await vi.waitFor(
        async () => {
          const shown = await web
            .wide()
            .db.selectFrom('sandboxMessages')
            .select('body')
            .where('whatsappId', '=', phones[n]?.id ?? 0)
            .where('body', 'like', 'oye %')
            .orderBy('seq')
            .execute()
          expect(shown.map(({ body }) => body)).toEqual(answered)
        },
        { interval: 200 },
      )
      const stored = await web
        .wide()
        .db.selectFrom('messages')
        .select('body')
        .where('companyId', '=', companyId)
        .where('whatsappId', '=', phones[n]?.id ?? 0)
        .where('fromMe', '=', false)
        .orderBy('id')
        .execute()
      expect(stored.map(({ body }) => body)).toEqual(said)
    }
  }, 240_000)
})
