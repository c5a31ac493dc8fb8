import { endDueSnooze, lockDueSnooze } from '../../desk/tickets/snooze.ts'
import { makeTimer } from './timer.ts'

/** Runs when a snoozed ticket comes back at its time. */
export const snoozeTimer = makeTimer({
  dueSql: `
    select t."companyId", t.id, t."snoozedUntil" as at from tickets t
    where t."snoozedUntil" <= $1 and t.id <> all($3::int[])
    order by t."snoozedUntil" limit $2`,
  lockDue: lockDueSnooze,
  perform: endDueSnooze,
})
