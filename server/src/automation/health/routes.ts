import { healthApi, type RetryKind } from '@recado/contract/health/health'
import { sql } from 'kysely'
import type { Backups } from '../../accounts/platform/backups.ts'
import { reconnect } from '../../directory/connections/routes.ts'
import { tellAgain } from '../../directory/webhooks/log.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Route, route } from '../../kernel/http/http.ts'
import { takeUpAgain } from '../inbox/set-aside.ts'
import { failuresOf } from './failures.ts'
import { holdersOf, linesOf } from './lines.ts'
import type { Processes } from './processes.ts'
import type { Waiting } from './waiting.ts'

/** In the name of the company whose it is, which the super user need not know. */
async function inCompany(scope: Scope, table: 'whatsapps' | 'webhooks', id: number): Promise<Scope> {
  const row = await scope.db.selectFrom(table).select('companyId').where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return scope.of(row.companyId)
}

const again: Record<RetryKind, (scope: Scope, id: number) => Promise<unknown>> = {
  // One that is not there any more has been done meanwhile.
  job: (scope, id) => sql`select retry_job(${id})`.execute(scope.db),
  webhook: async (scope, id) => tellAgain(await inCompany(scope, 'webhooks', id), id),
  event: async (scope, id) => takeUpAgain(await inCompany(scope, 'whatsapps', id), id),
  line: async (scope, id) => reconnect(await inCompany(scope, 'whatsapps', id), id),
}

/** The super user's look inside. It is asked every few seconds while somebody has the page open, and by nobody else. */
export const healthRoutes = (
  processes: Processes,
  waiting: () => Promise<Waiting>,
  backups: Pick<Backups, 'state'>,
): Route[] => [
  route(healthApi.show, async (scope, { query: { searchParam } }) => {
    const [all, { waits, statuses }, { lines, more }, failures] = await Promise.all([
      holdersOf(scope).then(processes.all),
      waiting(),
      linesOf(scope, searchParam),
      backups.state().then((state) => failuresOf(scope, state)),
    ])
    return { at: scope.now().toISOString(), processes: all, waits, statuses, lines, more, failures }
  }),
  route(healthApi.again, async (scope, { body: { kind, id } }) => {
    await again[kind](scope, id)
    return { message: 'ok' }
  }),
]
