import type { Ticket } from '@recado/contract/tickets'
import { endRating } from '../../desk/rating.ts'
import { mayHear, say } from '../../desk/say.ts'
import { putIntoQueue, resolve } from '../../desk/tickets/lifecycle.ts'
import { holdTicket, presentTicket } from '../../desk/tickets/view.ts'
import { findLine } from '../../directory/connections/connections.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { type Due, findDue, isDue } from './due.ts'

/** How often we look, and so how far ahead: what comes due until the next look gets an alarm of its own. */
const lookMs = 5000
const most = 200

/** What happens by the clock alone. Every process looks; who holds the ticket first does it, the next finds it done. */
export function makeTimers(means: Means, log: Log) {
  let closed = false
  let working: Promise<void> | null = null
  let again = false
  let alarm: NodeJS.Timeout | undefined

  async function round(): Promise<void> {
    const ahead = new Date(means.clock.now().getTime() + lookMs)
    const found = await findDue(means, ahead, most)
    const now = means.clock.now().getTime()
    const due = found.filter((d) => Date.parse(d.at) <= now)
    let failed = 0
    for (const one of due) {
      if (closed) return
      await ring(means, one).catch((err) => {
        failed++
        log.error({ err, ...one }, 'a timer could not be done; it is tried again')
      })
    }
    // As long as there is more and it goes well.
    if (due.length === most && failed < most / 2) again = true
    const next = found.find((d) => Date.parse(d.at) > now)
    clearTimeout(alarm)
    if (next && !closed) alarm = setTimeout(() => void look(), Date.parse(next.at) - now + 1).unref()
  }

  async function work(): Promise<void> {
    do {
      again = false
      await round().catch((err) => log.warn({ err }, 'the timers cannot be looked at'))
    } while (again && !closed)
    working = null
  }

  /** Does what is due. Who asks in the middle of it is answered by one more round. */
  async function look(): Promise<void> {
    again = true
    working ??= work()
    await working
  }
  const looks = setInterval(() => void look(), lookMs)
  looks.unref()

  return {
    look,
    async close(): Promise<void> {
      closed = true
      clearInterval(looks)
      clearTimeout(alarm)
      await working
    },
  }
}
export type Timers = ReturnType<typeof makeTimers>

const deeds: Record<Exclude<Due['timer'], 'rating'>, (scope: Scope, ticket: Ticket) => Promise<void>> = {
  /** We spoke last, and nobody answered: the conversation is over. */
  async expires(scope, ticket) {
    const line = await findLine(scope, ticket.whatsappId as number)
    const over = await resolve(scope, ticket, 'no-answer-for-long')
    if (await mayHear(scope, over)) await say(scope, over, 'expiry', line.expiresInactiveMessage)
  },
  /** It waits without a queue, where few people see it. */
  async waits(scope, ticket) {
    const line = await findLine(scope, ticket.whatsappId as number)
    await putIntoQueue(scope, ticket, line.transferQueueId as number, 'waited-too-long')
  },
}

async function ring(means: Means, due: Due): Promise<void> {
  const { timer, companyId, ticketId } = due
  await new Scope(means, { companyId }).transaction(async (scope) => {
    await holdTicket(scope, ticketId)
    if (timer === 'rating') return void (await endRating(scope, ticketId))
    if (!(await isDue(scope.db, due, scope.now()))) return
    await deeds[timer](scope, await presentTicket(scope, ticketId))
  })
}
