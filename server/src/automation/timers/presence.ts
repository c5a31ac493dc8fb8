import { awayAtSql, setAwayIfInactive } from '../../accounts/activity.ts'
import { updateDueShift } from '../../accounts/agents/shifts.ts'
import { setOfflineIfGone } from '../../accounts/presence.ts'
import { makeTimer } from './timer.ts'

/** Runs when a user has had no open browser for a minute. */
export const offlineTimer = makeTimer({
  dueSql: `
    select u."companyId", u.id, u."disconnectedAt" + interval '1 minute' as at from users u
    where u."disconnectedAt" <= $1::timestamptz - interval '1 minute' and u.id <> all($3::int[])
    order by u."disconnectedAt" limit $2`,
  lockDue: async (_, userId) => userId,
  // `setOfflineIfGone` checks the time again.
  async perform(scope, userId) {
    await setOfflineIfGone(scope, userId)
  },
})

/** Runs when an available user has done nothing for as long as the company allows. */
export const inactivityTimer = makeTimer({
  dueSql: `
    select u."companyId", u.id, ${awayAtSql} as at from settings s
    join users u on u."companyId" = s."companyId" and u.online and u.availability = 'available'
    join "userActivity" a on a."companyId" = u."companyId" and a."userId" = u.id
    where s.key = 'awayAfterMinutes' and s.value <> '0' and ${awayAtSql} <= $1 and u.id <> all($3::int[])
    order by 3 limit $2`,
  lockDue: async (_, userId) => userId,
  // `setAwayIfInactive` checks the time again.
  perform: setAwayIfInactive,
})

/** Runs when a shift of a user begins or ends. */
export const shiftTimer = makeTimer({
  dueSql: `
    select u."companyId", u.id, u."shiftChangesAt" as at from users u
    where u."shiftChangesAt" <= $1 and u.id <> all($3::int[])
    order by u."shiftChangesAt" limit $2`,
  lockDue: async (_, userId) => userId,
  // `updateDueShift` checks the time again.
  perform: updateDueShift,
})
