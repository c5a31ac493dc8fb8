import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { endpointsBySection } from '@recado/contract/api'
import type pg from 'pg'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canCall,
  composeCall,
  createUserWithSession,
  endpointName,
  type FixtureTable,
  insertFixtures,
  openOwnerPool,
  readFixtureTables,
} from './fixtures.ts'
import { closeTestServers, type TestServer, testServer } from './test-server.ts'

/**
 * Older clients merge the event of a record they create into the list that the response to their call completes. An
 * event that arrives after the response is lost for them, so every event of a creating call must arrive before its
 * response.
 */
let harness: TestServer
let owner: pg.Pool
let tables: FixtureTable[]
beforeAll(async () => {
  harness = await testServer()
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
  proxy = await openSlowProxy()
  slowAddress = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  await owner.query('update plans set users = 1000, connections = 1000, queues = 1000')
})
afterAll(async () => {
  proxy.close()
  await owner.end()
  await closeTestServers()
})

/** A browser handles a frame of its socket later than a response; here each piece of data takes this long to arrive. */
const socketDelayMs = 40
let slowAddress: string
let proxy: Server

function openSlowProxy(): Promise<Server> {
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(harness.address).port), '127.0.0.1')
    client.pipe(upstream)
    upstream.on('data', (data) => setTimeout(() => client.write(data), socketDelayMs))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('close', () => other.destroy()).on('error', () => other.destroy())
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

type Arrival = { name: string; action: unknown; trace: string | undefined }
async function listenAsOlderClient(token: string) {
  const arrivals: Arrival[] = []
  const socket = io(slowAddress, { transports: ['websocket'], query: { token }, forceNew: true, reconnection: false })
  socket.onAny((name: string, payload: { action?: unknown }, cause?: { trace: string }) =>
    arrivals.push({ name, action: payload?.action, trace: cause?.trace }),
  )
  await new Promise((resolve) => socket.once('ready', resolve))
  return { arrivals, close: () => socket.close() }
}

/** Sections that no older client calls: templates of Meta, and invoices of the super user. */
const newSections = ['templates', 'money']
const creates = Object.entries(endpointsBySection).flatMap(([section, { create, send }]) =>
  [create, send].flatMap((e) =>
    e?.method === 'POST' && e.access !== 'public' && !newSections.includes(section) ? [{ section, e }] : [],
  ),
)
/** Creates that publish nothing to their maker. */
const withoutEvent = new Set(['sandbox', 'campaignStops'])

describe('the events of a request that creates a record', () => {
  it.each(creates.map((one) => ({ ...one, title: endpointName(one.e) })))(
    'reach an older client before the response: $title',
    async ({ section, e }) => {
      const isPlatform = !canCall(e, 'admin')
      const companyId = isPlatform
        ? (await owner.query('select id from companies where platform')).rows[0].id
        : (await harness.createCompany()).id
      const maker = await createUserWithSession(harness, companyId, isPlatform ? 'super' : 'admin')
      const rows = await insertFixtures(owner, tables, { id: companyId, mark: 'order', person: maker.id })
      if (!isPlatform) await owner.query(`update whatsapps set "isDefault" = true where "companyId" = $1`, [companyId])
      const status = section === 'tickets' ? 'closed' : 'open'
      await owner.query(`update tickets set status = $3, "userId" = $1 where "companyId" = $2`, [
        maker.id,
        companyId,
        status,
      ])
      const client = await listenAsOlderClient(maker.token)
      const call = composeCall(e, rows, 'order')
      const isForm = call.body instanceof FormData
      const response = await fetch(harness.address + call.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${maker.token}`, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? (call.body as FormData) : JSON.stringify(call.body ?? {}),
      })
      const before = client.arrivals.filter(({ trace }) => trace === response.headers.get('x-request-id'))
      expect(response.status, await response.text()).toBeLessThan(300)
      if (!withoutEvent.has(section)) expect(before.length, JSON.stringify(client.arrivals)).toBeGreaterThan(0)
      client.close()
    },
  )
})
