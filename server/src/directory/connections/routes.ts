import { type Connection, connectionsApi } from '@recado/contract/connections'
import { traits } from '@recado/contract/traits'
import type { Updateable } from 'kysely'
import { changesOf, writeDown, writeDownChanges } from '../../accounts/doors/audit.ts'
import { tokenMark } from '../../accounts/doors/keys.ts'
import { type Clock, hours } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Route, route } from '../../kernel/http/http.ts'
import { type Limit, makeLimit } from '../../kernel/http/limits.ts'
import { findLine, heldLine, own, queuesOfLine } from './connections.ts'
import { askForPast, stopPast } from './history.ts'
import { type ConnectionRow, eyesOf, presentConnections, tellConnection, tellSession } from './view.ts'
import { create, forget, fresh, remove, save, update } from './writes.ts'

/** Says what is wanted of a line; the supervisor makes it so. Queues and settings are never touched here. */
async function want(
  scope: Scope,
  row: ConnectionRow,
  values: Updateable<DB['whatsapps']>,
): Promise<{ message: string }> {
  await tellSession(scope, await save(scope, row.id, values), row.status)
  await scope.signal('lines')
  return { message: 'ok' }
}
const begun = (row: ConnectionRow) => fresh({ ...row, wanted: true })

/** Once more from the beginning, with what the line knows already. One that is connected stays so. */
export async function reconnect(scope: Scope, whatsappId: number): Promise<{ message: string }> {
  const row = await heldLine(scope, whatsappId)
  if (row.wanted && row.status === 'CONNECTED') return { message: 'ok' }
  return want(scope, row, { ...begun(row), wanted: true })
}

/** What is written down of a change; another account at Meta makes the line begin anew. */
async function written(scope: Scope, row: ConnectionRow) {
  const { name, provider, isDefault, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage } = row
  const { expiresTicket, expiresInactiveMessage, timeToTransfer, transferQueueId, timeUseBotQueues } = row
  const { maxUseBotQueues, promptId, integrationId, paceMode, pacePerMinute, paceDailyCap, tokenHash, wantedRound } =
    row
  return {
    ...{ name, provider, isDefault, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage },
    ...{ expiresTicket, expiresInactiveMessage, timeToTransfer, transferQueueId, timeUseBotQueues },
    ...{ maxUseBotQueues, promptId, integrationId, paceMode, pacePerMinute, paceDailyCap },
    ...{ queues: (await queuesOfLine(scope, row.id)).map((queue) => queue.name), token: tokenHash },
    account: wantedRound,
  }
}

/** Asking for another code says nothing of a phone that was never there. */
async function unlink(scope: Scope, row: ConnectionRow): Promise<void> {
  await forget(scope, row)
  if (row.number) await writeDown(scope, 'line.unlinked', row.id, row.name)
}

/**
 * No two lines of the house have the same token, so a refused one is one that somebody else has, and opens their line:
 * who tries them out here comes no further than with the tokens themselves (keys.ts).
 */
function mayChoose(chosen: Limit, { companyId, means }: Scope, token: string, before: string | null): void {
  if (!token || tokenMark(means, token) === before) return
  chosen.check(String(companyId))
  chosen.count(String(companyId))
}

const shown = async (scope: Scope, row: ConnectionRow): Promise<Connection> =>
  (await presentConnections(scope, [row], eyesOf(scope.actor)))[0] as Connection

export const connectionRoutes = (
  clock: Clock,
  chosen: Limit = makeLimit(clock, { tries: 20, window: hours(1) }),
): Route[] => [
  route(connectionsApi.list, async (scope) =>
    presentConnections(scope, await own(scope).orderBy('id').execute(), eyesOf(scope.actor)),
  ),
  route(connectionsApi.show, async (scope, { params }) => shown(scope, await findLine(scope, params.id))),
  route(connectionsApi.create, async (scope, { body }) => {
    mayChoose(chosen, scope, body.token, null)
    const row = await create(scope, body)
    await writeDown(scope, 'line.created', row.id, row.name)
    return shown(scope, row)
  }),
  route(connectionsApi.update, async (scope, { params, body }) => {
    const before = await written(scope, await findLine(scope, params.id))
    mayChoose(chosen, scope, body.token, before.token)
    const row = await update(scope, params.id, body)
    // Ids say nothing to who reads it.
    const silent = ['token', 'account', 'transferQueueId', 'promptId', 'integrationId'] as const
    const changes = changesOf(before, await written(scope, row), [...silent])
    await writeDownChanges(scope, 'line.changed', row.id, row.name, changes)
    return shown(scope, row)
  }),
  route(connectionsApi.remove, async (scope, { params }) => {
    const { name } = await findLine(scope, params.id)
    await remove(scope, params.id)
    await writeDown(scope, 'line.deleted', params.id, name)
    return { message: 'deleted' }
  }),
  route(connectionsApi.restart, (scope, { params }) => reconnect(scope, params.whatsappId)),
  route(connectionsApi.renew, async (scope, { params }) => {
    const row = await heldLine(scope, params.whatsappId)
    await unlink(scope, row)
    return want(scope, row, { ...begun(row), wanted: true, number: '' })
  }),
  route(connectionsApi.code, async (scope, { params, body }) => {
    const row = await heldLine(scope, params.whatsappId)
    if (!traits[row.provider].typedCode || row.status === 'CONNECTED') throw new AppError('ERR_WAPP_NO_CODE')
    return want(scope, row, { ...begun(row), wanted: true, pairingNumber: body.number })
  }),
  route(connectionsApi.askPast, async (scope, { params }) => {
    const row = await heldLine(scope, params.whatsappId)
    if (traits[row.provider].cannot.includes('history')) throw new AppError('ERR_WAPP_NO_HISTORY')
    if (row.status !== 'CONNECTED') throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    if (await askForPast(scope, row.id)) await tellConnection(scope, row)
    return { message: 'ok' }
  }),
  route(connectionsApi.stopPast, async (scope, { params }) => {
    const row = await heldLine(scope, params.whatsappId)
    if (await stopPast(scope, row.id)) await tellConnection(scope, row)
    return { message: 'ok' }
  }),
  route(connectionsApi.disconnect, async (scope, { params }) => {
    const row = await heldLine(scope, params.whatsappId)
    await unlink(scope, row)
    return want(scope, row, { ...fresh(row), wanted: false, status: 'DISCONNECTED', reason: 'off' })
  }),
]
