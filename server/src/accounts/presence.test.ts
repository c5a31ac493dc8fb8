import { usersApi } from '@recado/contract/users'
import { parseCrontab } from 'graphile-worker'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'
import { crontab } from '../app.ts'
import { days, minutes, seconds } from '../kernel/clock.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const onlineOf = (who: TestUser, id: number) => who.call(usersApi.show, { params: { id } }).then((u) => u.online)
const row = (id: number) =>
  harness
    .wide()
    .db.selectFrom('users')
    .select(['online', 'lastSeenAt', 'disconnectedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const activityAgo = async (userId: number) => {
  const activity = harness.wide().db.selectFrom('userActivity').select('at').where('userId', '=', userId)
  return harness.clock.now().getTime() - Date.parse((await activity.executeTakeFirstOrThrow()).at)
}
const seenAgo = async (id: number) => harness.clock.now().getTime() - Date.parse((await row(id)).lastSeenAt ?? '')
async function runTimersAfter(ms: number): Promise<void> {
  harness.clock.advance(ms)
  await harness.server.switchboard.timers.poll()
}
/** Runs the job that normally runs every minute. */
async function runPresenceSweep(): Promise<void> {
  const mark = await harness.createCompany()
  await harness
    .wide()
    .db.updateTable('users')
    .set({ online: true, lastSeenAt: new Date(0) })
    .where('id', '=', mark.admin.id)
    .execute()
  await harness.wide().enqueueJob('presence:sweep', {})
  await vi.waitFor(async () => expect((await row(mark.admin.id)).online).toBe(false), { timeout: 10_000, interval: 20 })
}

it('runs the presence sweep every minute', () => {
  const sweeps = parseCrontab(crontab).find(({ task }) => task === 'presence:sweep')
  expect(sweeps?.match({ min: 59, hour: 23, date: 31, month: 12, dow: 6 })).toBe(true)
})

describe('presence', () => {
  it('shows a user as online while a socket is connected, and publishes changes to the company', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    const stranger = await (await harness.createCompany()).admin.listen()
    const socketClient = await company.admin.listen()
    const name = `company-${company.id}-user`
    expect(await onlineOf(company.admin, agent.id)).toBe(false)
    const [first, second] = [await agent.listen(), await agent.listen()]
    expect(await onlineOf(company.admin, agent.id)).toBe(true)
    first.close()
    await socketClient.whenCaughtUp()
    expect(await onlineOf(company.admin, agent.id)).toBe(true)
    second.close()
    await vi.waitFor(async () => expect((await row(agent.id)).disconnectedAt).not.toBeNull())
    await runTimersAfter(seconds(30))
    expect(await onlineOf(company.admin, agent.id)).toBe(true)
    await runTimersAfter(minutes(1))
    expect(await onlineOf(company.admin, agent.id)).toBe(false)
    const news = () =>
      socketClient.received
        .filter((e) => e.name === name)
        .map((e) => e.payload.user as { id: number; online: boolean; company: object; queues: object[] })
    await vi.waitFor(() =>
      expect(
        news()
          .filter((u) => u.id === agent.id)
          .map((u) => u.online),
      ).toEqual([true, false]),
    )
    expect(news()[0]).toMatchObject({ company: { id: company.id }, queues: [] })
    await stranger.whenCaughtUp()
    expect(stranger.received.filter((e) => e.name === name)).toEqual([])
  })

  it('keeps a user online whose browser opens again within a minute', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    const watcher = await company.admin.listen()
    const browser = await agent.listen()
    browser.close()
    await vi.waitFor(async () => expect((await row(agent.id)).disconnectedAt).not.toBeNull())
    harness.clock.advance(minutes(1) - 2000)
    await agent.listen()
    expect(await row(agent.id)).toMatchObject({ online: true, disconnectedAt: null })
    await runTimersAfter(minutes(5))
    expect(await onlineOf(company.admin, agent.id)).toBe(true)
    await watcher.whenCaughtUp()
    const presence = watcher.received.map((e) => e.payload?.user as { id: number; online: boolean } | undefined)
    expect(presence.filter((user) => user?.id === agent.id).map((user) => user?.online)).toEqual([true])
  })

  it('shows a user as offline as soon as the session ends, without waiting for the browser to close', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    await agent.listen()
    await agent.request('DELETE', '/auth/logout')
    await vi.waitFor(async () => expect(await onlineOf(company.admin, agent.id)).toBe(false), { timeout: 5000 })
  })

  it('sets users of a dead process offline after three minutes, but no connected user', async () => {
    const company = await harness.createCompany()
    const here = await company.user()
    const socketClient = await here.listen()
    const left = await company.user()
    await harness
      .wide()
      .db.updateTable('users')
      .set({ online: true, lastSeenAt: harness.clock.now() })
      .where('id', '=', left.id)
      .execute()
    harness.clock.advance(minutes(2))
    await runPresenceSweep()
    expect((await row(left.id)).online).toBe(true)
    harness.clock.advance(minutes(2))
    await runPresenceSweep()
    expect([(await row(left.id)).online, (await row(here.id)).online]).toEqual([false, true])
    expect(await seenAgo(here.id)).toBeLessThan(minutes(1))
    await vi.waitFor(() =>
      expect(socketClient.received.map((e) => e.payload?.user)).toContainEqual(
        expect.objectContaining({ id: left.id, online: false }),
      ),
    )
  })

  it('is refreshed by the event userStatus, which also sets a user online again', async () => {
    const company = await harness.createCompany()
    const socketClient = await company.admin.listen()
    harness.clock.advance(minutes(5))
    expect(await seenAgo(company.admin.id)).toBeGreaterThan(minutes(4))
    await socketClient.whenCaughtUp() // `whenCaughtUp` sends the event userStatus.
    expect(await seenAgo(company.admin.id)).toBeLessThan(minutes(1))
    const wrongly = () =>
      harness.wide().db.updateTable('users').set({ online: false }).where('id', '=', company.admin.id).execute()
    await wrongly()
    await socketClient.whenCaughtUp()
    expect((await row(company.admin.id)).online).toBe(true)
    await wrongly()
    await runPresenceSweep()
    expect((await row(company.admin.id)).online).toBe(true)
  })

  it('closes, within a minute, sockets whose session expired or whose company stopped paying', async () => {
    const [unpaid, paid, old] = [
      await harness.createCompany(),
      await harness.createCompany(),
      await harness.createCompany(),
    ]
    const socketClients = [await unpaid.admin.listen(), await paid.admin.listen(), await old.admin.listen()]
    const { db } = harness.wide()
    await db.updateTable('companies').set({ dueDate: '2020-01-01' }).where('id', '=', unpaid.id).execute()
    await db
      .updateTable('sessions')
      .set({ expiresAt: new Date(harness.clock.now().getTime() - days(1)) })
      .where('userId', '=', old.admin.id)
      .execute()
    await runPresenceSweep()
    await vi.waitFor(() => expect(socketClients.map((e) => e.socket.connected)).toEqual([false, true, false]), {
      timeout: 5000,
    })
  })
})

describe('inactivity', () => {
  const availabilityOf = async (who: TestUser) => {
    const { availability, availabilityCause } = await who.call(usersApi.show, { params: { id: who.id } })
    return [availability, availabilityCause]
  }
  const allowInactivity = (admin: TestUser, value: string) =>
    admin.request('PUT', '/settings/awayAfterMinutes', { value })

  it('sets an available user to away after the minutes of the company, never if it has set none', async () => {
    const [company, other] = [await harness.createCompany(), await harness.createCompany()]
    const [agent, stranger] = [await company.user(), await other.user()]
    await Promise.all([agent.listen(), stranger.listen()])
    await runTimersAfter(minutes(6))
    expect(await availabilityOf(agent)).toEqual(['available', 'person'])
    await allowInactivity(company.admin, '5')
    expect((await agent.request('PUT', `/users/${agent.id}/availability`, { availability: 'available' })).status).toBe(
      200,
    )
    await vi.waitFor(async () => expect(await activityAgo(agent.id)).toBeLessThan(minutes(1)))
    await runTimersAfter(minutes(4))
    expect(await availabilityOf(agent)).toEqual(['available', 'person'])
    await runTimersAfter(minutes(1))
    expect(await availabilityOf(agent)).toEqual(['away', 'inactivity'])
    expect(await availabilityOf(stranger)).toEqual(['available', 'person'])
    await agent.request('PUT', `/users/${agent.id}/availability`, { availability: 'available' })
    expect(await availabilityOf(agent)).toEqual(['available', 'person'])
  })

  it('counts what the browser reports, but neither the heartbeat nor reading', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    const browser = await agent.listen()
    await allowInactivity(company.admin, '5')
    harness.clock.advance(minutes(3))
    await browser.socket.emitWithAck('userActive')
    await runTimersAfter(minutes(3))
    expect(await availabilityOf(agent)).toEqual(['available', 'person'])
    // `whenCaughtUp` sends the event userStatus, as open pages do every five minutes.
    await browser.whenCaughtUp()
    await agent.request('GET', '/tickets')
    await runTimersAfter(minutes(3))
    expect(await availabilityOf(agent)).toEqual(['away', 'inactivity'])
  })
})
