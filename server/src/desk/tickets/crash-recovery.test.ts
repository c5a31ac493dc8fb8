import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'

/** This process has the role `web`. Its clock is ahead of the child process, which sends: a hold ends when the test says. */
let h: TestServer
let d: Desk
let sender: ChildProcess | null = null
beforeAll(async () => {
  h = await testServer({ role: 'web', appSecret: 'a secret that is only for this test, long enough' })
  await startSender()
  d = await openDesk(h, { ratingMessage: '¿Qué tal?' })
  for (const key of ['userRating', 'sendGreetingAccepted', 'sendMsgTransfTicket'] as const)
    await d.setSetting(key, 'enabled')
  h.clock.advance(minutes(5))
})
afterAll(async () => {
  await killSender()
  await closeTestServers()
})

async function startSender(): Promise<void> {
  sender = fork(new URL('../../../test/child-server.ts', import.meta.url), {
    execArgv: [],
    env: { ...process.env, VICTIM_DATABASE: h.databaseUrl, VICTIM_DATA: h.dataDir },
  })
  await once(sender, 'message')
}
async function killSender(): Promise<void> {
  if (!sender) return
  const ended = once(sender, 'exit')
  sender.kill('SIGKILL')
  await ended
  sender = null
  // The killed process does not renew its lease: expire it, so that the next process need not wait.
  await sql`update "lineLeases" set until = now() - interval '1 second'`.execute(h.wide().db)
}
const endHolds = () =>
  sql`update messages set "notBefore" = now() - interval '1 second' where "notBefore" is not null`.execute(h.wide().db)

type Case = Awaited<ReturnType<Desk['newTicket']>>
const received = async ({ customer }: Case) =>
  (await customer.listMessages()).filter((message) => !message.fromCustomer).map((message) => message.body)
const act = async (one: Case, change: object) => expect((await d.putTicket(d.admin, one.id, change)).status).toBe(200)

it('sends held texts once after a kill during the hold, and none that was undone before the kill', async () => {
  const support = await d.createQueue('Soporte')
  const accept = { status: 'open', userId: d.admin.id }
  const transfer = { status: 'pending', userId: null, queueId: support.id }
  const actions: [action: object, text: RegExp][] = [
    [accept, /mi nombre es/],
    [{ status: 'closed' }, /Qué tal/],
    [transfer, /pasando a Soporte/],
  ]
  const cases = await Promise.all(
    actions.flatMap(([action, text]) =>
      [true, false].map(async (isUndone) => ({ ...(await d.newTicket()), action, text, isUndone })),
    ),
  )
  const free = await d.newTicket()
  const writing = await d.newTicket()
  const attended = [free, writing, ...cases.filter(({ action }) => action !== accept)]
  for (const one of attended) await act(one, accept)
  await endHolds()
  for (const one of attended) await vi.waitFor(async () => expect(await received(one)).toHaveLength(1))
  const before = await Promise.all(cases.map(received))

  for (const one of cases) await act(one, one.action)
  for (const { id } of cases.filter(({ isUndone }) => isUndone))
    expect((await d.admin.request('POST', `/tickets/${id}/undo`, {})).status).toBe(200)
  // Messages that a person can take back are held in the same way.
  await d.send(d.admin, writing.id, { body: 'se queda', undoSeconds: 20 })
  const takenBack = await d.send(d.admin, writing.id, { body: 'se retira', undoSeconds: 20 })
  expect((await d.admin.request('POST', `/messages/${takenBack.id}/undo`, {})).status).toBe(200)
  const writtenBefore = await received(writing)
  await killSender()
  await startSender()
  // The new process sends what is not held, and keeps the hold of the rest.
  await d.send(d.admin, free.id, 'para otra persona')
  await vi.waitFor(async () => expect((await received(free)).at(-1)).toBe('para otra persona'))
  expect(await Promise.all(cases.map(received))).toEqual(before)
  expect(await received(writing)).toEqual(writtenBefore)

  await endHolds()
  const standing = cases.filter(({ isUndone }) => !isUndone)
  await vi.waitFor(async () => {
    for (const one of standing) expect((await received(one)).at(-1)).toMatch(one.text)
  })
  await vi.waitFor(async () => expect((await received(writing)).at(-1)).toBe('se queda'))
  await d.send(d.admin, free.id, 'otra vez')
  await vi.waitFor(async () => expect((await received(free)).at(-1)).toBe('otra vez'))
  const after = await Promise.all(cases.map(received))
  expect(after.map((bodies, i) => bodies.length - (before[i]?.length ?? 0))).toEqual(
    cases.map(({ isUndone }) => (isUndone ? 0 : 1)),
  )
  expect(await received(writing)).toEqual([...writtenBefore, 'se queda'])
})
