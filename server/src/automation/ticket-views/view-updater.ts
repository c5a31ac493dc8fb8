import { randomUUID } from 'node:crypto'
import { updateViewMembers } from '../../desk/ticket-views/members.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { makePollLoop } from '../../kernel/poll-loop.ts'
import { runWithTrace } from '../../kernel/trace.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** A saved view, or a ticket of a company with saved views, has changed; also sent by the database. */
    ticketViews: []
  }
}

/** Conditions that depend on time are looked at this often. */
const pollMs = 1000
/** Changes are collected for so long: counts are published at most four times a second. */
const restMs = 250
const maxCompaniesPerLook = 200

/** Keeps the tickets of saved views up to date. After a crash the rows that announce changes are still there. */
export function makeViewUpdater(deps: Deps, log: Log, isEnabled: boolean) {
  async function listCompanies(): Promise<number[]> {
    const { rows } = await deps.database.platformPool.query<{ companyId: number }>({
      name: 'ticket_view_work',
      text: `select "companyId" from "ticketViewChanges" where "lookAt" <= now() group by 1
        union select "companyId" from "ticketViews" where "fillBefore" is not null or "deletedAt" is not null
        union select "companyId" from "ticketViewMembers" where "recheckAt" <= $1
        limit $2`,
      values: [deps.clock.now(), maxCompaniesPerLook],
    })
    return rows.map(({ companyId }) => companyId)
  }
  async function updateCompany(companyId: number): Promise<boolean> {
    try {
      return await runWithTrace(`v${randomUUID().slice(0, 13)}`, () =>
        new Scope(deps, { companyId }).transaction((tx) => updateViewMembers(tx)),
      )
    } catch (err) {
      // What it did was rolled back, and the other companies continue.
      log.error({ err, companyId }, 'could not update saved views; it is tried again')
      return false
    }
  }
  async function look(): Promise<boolean> {
    let hasMore = false
    for (const companyId of await listCompanies()) if (await updateCompany(companyId)) hasMore = true
    return hasMore
  }
  return makePollLoop(look, { isEnabled, pollMs, restMs, log })
}
