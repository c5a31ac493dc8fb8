import { countMissedOffer } from '../../accounts/missed-offers.ts'
import { loadCompanyContext } from '../../desk/company-context.ts'
import { deskTexts } from '../../desk/texts.ts'
import { lockTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep, recordTicketEvent } from '../../desk/tickets/base/tracking.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import { passOffer, restartOffer } from '../routing/offers.ts'
import { routeNextTicket } from '../routing/route-queue.ts'
import { makeTimer } from './timer.ts'

/** Runs when an agent has let an offer run out, and when a ticket that all have passed is offered again. */
export const offerTimer = makeTimer({
  dueSql: `
    select o."companyId", o."ticketId" as id, o."dueAt" as at from "ticketOffers" o
    where o."dueAt" <= $1 and o."ticketId" <> all($3::int[])
    order by o."dueAt" limit $2`,
  async lockDue(scope, ticketId) {
    // The lock of the company comes first, as when tickets are assigned.
    await lockInCompany(scope, 'routing')
    await lockTicket(scope, ticketId)
    const row = await scope.db
      .selectFrom('ticketOffers')
      .select(['ticketId', 'userId'])
      .where('companyId', '=', scope.companyId)
      .where('ticketId', '=', ticketId)
      .where('dueAt', '<=', scope.now().toISOString())
      .executeTakeFirst()
    return row ?? null
  },
  async perform(scope, { ticketId, userId }) {
    if (userId === null) return restartOffer(scope, ticketId)
    const missed = await passOffer(scope, ticketId, 'missed')
    if (!missed) return
    await recordTicketEvent(scope, ticketId, 'offer', makeStep('offer-missed', 'time-came', { user: missed.name }))
    const { language } = await loadCompanyContext(scope)
    await countMissedOffer(scope, missed.userId, deskTexts[language].noAnswer)
    // In the same transaction, so that the agent's screen can say at once who has it now.
    await routeNextTicket(scope, missed.queueId, ticketId)
  },
})
