import { boardApi } from '@recado/contract/board/board'
import { tagsApi } from '@recado/contract/tags'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'

let desk: Desk
let owner: pg.Pool
beforeAll(async () => {
  const h = await testServer()
  desk = await openDesk(h)
  owner = openOwnerPool(h)
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

const statuses = ['open', 'pending', 'closed'] as const
const change = fc.record({
  ticket: fc.nat({ max: 5 }),
  status: fc.constantFrom(...statuses),
  user: fc.nat({ max: 2 }),
  queue: fc.nat({ max: 2 }),
  lane: fc.nat({ max: 2 }),
  unread: fc.nat({ max: 2 }),
  isSnoozed: fc.boolean(),
  /** Whether all tally rows are summed after the step, and how the transaction ends. */
  addUp: fc.boolean(),
  ends: fc.constantFrom('commit', 'commit', 'commit', 'rollback'),
})

it('keeps the tallies equal to a real count at every moment, whatever happens to tickets', async () => {
  const { admin, company } = desk
  const [sales, support] = [await desk.createQueue('Ventas'), await desk.createQueue('Soporte')]
  const lane = (name: string) => admin.call(tagsApi.create, { body: { name, color: '#123456', kanban: 1 } })
  const lanes = [await lane('Uno'), await lane('Dos')]
  const agent = await desk.createUser('user', [sales])
  const people = [null, admin.id, agent.id]
  const queues = [null, sales.id, support.id]
  const tickets: number[] = []
  while (tickets.length < 6) tickets.push((await desk.newTicket()).id)

  const query = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows
  const counted = async (where: string): Promise<number> => {
    const [row] = await query(`select count(*)::int as n from tickets t where "companyId" = $1 and ${where}`, [
      company.id,
    ])
    return row.n
  }
  const holds = async () => {
    const theirs = `("userId" = ${agent.id} or ("queueId" = ${sales.id} and status <> 'open'))`
    const awake = `"snoozedAt" is null`
    const rings = (id: number) =>
      `"unreadMessages" > 0 and ${awake} and (status = 'pending' or (status = 'open' and "userId" = ${id}))`
    expect((await admin.request('GET', '/tickets/counts?showAll=true')).body).toEqual({
      open: await counted(`status = 'open' and ${awake}`),
      pending: await counted(`status = 'pending' and ${awake}`),
      unread: await counted(rings(admin.id)),
      snoozed: await counted(`status <> 'closed' and "snoozedAt" is not null`),
    })
    expect((await admin.request('GET', `/tickets/counts?showAll=true&queueIds=[${sales.id}]`)).body).toMatchObject({
      open: await counted(`status = 'open' and ${awake} and ("queueId" is null or "queueId" = ${sales.id})`),
    })
    expect((await agent.request('GET', '/tickets/counts')).body).toEqual({
      open: await counted(`status = 'open' and ${awake} and "userId" = ${agent.id}`),
      pending: await counted(`status = 'pending' and ${awake} and ${theirs}`),
      unread: await counted(`${rings(agent.id)} and ${theirs}`),
      snoozed: await counted(`status <> 'closed' and "snoozedAt" is not null and ${theirs}`),
    })
    const { columns } = await admin.call(boardApi.show, { query: {} })
    for (const { laneId, count, cards } of columns) {
      const inLane = await counted(
        `status <> 'closed' and ${laneId === null ? '"laneId" is null' : `"laneId" = ${laneId}`}`,
      )
      expect({ count, cards: cards.length }).toEqual({ count: inLane, cards: inLane })
    }
  }
  await holds()
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      for (const c of changes) {
        const client = await owner.connect()
        await client.query('begin')
        await client.query(
          `update tickets set status = $3, "userId" = $4, "queueId" = $5, "laneId" = $6, "unreadMessages" = $7,
             "snoozedAt" = case when $8::boolean then now() end
           where "companyId" = $1 and id = $2`,
          [
            ...[company.id, tickets[c.ticket], c.status],
            ...[people[c.user], queues[c.queue], c.lane ? lanes[c.lane - 1]?.id : null, c.unread, c.isSnoozed],
          ],
        )
        await client.query(c.ends)
        client.release()
        if (c.addUp) await query(`select add_up_ticket_tallies($1)`, [company.id])
      }
      await holds()
    }),
    { numRuns: 15 },
  )
  await query('delete from tickets where "companyId" = $1 and id = $2', [company.id, tickets[0]])
  await holds()
  // A deleted user's tickets become unassigned.
  await query(`update tickets set status = 'open', "userId" = $2 where "companyId" = $1`, [company.id, agent.id])
  await query('update tickets set "userId" = null where "companyId" = $1 and "userId" = $2', [company.id, agent.id])
  await holds()
  await query(`select add_up_ticket_tallies($1)`, [company.id])
  const [{ n }] = await query(`select sum(n)::int as n from "ticketTallies" where "companyId" = $1`, [company.id])
  expect(n).toBe(await counted(`status <> 'closed'`))
})
