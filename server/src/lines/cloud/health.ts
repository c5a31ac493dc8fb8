import { createHash } from 'node:crypto'
import type { HealthLevel, LineHealth, LineHealthEvent } from '@recado/contract/health/line-health'
import { type Selectable, sql } from 'kysely'
import { addMs, days } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import {
  type AccountHealthChanges,
  compareLimit,
  comparePolledHealth,
  type HealthChange,
  parseMessagingLimit,
  parsePolledHealth,
} from './parse-health.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** Meta reported a change of a line's health. `isNotified`: admins get a notice. */
    'line.health': { companyId: number; whatsappId: number; isNotified: boolean }
  }
}

type HealthRow = Selectable<DB['cloudHealth']>

/** Older events of a line are deleted. */
const maxEventsPerLine = 200

const selectHealth = (scope: Scope) => scope.db.selectFrom('cloudHealth').where('companyId', '=', scope.companyId)

/** A line of the company as an address of health changes. */
type AddressedLine = { whatsappId: number; businessAccountId: string; number: string }

/**
 * Stores what Meta reported. A change of a number belongs to the line with this number, a change of the account to every
 * line of the account; then only the first line's admins are notified, since it is one report.
 */
export async function storeHealthChanges(
  scope: Scope,
  lines: AddressedLine[],
  report: AccountHealthChanges,
): Promise<void> {
  const ofAccount = lines.filter((line) => line.businessAccountId === report.businessAccountId)
  const affected = report.number ? ofAccount.filter((line) => line.number === report.number) : ofAccount
  for (const [index, line] of affected.entries())
    await scope.transaction((tx) => recordChanges(tx, line.whatsappId, report.changes, report.time, index === 0))
}

async function recordChanges(
  scope: Scope,
  whatsappId: number,
  reported: HealthChange[],
  time: string,
  mayNotify: boolean,
): Promise<void> {
  const stored = await lockHealth(scope, whatsappId)
  const changes = reported.flatMap((change) =>
    change.kind === 'limit' ? compareLimit(parseLimitValue(change.value), stored.messagingLimit) : [change],
  )
  const inserted: HealthChange[] = []
  for (const change of changes) if (await insertEvent(scope, whatsappId, change, time)) inserted.push(change)
  if (!inserted.length) return
  const values = Object.assign({}, ...inserted.map(stateAfter)) as Partial<HealthRow>
  await scope.db
    .updateTable('cloudHealth')
    .set({ ...values, updatedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
  await deleteOldEvents(scope, whatsappId)
  const isNotified = mayNotify && inserted.some(({ level }) => level === 'warn' || level === 'bad')
  await scope.emit('line.health', { companyId: scope.companyId, whatsappId, isNotified })
}

const parseLimitValue = (value: string): number | null => parseMessagingLimit(value)

/** The line's row, created if it is missing, and locked: Meta's calls arrive in parallel. */
async function lockHealth(scope: Scope, whatsappId: number): Promise<HealthRow> {
  await scope.db
    .insertInto('cloudHealth')
    .values({ companyId: scope.companyId, whatsappId, updatedAt: scope.now() })
    .onConflict((conflict) => conflict.columns(['companyId', 'whatsappId']).doNothing())
    .execute()
  return selectHealth(scope).selectAll().where('whatsappId', '=', whatsappId).forUpdate().executeTakeFirstOrThrow()
}

/** False: this notification was stored before. */
async function insertEvent(scope: Scope, whatsappId: number, change: HealthChange, time: string): Promise<boolean> {
  const key = createHash('sha256')
    .update(JSON.stringify([time, change]))
    .digest('hex')
    .slice(0, 32)
  const row = await scope.db
    .insertInto('cloudHealthEvents')
    .values({ companyId: scope.companyId, whatsappId, key, ...change, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['companyId', 'whatsappId', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The columns that a change sets. A template has no column: its state is Meta's, and its changes are in the history. */
function stateAfter({ kind, value, until }: HealthChange): Partial<HealthRow> {
  if (kind === 'quality') return { quality: value === 'restored' ? '' : (value as HealthRow['quality']) }
  if (kind === 'limit') return { messagingLimit: parseLimitValue(value) }
  if (kind === 'name') return { nameDecision: value as HealthRow['nameDecision'] }
  if (kind !== 'account') return {}
  if (value === 'reinstated' || value === 'approved') return { account: '', accountUntil: null }
  return isAccountState(value) ? { account: value, accountUntil: until } : {}
}
const troubledAccountStates = ['restricted', 'violation', 'scheduled', 'disabled', 'deleted', 'rejected'] as const
const isAccountState = (value: string): value is (typeof troubledAccountStates)[number] =>
  (troubledAccountStates as readonly string[]).includes(value)

async function deleteOldEvents(scope: Scope, whatsappId: number): Promise<void> {
  const { companyId } = scope
  await sql`
    delete from "cloudHealthEvents" where "companyId" = ${companyId} and "whatsappId" = ${whatsappId} and id <= (
      select id from "cloudHealthEvents" where "companyId" = ${companyId} and "whatsappId" = ${whatsappId}
      order by id desc offset ${maxEventsPerLine} limit 1)`.execute(scope.db)
}

/** Stores what the line asked Meta for. Values that Meta does not know stay as they are. */
export async function storePolledHealth(scope: Scope, whatsappId: number, reply: unknown): Promise<void> {
  const polled = parsePolledHealth(reply)
  if (!polled.quality && polled.limit === null) return
  const stored = await selectHealth(scope)
    .select(['quality', 'messagingLimit'])
    .where('whatsappId', '=', whatsappId)
    .executeTakeFirst()
  const changes = comparePolledHealth(stored ?? { quality: '', messagingLimit: null }, polled)
  if (changes.length)
    await scope.transaction((tx) => recordChanges(tx, whatsappId, changes, tx.now().toISOString(), true))
}

/** The health of these lines, for users who manage them. Lines of which Meta reported nothing are missing. */
export async function presentHealth(scope: Scope, whatsappIds: number[]): Promise<Map<number, LineHealth>> {
  if (!whatsappIds.length) return new Map()
  const rows = await selectHealth(scope).selectAll().where('whatsappId', 'in', whatsappIds).execute()
  const shown = new Map<number, LineHealth>()
  for (const row of rows) {
    const isOver =
      row.account === 'restricted' && row.accountUntil !== null && Date.parse(row.accountUntil) <= scope.now().getTime()
    const state = isOver ? { ...row, account: '' as const, accountUntil: null } : row
    const reachedToday = await countReached(scope, row.whatsappId)
    shown.set(row.whatsappId, { ...state, level: levelOfHealth(state), reachedToday })
  }
  return shown
}

function levelOfHealth({
  quality,
  account,
  nameDecision,
}: Pick<HealthRow, 'quality' | 'account' | 'nameDecision'>): HealthLevel {
  if (account !== '' || quality === 'red') return 'bad'
  if (quality === 'yellow' || nameDecision === 'rejected') return 'warn'
  return quality === 'green' ? 'good' : 'info'
}

export async function listHealthEvents(scope: Scope, whatsappId: number): Promise<LineHealthEvent[]> {
  return scope.db
    .selectFrom('cloudHealthEvents')
    .select(['id', 'kind', 'level', 'subject', 'value', 'before', 'reason', 'until', 'at'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .orderBy('id', 'desc')
    .limit(maxEventsPerLine)
    .execute()
}

const limitWindowMs = days(1)

/** Meta's limit for writing first: people in any 24 hours. Null: no limit, or none is known. */
export async function loadMessagingLimit(scope: Scope, whatsappId: number): Promise<number | null> {
  const row = await selectHealth(scope).select('messagingLimit').where('whatsappId', '=', whatsappId).executeTakeFirst()
  return row?.messagingLimit == null || row.messagingLimit < 0 ? null : row.messagingLimit
}

/**
 * The first template of each person within the window. Everyone counts, also people whose reply window was open: Meta
 * would not count them, so this never sends too much.
 */
const reachedSql = (scope: Scope, whatsappId: number) => sql`
  select min("createdAt") as at from messages
  where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and "sendAs" ? 'template'
    and "createdAt" > ${addMs(scope.now(), -limitWindowMs)} and state <> 'failed'
  group by "contactId"`

async function countReached(scope: Scope, whatsappId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${reachedSql(scope, whatsappId)}) r`.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** How many people a line may still write to first, and when the next place becomes free; null: no limit. */
export async function findMessagingRoom(
  scope: Scope,
  whatsappId: number,
): Promise<{ left: number; nextAt: Date | null } | null> {
  const limit = await loadMessagingLimit(scope, whatsappId)
  if (limit === null) return null
  const left = limit - (await countReached(scope, whatsappId))
  if (left > 0) return { left, nextAt: null }
  // With `limit` people in the window, the oldest of the newest `limit` has to leave it.
  const { rows } = await sql<{ at: string }>`
    select r.at from (${reachedSql(scope, whatsappId)}) r order by r.at desc offset ${Math.max(0, limit - 1)} limit 1`.execute(
    scope.db,
  )
  const oldest = rows[0]?.at
  return { left: 0, nextAt: addMs(oldest ? new Date(oldest) : scope.now(), limitWindowMs) }
}

/** Who was reached within the window, by hour, for a campaign's plan; `at` is the end of the hour. */
export async function listReachedByHour(scope: Scope, whatsappId: number): Promise<{ at: string; count: number }[]> {
  const { rows } = await sql<{ at: string; count: number }>`
    select date_trunc('hour', r.at) + interval '1 hour' as at, count(*)::int as count
    from (${reachedSql(scope, whatsappId)}) r group by 1 order by 1`.execute(scope.db)
  return rows.map(({ at, count }) => ({ at: new Date(at).toISOString(), count }))
}
