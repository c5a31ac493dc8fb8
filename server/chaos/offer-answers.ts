import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '@recado/contract/endpoint'
import type { offersApi } from '@recado/contract/routing/offers'
import type pg from 'pg'
import type { AgentClient } from './agent-client.ts'
import type { ConfirmedAcceptance } from './routing-history.ts'

const lookEveryMs = 400

type OfferAnswer = 'accept' | 'pass' | 'ignore'
/**
 * How the first and the second person of a queue answer their first offer of a ticket, by the ticket's id. Of 16 tickets
 * both pass one: it is offered again after the pause.
 */
const answersByPlace: ((ticketId: number) => OfferAnswer)[] = [
  (id) => (['accept', 'pass', 'accept', 'ignore'] as const)[id % 4] as OfferAnswer,
  (id) => (id % 16 === 1 ? 'ignore' : id % 16 === 2 ? 'pass' : 'accept'),
]

/** A person who accepts, declines or ignores what is offered, and comes back from the break after two missed offers. */
export function answerOffers(db: pg.Pool, client: AgentClient, place: number) {
  const confirmed: ConfirmedAcceptance[] = []
  const problems: string[] = []
  /** Open offers that the person ignores, and tickets that they have passed once: the next time they accept. */
  const ignoredIds = new Set<number>()
  const passedIds = new Set<number>()
  let isOpen = true
  let acceptsAll = false

  async function answer(ticketId: number, userId: number): Promise<void> {
    const how = acceptsAll || passedIds.has(ticketId) ? 'accept' : (answersByPlace[place]?.(ticketId) ?? 'accept')
    if (how === 'ignore') return void ignoredIds.add(ticketId)
    const outcome = await client.callOnce('POST', `/routing/offers/${ticketId}/${how}`)
    if (outcome.result === 'refused' && outcome.code !== 'ERR_OFFER_OVER')
      problems.push(`${how} of ticket ${ticketId} was refused: ${outcome.code}`)
    if (outcome.result !== 'done') return
    if (how === 'pass') passedIds.add(ticketId)
    else confirmed.push({ ticketId, userId })
  }
  async function look(): Promise<void> {
    const { user } = await client.login()
    const listed = await client.callOnce<Reply<typeof offersApi.list>>('GET', '/routing/offers')
    if (listed.result !== 'done') return
    const ids = listed.body.offers.map(({ ticket }) => ticket.id)
    for (const id of ignoredIds.difference(new Set(ids))) {
      ignoredIds.delete(id)
      passedIds.add(id)
    }
    for (const id of ids) await answer(id, user.id)
    if (await isOnBreak(db, user.id))
      await client.callOnce('PUT', `/users/${user.id}/availability`, { availability: 'available' })
  }
  const working = (async () => {
    for (; isOpen; await pause(lookEveryMs)) await look().catch((error) => void problems.push(String(error)))
  })()
  return {
    /** From now on the person accepts everything. */
    acceptEverything(): void {
      acceptsAll = true
    },
    listConfirmed: () => confirmed,
    listProblems: () => problems,
    async close(): Promise<void> {
      isOpen = false
      await working
    },
  }
}
/** False also while the database is down. */
const isOnBreak = (db: pg.Pool, userId: number): Promise<boolean> =>
  db.query(`select from users where id = $1 and availability = 'break'`, [userId]).then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  )
