import { type Connection, connectionsApi } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import type { Updateable } from 'kysely'
import { lineTokenHmac } from '../../accounts/api-access/api-keys.ts'
import { diffAuditFields, writeAudit, writeAuditChanges } from '../../accounts/api-access/audit.ts'
import { type Clock, hours } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { type AttemptLimiter, makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import { listHealthEvents } from '../../lines/cloud/health.ts'
import { findLine, listLineQueues, lockLine, selectOwnLines } from './find-line.ts'
import { requestPastMessages, stopPastRequest } from './line-history.ts'
import { presentPaceDays } from './pacing.ts'
import {
  type ConnectionRow,
  connectionVisibilityFor,
  presentConnections,
  publishConnection,
  publishLineSession,
} from './view.ts'
import {
  createConnection,
  removeConnection,
  restartValues,
  saveConnection,
  unlinkPhone,
  updateConnection,
} from './write-connection.ts'

/** Sets the wanted state of a line; the supervisor applies it. Queues and settings are never changed here. */
async function setWanted(
  scope: Scope,
  row: ConnectionRow,
  values: Updateable<DB['whatsapps']>,
): Promise<{ message: string }> {
  await publishLineSession(scope, await saveConnection(scope, row.id, values), row.status)
  await scope.signal('lines')
  return { message: 'ok' }
}
const restartWanted = (row: ConnectionRow) => restartValues({ ...row, wanted: true })

/** Reconnects with the line's existing credentials. A connected line stays connected. */
export async function reconnectLine(scope: Scope, whatsappId: number): Promise<{ message: string }> {
  const row = await lockLine(scope, whatsappId)
  if (row.wanted && row.status === 'CONNECTED') return { message: 'ok' }
  return setWanted(scope, row, { ...restartWanted(row), wanted: true })
}

/** The fields that are audited. `account`: if the account at Meta changes, the line must be connected again. */
async function auditSnapshot(scope: Scope, row: ConnectionRow) {
  const { name, provider, isDefault, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage } = row
  const { expiresTicket, expiresInactiveMessage, timeToTransfer, transferQueueId, timeUseBotQueues } = row
  const { maxUseBotQueues, promptId, integrationId, paceMode, pacePerMinute, paceDailyCap, tokenHash, wantedRound } =
    row
  return {
    ...{ name, provider, isDefault, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage },
    ...{ expiresTicket, expiresInactiveMessage, timeToTransfer, transferQueueId, timeUseBotQueues },
    ...{ maxUseBotQueues, promptId, integrationId, paceMode, pacePerMinute, paceDailyCap },
    ...{ queues: (await listLineQueues(scope, row.id)).map((queue) => queue.name), token: tokenHash },
    account: wantedRound,
  }
}

/** Unlinks a phone. Requesting another code is not audited if no phone was linked. */
async function unlinkLine(scope: Scope, row: ConnectionRow): Promise<void> {
  await unlinkPhone(scope, row)
  if (row.number) await writeAudit(scope, 'line.unlinked', row.id, row.name)
}

/**
 * Tokens are unique on the server, so a token that is refused as taken belongs to another line and gives access to it.
 * Limits guesses here as for the tokens themselves (api-keys.ts).
 */
function checkTokenLimit(
  chosen: AttemptLimiter,
  { companyId, deps }: Scope,
  token: string,
  before: string | null,
): void {
  if (!token || lineTokenHmac(deps, token) === before) return
  chosen.check(String(companyId))
  chosen.count(String(companyId))
}

const presentOne = async (scope: Scope, row: ConnectionRow): Promise<Connection> =>
  (await presentConnections(scope, [row], connectionVisibilityFor(scope.actor)))[0] as Connection

export const connectionRoutes = (
  clock: Clock,
  chosen: AttemptLimiter = makeAttemptLimiter(clock, { maxAttempts: 20, windowMs: hours(1) }),
): Route[] => [
  route(connectionsApi.list, async (scope) =>
    presentConnections(
      scope,
      await selectOwnLines(scope).orderBy('id').execute(),
      connectionVisibilityFor(scope.actor),
    ),
  ),
  route(connectionsApi.show, async (scope, { params }) => presentOne(scope, await findLine(scope, params.id))),
  route(connectionsApi.create, async (scope, { body }) => {
    checkTokenLimit(chosen, scope, body.token, null)
    const row = await createConnection(scope, body)
    await writeAudit(scope, 'line.created', row.id, row.name)
    return presentOne(scope, row)
  }),
  route(connectionsApi.update, async (scope, { params, body }) => {
    const before = await auditSnapshot(scope, await findLine(scope, params.id))
    checkTokenLimit(chosen, scope, body.token, before.token)
    const row = await updateConnection(scope, params.id, body)
    // Ids and secrets say nothing to a reader of the audit.
    const silent = ['token', 'account', 'transferQueueId', 'promptId', 'integrationId'] as const
    const changes = diffAuditFields(before, await auditSnapshot(scope, row), [...silent])
    await writeAuditChanges(scope, 'line.changed', row.id, row.name, changes)
    return presentOne(scope, row)
  }),
  route(connectionsApi.remove, async (scope, { params }) => {
    const { name } = await findLine(scope, params.id)
    await removeConnection(scope, params.id)
    await writeAudit(scope, 'line.deleted', params.id, name)
    return { message: 'deleted' }
  }),
  route(connectionsApi.health, async (scope, { params }) => {
    const { id } = await findLine(scope, params.id)
    return { events: await listHealthEvents(scope, id) }
  }),
  route(connectionsApi.pace, async (scope, { params }) => presentPaceDays(scope, await findLine(scope, params.id))),
  route(connectionsApi.restart, (scope, { params }) => reconnectLine(scope, params.whatsappId)),
  route(connectionsApi.renew, async (scope, { params }) => {
    const row = await lockLine(scope, params.whatsappId)
    await unlinkLine(scope, row)
    return setWanted(scope, row, { ...restartWanted(row), wanted: true, number: '' })
  }),
  route(connectionsApi.code, async (scope, { params, body }) => {
    const row = await lockLine(scope, params.whatsappId)
    if (!lineTraits[row.provider].typedCode || row.status === 'CONNECTED') throw new AppError('ERR_WAPP_NO_CODE')
    return setWanted(scope, row, { ...restartWanted(row), wanted: true, pairingNumber: body.number })
  }),
  route(connectionsApi.askPast, async (scope, { params }) => {
    const row = await lockLine(scope, params.whatsappId)
    if (lineTraits[row.provider].cannot.includes('history')) throw new AppError('ERR_WAPP_NO_HISTORY')
    if (row.status !== 'CONNECTED') throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    if (await requestPastMessages(scope, row.id)) await publishConnection(scope, row)
    return { message: 'ok' }
  }),
  route(connectionsApi.stopPast, async (scope, { params }) => {
    const row = await lockLine(scope, params.whatsappId)
    if (await stopPastRequest(scope, row.id)) await publishConnection(scope, row)
    return { message: 'ok' }
  }),
  route(connectionsApi.disconnect, async (scope, { params }) => {
    const row = await lockLine(scope, params.whatsappId)
    await unlinkLine(scope, row)
    return setWanted(scope, row, { ...restartValues(row), wanted: false, status: 'DISCONNECTED', reason: 'off' })
  }),
]
