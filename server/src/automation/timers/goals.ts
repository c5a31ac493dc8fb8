import { dueGoals, ringGoals } from '../../desk/tickets/goals.ts'
import { holdTicket, presentTicket } from '../../desk/tickets/view.ts'
import { timer } from './timer.ts'

/** What a queue promised is about to be late, or is: who has it is warned, and then it is written down. */
export const goals = timer({
  look: `
    select g."companyId", g."ticketId" as id, min(g."nextAt") as at from "ticketGoals" g
    where g."nextAt" <= $1 and g."ticketId" <> all($3::int[])
    group by g."companyId", g."ticketId" order by 3 limit $2`,
  async hold(scope, ticketId) {
    await holdTicket(scope, ticketId)
    const due = await dueGoals(scope, ticketId)
    return due.length ? { ticketId, due } : null
  },
  act: async (scope, { ticketId, due }) => ringGoals(scope, await presentTicket(scope, ticketId), due),
})
