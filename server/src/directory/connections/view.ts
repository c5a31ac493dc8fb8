import { type Connection, connectionsApi } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { topics } from '@recado/contract/live'
import { can, type UserAccess } from '@recado/contract/rules'
import type { Selectable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import type { Audience } from '../../kernel/live/live-updates.ts'
import { presentCloudAccounts } from '../../lines/cloud/account.ts'
import { presentHealth } from '../../lines/cloud/health.ts'
import { loadLineHistory } from './line-history.ts'
import { activeLockUntil, presentPacing } from './pacing.ts'
import { enqueueLineStateEvent } from './webhook-events.ts'

export type ConnectionRow = Selectable<DB['whatsapps']>

type ConnectionVisibility = { token: boolean; qrcode: boolean }
const fullVisibility: ConnectionVisibility = { token: true, qrcode: true }
const withoutSecrets: ConnectionVisibility = { token: false, qrcode: false }
export const connectionVisibilityFor = (who: UserAccess): ConnectionVisibility => ({
  token: can(who, 'connections-page:editOrDeleteConnection'),
  qrcode: can(who, 'connections-page:actionButtons'),
})

/** Shows pairing codes only to users who may see them: anyone with a code can link the phone to another desk. */
const visibleCodes = (row: ConnectionRow, eyes: ConnectionVisibility) => ({
  qrcode: eyes.qrcode ? row.qrcode : '',
  pairingCode: eyes.qrcode ? row.pairingCode : '',
})

/** Connections as this audience may see them, with their queues. Fields outside the contract are dropped on output. */
export async function presentConnections(
  scope: Scope,
  rows: ConnectionRow[],
  eyes: ConnectionVisibility,
): Promise<Connection[]> {
  if (!rows.length) return []
  const queues = await listQueues(
    scope,
    rows.map((r) => r.id),
  )
  const official = rows.filter((row) => eyes.token && lineTraits[row.provider].account).map((row) => row.id)
  const accounts = await presentCloudAccounts(scope, official)
  const health = await presentHealth(scope, official)
  const paced = eyes.token ? await presentPacing(scope, rows) : new Map()
  const past = eyes.token ? await loadLineHistory(scope, rows) : new Map()
  return rows.map((row) => ({
    ...row,
    token: eyes.token && row.tokenSealed ? scope.deps.vault.unseal(row.tokenSealed) : '',
    ...visibleCodes(row, eyes),
    queues: queues.filter((q) => q.whatsappId === row.id),
    cannot: [...lineTraits[row.provider].cannot],
    cloud: accounts.get(row.id) ?? null,
    pacing: paced.get(row.id) ?? null,
    health: health.get(row.id) ?? null,
    history: past.get(row.id) ?? null,
    lockedUntil: activeLockUntil(row, scope.now()),
  }))
}

const listQueues = (scope: Scope, ids: number[]) =>
  scope.db
    .selectFrom('whatsappQueues as l')
    .innerJoin('queues as q', (join) => join.onRef('q.companyId', '=', 'l.companyId').onRef('q.id', '=', 'l.queueId'))
    .select(['l.whatsappId', 'q.id', 'q.name', 'q.color'])
    .where('l.companyId', '=', scope.companyId)
    .where('l.whatsappId', 'in', ids)
    .orderBy('q.orderQueue', (order) => order.asc().nullsLast())
    .orderBy('q.id')
    .execute()

/** The audiences do not overlap: an admin who also received the version without a code would see the QR dialog close. */
const audiencesOf = (companyId: number): [Audience, ConnectionVisibility][] => [
  [{ rooms: [`company-${companyId}-user`, `company-${companyId}-supervisor`] }, withoutSecrets],
  [{ admins: companyId }, fullVisibility],
]

/** Older clients do not handle `create` for connections, so a new line is published as an update. */
export async function publishConnection(scope: Scope, row: ConnectionRow): Promise<void> {
  for (const [to, eyes] of audiencesOf(scope.companyId)) {
    const [shown] = await presentConnections(scope, [row], eyes)
    if (shown) scope.publish(connectionsApi.topic, { action: 'update', row: shown }, to)
  }
}

/** Publishes the fields that change while a line connects. `before`: the previous state. */
export async function publishLineSession(scope: Scope, row: ConnectionRow, before: string | undefined): Promise<void> {
  await enqueueLineStateEvent(scope, row, before)
  await publishConnection(scope, row)
  for (const [to, eyes] of audiencesOf(scope.companyId))
    scope.live(topics.lineSession, { action: 'update', session: { ...row, ...visibleCodes(row, eyes) } }, to)
}

/** Publishes a line after a change of its health; a line that was deleted meanwhile is left out. */
export async function publishLineHealth(scope: Scope, whatsappId: number): Promise<void> {
  const row = await scope.db
    .selectFrom('whatsapps')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', whatsappId)
    .executeTakeFirst()
  if (row) await scope.transaction((tx) => publishConnection(tx, row))
}
