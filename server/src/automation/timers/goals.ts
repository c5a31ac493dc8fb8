import { findDueGoals, handleDueGoals } from '../../desk/tickets/base/goals.ts'
import { lockTicket, presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeTimer } from './timer.ts'

/** Runs when a queue's goal is about to be missed, to warn the agent, and when it was missed, to record it. */
export const goalTimer = makeTimer({
  dueSql: `
    select g."companyId", g."ticketId" as id, min(g."nextAt") as at from "ticketGoals" g
    where g."nextAt" <= $1 and g."ticketId" <> all($3::int[])
    group by g."companyId", g."ticketId" order by 3 limit $2`,
  async lockDue(scope, ticketId) {
    await lockTicket(scope, ticketId)
    const due = await findDueGoals(scope, ticketId)
    return due.length ? { ticketId, due } : null
  },
  perform: async (scope, { ticketId, due }) => handleDueGoals(scope, await presentTicket(scope, ticketId), due),
})
