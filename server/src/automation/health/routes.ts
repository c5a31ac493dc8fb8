import { healthApi, type RetryKind } from '@recado/contract/health/health'
import { sql } from 'kysely'
import { isPaymentMissing } from '../../accounts/money/money-settings.ts'
import type { Backups } from '../../accounts/platform/backups.ts'
import { reconnectLine } from '../../directory/connections/routes.ts'
import { redeliverGivenUpEvents } from '../../directory/webhooks/delivery-log.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import { retrySetAsideEvents } from '../inbox/set-aside.ts'
import type { Backlog } from './backlog.ts'
import { listFailures } from './failures.ts'
import { countLinesPerProcess, listLineHealth } from './lines.ts'
import type { ProcessMonitor } from './processes.ts'

/** The scope of the company that owns the row; the super user does not have to name the company. */
async function scopeOfOwner(scope: Scope, table: 'whatsapps' | 'webhooks', id: number): Promise<Scope> {
  const row = await scope.db.selectFrom(table).select('companyId').where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return scope.forCompany(row.companyId)
}

const retryByKind: Record<RetryKind, (scope: Scope, id: number) => Promise<unknown>> = {
  // A job that no longer exists has already been done.
  job: (scope, id) => sql`select retry_job(${id})`.execute(scope.db),
  webhook: async (scope, id) => redeliverGivenUpEvents(await scopeOfOwner(scope, 'webhooks', id), id),
  event: async (scope, id) => retrySetAsideEvents(await scopeOfOwner(scope, 'whatsapps', id), id),
  line: async (scope, id) => reconnectLine(await scopeOfOwner(scope, 'whatsapps', id), id),
}

/** Health routes for the super user. Polled every few seconds while the page is open. */
export const healthRoutes = (
  processes: ProcessMonitor,
  waiting: () => Promise<Backlog>,
  backups: Pick<Backups, 'state'>,
): Route[] => [
  route(healthApi.show, async (scope, { query: { searchParam } }) => {
    const [all, { waits, statuses }, { lines, more }, failures, cannotBePaid] = await Promise.all([
      countLinesPerProcess(scope).then(processes.listAll),
      waiting(),
      listLineHealth(scope, searchParam),
      backups.state().then((state) => listFailures(scope, state)),
      isPaymentMissing(scope),
    ])
    return { at: scope.now().toISOString(), processes: all, waits, statuses, lines, more, failures, cannotBePaid }
  }),
  route(healthApi.again, async (scope, { body: { kind, id } }) => {
    await retryByKind[kind](scope, id)
    return { message: 'ok' }
  }),
]
