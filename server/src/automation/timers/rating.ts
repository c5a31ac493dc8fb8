import { endRating } from '../../desk/rating.ts'
import { holdTicket } from '../../desk/tickets/view.ts'
import { timer } from './timer.ts'

/** Nobody rates it any more. */
export const rating = timer({
  look: `
    select r."companyId", r."ticketId" as id, r.until as at from "ratingRequests" r
    where r.until <= $1 and r."ticketId" <> all($3::int[]) order by r.until limit $2`,
  async hold(scope, ticketId) {
    await holdTicket(scope, ticketId)
    return ticketId
  },
  // It looks at the moment itself.
  async act(scope, ticketId) {
    await endRating(scope, ticketId)
  },
})
