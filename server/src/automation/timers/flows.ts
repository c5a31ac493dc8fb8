import { announceDueFlows, lockFlowTimer } from '../flows/flow-timers.ts'
import { makeTimer } from './timer.ts'

/** Runs when time alone may start a flow: somebody waited too long, or it is the time of a daily one. */
export const flowTimer = makeTimer({
  dueSql: `
    select x."companyId", x.id, x."nextAt" as at from "flowTimers" x
    where x."nextAt" <= $1 and x.id <> all($3::int[])
    order by x."nextAt" limit $2`,
  lockDue: lockFlowTimer,
  perform: announceDueFlows,
})
