import { helpsApi } from '@recado/contract/helps'
import { afterAll, expect, it } from 'vitest'
import { openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../../test/test-server.ts'
import type { Audience } from './live-updates.ts'
import { makeRoomActivity } from './room-activity.ts'

afterAll(closeTestServers)

it('remembers for a minute when an event was last published in a room', () => {
  let now = 5000
  const lately = makeRoomActivity(() => now)
  now += 200
  expect(lately.quietMs(['a', 'b'])).toBe(200)
  lately.recordActivity(['a'])
  now += 50_000
  lately.recordActivity(['b', 'c'])
  now += 9000
  expect(lately.quietMs(['a'])).toBe(59_000)
  expect(lately.quietMs(['a', 'b'])).toBe(9000)
  now += 20_000
  lately.recordActivity(['d'])
  now += 1000
  expect(lately.quietMs(['b'])).toBe(30_000)
  expect(lately.quietMs(['nowhere'])).toBe(60_000)
  now += 200_000
  expect(lately.quietMs(['a', 'b', 'c', 'd'])).toBe(60_000)
})

it('tells a new socket how long its rooms were quiet, regardless of other rooms', async () => {
  const h = await testServer()
  const d = await openDesk(h)
  const queue = await d.createQueue()
  const agent = await d.createUser('user', [queue])
  const { live } = h.server.deps
  const say = (companyId: number, to: Audience) =>
    live.publish(helpsApi.topic, companyId, { action: 'delete', id: 1 }, to)
  // The sockets stay connected, because a disconnect would itself be published.
  const quietFor = async (person: TestUser) => (await (await person.listen()).waitFor('ready')).quietMs as number
  for (const to of [
    { company: d.admin.companyId },
    { users: [agent.id] },
    { rooms: [`queue-${d.admin.companyId}-${queue.id}-user`] },
    { everyone: true as const },
  ]) {
    const before = performance.now()
    say(d.admin.companyId, to)
    expect(await quietFor(agent)).toBeLessThanOrEqual(performance.now() - before + 1)
  }
  const quietSince = performance.now()
  const other = await h.createCompany()
  const quiet = performance.now() - quietSince
  say(other.id, { company: other.id })
  say(d.admin.companyId, { admins: d.admin.companyId })
  say(d.admin.companyId, { users: [other.admin.id] })
  expect(await quietFor(agent)).toBeGreaterThanOrEqual(Math.floor(quiet))
})
