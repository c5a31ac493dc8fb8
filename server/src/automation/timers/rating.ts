import { expireRatingRequest } from '../../desk/rating.ts'
import { lockTicket } from '../../desk/tickets/view.ts'
import { makeTimer } from './timer.ts'

/** Nobody rates it any more. */
export const ratingExpiryTimer = makeTimer({
  look: `
    select r."companyId", r."ticketId" as id, r.until as at from "ratingRequests" r
    where r.until <= $1 and r."ticketId" <> all($3::int[]) order by r.until limit $2`,
  async hold(scope, ticketId) {
    await lockTicket(scope, ticketId)
    return ticketId
  },
  // It looks at the moment itself.
  async act(scope, ticketId) {
    await expireRatingRequest(scope, ticketId)
  },
})
