import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type AgentClient, expectDone } from './agent-client.ts'
import type { AgentScreen } from './agent-screen.ts'
import type { FakeVendor } from './fake-vendor.ts'
import { watchRouting } from './routing-watch.ts'

/** People who get their tickets only from the server, and how many each has at once. */
export const routedPeople = 2
const capacity = 2
const customerEveryMs = 900
const resolveEveryMs = 700
/** The place of the queue in the menu of the official line. */
const menuOption = '3'
const phoneNumberOf = (n: number) => `55117${70_000_000 + n}`

/** A queue that assigns its tickets to these users, who have not logged in yet. */
export async function createRoutedQueue(admin: AgentClient, db: pg.Pool, emails: string[]): Promise<number> {
  const body = { name: 'Reparto', color: '#300000', greetingMessage: '', routing: 'fewestOpen', capacity }
  const { id } = expectDone(await admin.callUntilAnswered<{ id: number }>('POST', '/queue', body))
  await db.query(
    `insert into "userQueues" ("companyId", "userId", "queueId")
     select "companyId", id, $2 from users where email = any($1::text[])`,
    [emails, id],
  )
  return id
}

type RoutedDesk = { db: pg.Pool; companyId: number; queueId: number; vendor: FakeVendor; screens: AgentScreen[] }

/**
 * New customers choose the routed queue, and its people resolve what they get. Until it is closed, nobody may be
 * overtaken, and nobody may have more tickets than places.
 */
export function openRoutedDesk({ db, companyId, queueId, vendor, screens }: RoutedDesk) {
  const watch = watchRouting(db, companyId, queueId, capacity)
  const problems: string[] = []
  let isBusy = true
  const repeat = async (everyMs: number, work: (n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; isBusy; n++) {
      await work(n).catch((error) => void problems.push(String(error)))
      await pause(everyMs)
    }
  }
  const writing = repeat(customerEveryMs, async (n) => {
    vendor.send(phoneNumberOf(n), { type: 'text', text: { body: `hola reparto ${n}` } })
    await pause(customerEveryMs / 2)
    vendor.send(phoneNumberOf(n), { type: 'text', text: { body: menuOption } })
  })
  const resolving = screens.map((screen) =>
    repeat(resolveEveryMs, async () => {
      const [ticket] = await screen.mine()
      if (ticket) await screen.client.callOnce('PUT', `/tickets/${ticket.id}`, { status: 'closed', justClose: true })
    }),
  )
  return {
    /** No more customers come, and nobody resolves a ticket any more. */
    async rest(): Promise<void> {
      isBusy = false
      await Promise.all([writing, ...resolving])
    },
    listFaults: (): string[] => [...watch.listFaults(), ...problems],
    close: () => watch.close(),
  }
}

/** Tickets that wait although somebody who is there has a free place. */
export async function countWaitingBesideFree(db: pg.Pool, queueId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from tickets t where t."queueId" = $1 and t."routableSince" is not null and exists (
       select from "userQueues" m join users u on u.id = m."userId" and u.online and u.availability = 'available'
       where m."queueId" = $1
         and (select count(*) from tickets h where h."userId" = u.id and h.status = 'open') < $2)`,
    [queueId, capacity],
  )
  return rows[0]?.n ?? 0
}
