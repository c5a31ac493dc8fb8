import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type AgentClient, expectDone } from './agent-client.ts'
import type { AgentScreen } from './agent-screen.ts'
import type { FakeVendor } from './fake-vendor.ts'
import { answerOffers } from './offer-answers.ts'
import { findHistoryFaults, type RoutedEvent } from './routing-history.ts'
import { watchRouting } from './routing-watch.ts'

/**
 * The queues that give their tickets to people: one at once, one as offers with so many seconds to accept. New customers
 * of the official line choose them from the menu, more of them than people resolve: some tickets always wait.
 */
const routedQueueKinds = [
  {
    ...{ name: 'Reparto', color: '#300000', offerSeconds: 0, menuOption: '3', firstPhone: 70_000_000 },
    ...{ customerEveryMs: 900, resolveEveryMs: 3000 },
  },
  {
    ...{ name: 'Ofertas', color: '#300001', offerSeconds: 10, menuOption: '4', firstPhone: 75_000_000 },
    ...{ customerEveryMs: 1000, resolveEveryMs: 5000 },
  },
]
type RoutedQueueKind = (typeof routedQueueKinds)[number]
/** People who get their tickets only from the server, and how many each has at once. */
const peoplePerQueue = 2
const capacity = 2
export const routedPeople = routedQueueKinds.length * peoplePerQueue
/** How often people resolve a ticket when no more customers come. */
const resolveAtRestEveryMs = 700
/** No new customer comes while so many are not served: on a slow machine the backlog would outlast the run. */
const maxUnserved = 12

export type RoutedQueue = { kind: RoutedQueueKind; id: number; people: AgentClient[] }
export type StaffedQueue = RoutedQueue & { screens: AgentScreen[] }

/** Queues that give their tickets to these users, who have not logged in yet. */
export async function createRoutedQueues(
  admin: AgentClient,
  db: pg.Pool,
  people: AgentClient[],
): Promise<RoutedQueue[]> {
  const queues: RoutedQueue[] = []
  for (const [n, kind] of routedQueueKinds.entries()) {
    const { name, color, offerSeconds } = kind
    const body = { name, color, greetingMessage: '', routing: 'fewestOpen', capacity, offerSeconds }
    const { id } = expectDone(await admin.callUntilAnswered<{ id: number }>('POST', '/queue', body))
    const members = people.slice(n * peoplePerQueue, (n + 1) * peoplePerQueue)
    await db.query(
      `insert into "userQueues" ("companyId", "userId", "queueId")
       select "companyId", id, $2 from users where email = any($1::text[])`,
      [members.map(({ email }) => email), id],
    )
    queues.push({ kind, id, people: members })
  }
  return queues
}

type RoutedDesk = { db: pg.Pool; companyId: number; queue: StaffedQueue; vendor: FakeVendor }

/**
 * New customers choose a routed queue, and its people accept what is offered and resolve what they get. Until it is
 * closed, nobody may be overtaken, and nobody may have more tickets than places.
 */
export function openRoutedDesk({ db, companyId, queue, vendor }: RoutedDesk) {
  const { kind, id: queueId, screens } = queue
  const watch = watchRouting(db, companyId, queueId, capacity)
  const problems: string[] = []
  let isOpening = true
  let isWorking = true
  const attempt = (work: Promise<void>) => work.catch((error) => void problems.push(String(error)))
  async function sendCustomers(): Promise<void> {
    for (let n = 0; isOpening; n++) {
      await attempt(writeAsNewCustomer(n))
      await pause(kind.customerEveryMs)
    }
  }
  async function resolveTickets(screen: AgentScreen): Promise<void> {
    while (isWorking) {
      await attempt(resolveOne(screen))
      await pause(isOpening ? kind.resolveEveryMs : resolveAtRestEveryMs)
    }
  }
  const writeAsNewCustomer = async (n: number) => {
    // Nobody comes while the database is down, either.
    if ((await countUnserved(db, queueId).catch(() => maxUnserved)) >= maxUnserved) return
    const phone = `55117${kind.firstPhone + n}`
    vendor.send(phone, { type: 'text', text: { body: `hola ${kind.name} ${n}` } })
    await pause(kind.customerEveryMs / 2)
    vendor.send(phone, { type: 'text', text: { body: kind.menuOption } })
  }
  const resolveOne = async ({ client, mine }: AgentScreen) => {
    const [ticket] = await mine()
    if (ticket) await client.callOnce('PUT', `/tickets/${ticket.id}`, { status: 'closed', justClose: true })
  }
  const writing = sendCustomers()
  const resolving = screens.map(resolveTickets)
  const answers = kind.offerSeconds ? screens.map(({ client }, place) => answerOffers(db, client, place)) : []
  async function stopPeople(): Promise<void> {
    isWorking = false
    await Promise.all([...resolving, ...answers.map((one) => one.close())])
  }
  return {
    /**
     * No more customers come. Where tickets are assigned, nobody resolves any more: nothing but the last request makes
     * the server look at who waits. Where they are offered, people go on until everybody is served.
     */
    async rest(): Promise<void> {
      isOpening = false
      await writing
      if (!kind.offerSeconds) return stopPeople()
      for (const one of answers) one.acceptEverything()
    },
    async listFaults(): Promise<string[]> {
      const { rows: events } = await db.query<RoutedEvent>(
        `select e."ticketId", e.kind, e."userId" from "ticketEvents" e
         join tickets t on t."companyId" = e."companyId" and t.id = e."ticketId"
         where e."companyId" = $1 and t."queueId" = $2 order by e.id`,
        [companyId, queueId],
      )
      const confirmed = answers.flatMap((one) => one.listConfirmed())
      const heard = answers.flatMap((one) => one.listProblems())
      return [...watch.listFaults(), ...problems, ...heard, ...findHistoryFaults(events, confirmed)]
    },
    async close(): Promise<void> {
      isOpening = false
      await Promise.all([watch.close(), writing, stopPeople()])
    },
  }
}

/** Describes the tickets that may not be left in a queue when the server is calm. */
export async function listLeftTickets(db: pg.Pool, { kind, id }: RoutedQueue): Promise<string[]> {
  const left = kind.offerSeconds ? await countUnserved(db, id) : await countWaitingBesideFree(db, id)
  const what = kind.offerSeconds ? 'not served' : 'beside a free agent'
  return left ? [`${left} tickets of ${kind.name} ${what}`] : []
}

/** Tickets that wait, are offered or are attended. */
async function countUnserved(db: pg.Pool, queueId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from tickets where "queueId" = $1 and (status = 'open' or "routableSince" is not null)`,
    [queueId],
  )
  return rows[0]?.n ?? 0
}

/** Tickets that wait although somebody who is there has a free place. */
async function countWaitingBesideFree(db: pg.Pool, queueId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from tickets t where t."queueId" = $1 and t."routableSince" is not null and exists (
       select from "userQueues" m join users u on u.id = m."userId" and u.online and u.availability = 'available'
       where m."queueId" = $1
         and (select count(*) from tickets h where h."userId" = u.id and h.status = 'open') < $2)`,
    [queueId, capacity],
  )
  return rows[0]?.n ?? 0
}
