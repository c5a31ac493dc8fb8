import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeTextEvent, nextPhoneNumber } from '../../../test/desk.ts'
import { type FakeGraph, fakeGraph, signWebhookBody } from '../../../test/fake-graph.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { saveCloudAccount } from './account.ts'

/** The server takes Meta's calls and runs no line; the line runs in a child server that is killed without warning. */
let harness: TestServer
let graph: FakeGraph
let childServer: ChildProcess
const secret = 'a secret that both processes know, long enough'
const pollOptions = { timeout: 20_000, interval: 15 }

beforeAll(async () => {
  graph = await fakeGraph()
  harness = await testServer({ graphUrl: graph.base, appSecret: secret }, undefined, { pace: { pollMs: 3_600_000 } })
})
afterAll(async () => {
  childServer?.kill('SIGKILL')
  await closeTestServers()
  await graph.close()
})

async function startChildServer(): Promise<void> {
  const env = {
    VICTIM_DATABASE: harness.databaseUrl,
    VICTIM_SECRET: secret,
    VICTIM_GRAPH: graph.base,
    VICTIM_DATA: harness.dataDir,
  }
  childServer = fork(new URL('../../../test/cloud-child-server.ts', import.meta.url), {
    env: { ...process.env, ...env },
  })
  await once(childServer, 'message')
}
async function killChildServer(): Promise<void> {
  const dead = once(childServer, 'exit')
  childServer.kill('SIGKILL')
  await dead
  // The test does not wait for the lease of a dead process to expire.
  await harness
    .wide()
    .db.updateTable('lineLeases')
    .set({ until: new Date(0) })
    .execute()
}

/** Creates only the rows of a line, without the signal that would make the server run it. */
async function quietLine(companyId: number) {
  const account = graph.createAccount()
  const { db } = harness.wide()
  const values = { companyId, name: 'Cloud', provider: 'cloud' as const, wanted: true, tokenHash: null }
  const { id } = await db.insertInto('whatsapps').values(values).returning('id').executeTakeFirstOrThrow()
  const scope = new Scope(harness.server.deps, { companyId })
  await saveCloudAccount(scope, id, { ...account, verifyToken: '' })
  const { hook } = await db
    .selectFrom('cloudLines')
    .select('hook')
    .where('whatsappId', '=', id)
    .executeTakeFirstOrThrow()
  return { id, account, path: `/webhooks/cloud/${hook}` }
}

it('does not send a message again that Meta had accepted when the process died, and sends the others', async () => {
  const company = await harness.createCompany()
  const line = await quietLine(company.id)
  const { db } = harness.wide()
  const tell = async (value: object) => {
    const metadata = { phone_number_id: line.account.phoneNumberId }
    const changes = [{ field: 'messages', value: { metadata, ...value } }]
    const body = JSON.stringify({ entry: [{ changes }] })
    const headers = { 'x-hub-signature-256': signWebhookBody(line.account.appSecret, body) }
    const answer = await fetch(harness.address + line.path, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
  }
  const written = (body: string) =>
    vi.waitFor(async () => {
      const rows = db.selectFrom('messages').selectAll().where('companyId', '=', company.id).where('body', '=', body)
      return rows.executeTakeFirstOrThrow()
    }, pollOptions)
  const from = nextPhoneNumber()
  await startChildServer()
  // The event is delivered to a process that does not run the line.
  const message = {
    id: makeTextEvent(from, '').id,
    from,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
  }
  await tell({ messages: [{ ...message, text: { body: 'hola' } }] })
  const { ticketId } = await written('hola')
  await company.admin.request('PUT', `/tickets/${ticketId}`, { status: 'open', userId: company.admin.id })

  graph.troubles.push({ kind: 'stall' })
  await company.admin.request('POST', `/messages/${ticketId}`, { body: 'a medio camino' })
  const taken = await vi.waitFor(() => {
    expect(graph.acceptedSends).toHaveLength(1)
    return graph.acceptedSends[0]
  }, pollOptions)
  await killChildServer()
  await company.admin.request('POST', `/messages/${ticketId}`, { body: 'la siguiente' })
  await startChildServer()
  const own = taken?.body.biz_opaque_callback_data
  await tell({
    statuses: [{ id: taken?.wamid, status: 'sent', biz_opaque_callback_data: own, timestamp: message.timestamp }],
  })
  await vi.waitFor(async () => {
    expect(await written('a medio camino')).toMatchObject({ state: 'sent', error: null })
    expect(await written('la siguiente')).toMatchObject({ state: 'sent' })
  }, pollOptions)
  expect(graph.acceptedSends.map((t) => (t.body.text as { body: string }).body)).toEqual([
    'a medio camino',
    'la siguiente',
  ])
})
