import { expireRatingRequest } from '../../desk/rating.ts'
import { lockTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeTimer } from './timer.ts'

/** Runs when the time to answer a rating request is over. */
export const ratingExpiryTimer = makeTimer({
  dueSql: `
    select r."companyId", r."ticketId" as id, r.until as at from "ratingRequests" r
    where r.until <= $1 and r."ticketId" <> all($3::int[]) order by r.until limit $2`,
  async lockDue(scope, ticketId) {
    await lockTicket(scope, ticketId)
    return ticketId
  },
  // `expireRatingRequest` checks the time again.
  async perform(scope, ticketId) {
    await expireRatingRequest(scope, ticketId)
  },
})
