import { profiles } from '@recado/contract/rules'
import { ticketStatuses } from '@recado/contract/ticket-statuses'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../../test/test-server.ts'
import {
  canSeeTicket,
  canSeeTicketSql,
  roomsOfTicket,
  roomsOfViewer,
  type TicketVisibility,
  type Viewer,
} from './visibility.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const id = fc.integer({ min: 1, max: 3 })
const ticket = fc.record({
  companyId: fc.constant(1),
  userId: fc.option(id),
  queueId: fc.option(id),
  status: fc.constantFrom(...ticketStatuses),
})
const viewer = fc.record({
  id,
  companyId: fc.constant(1),
  profile: fc.constantFrom(...profiles),
  queueIds: fc.uniqueArray(id, { maxLength: 3 }),
  allTicket: fc.boolean(),
})

/** Every room that a socket of this user is in. */
const roomsOfSocket = (v: Viewer) => [`company-${v.companyId}-${v.profile}`, `user-${v.id}`, ...roomsOfViewer(v)]

it('publishes ticket events to exactly the users who may see the ticket', () => {
  fc.assert(
    fc.property(ticket, viewer, (t: TicketVisibility, v: Viewer) => {
      const told = roomsOfTicket(t).some((room) => roomsOfSocket(v).includes(room))
      expect(told).toBe(canSeeTicket(v, t))
    }),
    { numRuns: 3000 },
  )
})

it('returns from the database exactly the tickets that the visibility rule allows', async () => {
  const { db } = harness.wide()
  await fc.assert(
    fc.asyncProperty(fc.array(ticket, { minLength: 1, maxLength: 30 }), viewer, async (all, v: Viewer) => {
      const rows = sql.join(
        all.map(
          (t, n) => sql`(${n}::int, ${t.companyId}::int, ${t.userId}::int, ${t.queueId}::int, ${t.status}::text)`,
        ),
      )
      const found = await sql<{
        n: number
      }>`select t.n from (values ${rows}) as t (n, "companyId", "userId", "queueId", status) where ${canSeeTicketSql(v)} order by n`.execute(
        db,
      )
      expect(found.rows.map((r) => r.n)).toEqual(all.flatMap((t, n) => (canSeeTicket(v, t) ? [n] : [])))
    }),
    { numRuns: 150 },
  )
})

it('shows an agent nothing of another company', () => {
  const v: Viewer = { id: 1, companyId: 2, profile: 'admin', queueIds: [1], allTicket: true }
  expect(canSeeTicket(v, { companyId: 1, userId: 1, queueId: 1, status: 'pending' })).toBe(false)
})
