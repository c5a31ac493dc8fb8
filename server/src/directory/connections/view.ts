import { type Connection, connectionsApi } from '@recado/contract/connections'
import { topics } from '@recado/contract/live'
import { can, type Who } from '@recado/contract/rules'
import { traits } from '@recado/contract/traits'
import type { Selectable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import type { Audience } from '../../kernel/live/live.ts'
import { shownAccounts } from '../../lines/cloud/account.ts'
import { historyOf } from './history.ts'
import { pacingOf } from './pacing.ts'
import { tellState } from './told.ts'

export type ConnectionRow = Selectable<DB['whatsapps']>

type Eyes = { token: boolean; qrcode: boolean }
const all: Eyes = { token: true, qrcode: true }
const none: Eyes = { token: false, qrcode: false }
export const eyesOf = (who: Who): Eyes => ({
  token: can(who, 'connections-page:editOrDeleteConnection'),
  qrcode: can(who, 'connections-page:actionButtons'),
})

/** Whoever sees them can link the phone to a desk of their own. */
const codesFor = (row: ConnectionRow, eyes: Eyes) => ({
  qrcode: eyes.qrcode ? row.qrcode : '',
  pairingCode: eyes.qrcode ? row.pairingCode : '',
})

/** Rows as these eyes may see them, with their queues. What is not in the contract is dropped at the door. */
export async function presentConnections(scope: Scope, rows: ConnectionRow[], eyes: Eyes): Promise<Connection[]> {
  if (!rows.length) return []
  const queues = await queuesOf(
    scope,
    rows.map((r) => r.id),
  )
  const official = rows.filter((row) => eyes.token && traits[row.provider].account).map((row) => row.id)
  const accounts = await shownAccounts(scope, official)
  const paced = eyes.token ? await pacingOf(scope, rows) : new Map()
  const past = eyes.token ? await historyOf(scope, rows) : new Map()
  return rows.map((row) => ({
    ...row,
    token: eyes.token && row.tokenSealed ? scope.means.vault.open(row.tokenSealed) : '',
    ...codesFor(row, eyes),
    queues: queues.filter((q) => q.whatsappId === row.id),
    cannot: [...traits[row.provider].cannot],
    cloud: accounts.get(row.id) ?? null,
    pacing: paced.get(row.id) ?? null,
    history: past.get(row.id) ?? null,
  }))
}

const queuesOf = (scope: Scope, ids: number[]) =>
  scope.db
    .selectFrom('whatsappQueues as l')
    .innerJoin('queues as q', (join) => join.onRef('q.companyId', '=', 'l.companyId').onRef('q.id', '=', 'l.queueId'))
    .select(['l.whatsappId', 'q.id', 'q.name', 'q.color'])
    .where('l.companyId', '=', scope.companyId)
    .where('l.whatsappId', 'in', ids)
    .orderBy('q.orderQueue', (order) => order.asc().nullsLast())
    .orderBy('q.id')
    .execute()

/** Apart from each other: an admin who also heard the version without a code would see the dialog with the QR close. */
const audiences = (companyId: number): [Audience, Eyes][] => [
  [{ rooms: [`company-${companyId}-user`, `company-${companyId}-supervisor`] }, none],
  [{ admins: companyId }, all],
]

/** Older clients know no `create` here: a new line is an update they have not seen before. */
export async function tellConnection(scope: Scope, row: ConnectionRow): Promise<void> {
  for (const [to, eyes] of audiences(scope.companyId)) {
    const [shown] = await presentConnections(scope, [row], eyes)
    if (shown) scope.tell(connectionsApi.topic, { action: 'update', row: shown }, to)
  }
}

/** What changes while a line connects. `before`: the state it was in. */
export async function tellSession(scope: Scope, row: ConnectionRow, before: string | undefined): Promise<void> {
  await tellState(scope, row, before)
  await tellConnection(scope, row)
  for (const [to, eyes] of audiences(scope.companyId))
    scope.live(topics.lineSession, { action: 'update', session: { ...row, ...codesFor(row, eyes) } }, to)
}
