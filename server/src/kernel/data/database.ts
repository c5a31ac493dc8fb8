import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { keepPreparedMark } from './keep-prepared.ts'
import type { PreparedStatement } from './prepared-statement.ts'
import { toIsoTimestamp } from './row-shape.ts'
import type { DB } from './tables.ts'

const text = (v: string) => v
/** Converts '2026-01-31 12:00:00.1+00' to ISO: connections use UTC, so the time zone needs no conversion. */
const iso = (v: string) =>
  /^.{19,26}\+00$/.test(v) ? toIsoTimestamp(`${v.replace(' ', 'T')}:00`) : new Date(v).toISOString()
const parsers: Record<number, (v: string) => unknown> = {
  20: Number, // int8 is used for counts
  1700: Number, // numeric is used for money
  1082: text, // date is a calendar day without a time zone
  1184: iso, // timestamptz
}
const types = {
  getTypeParser: (oid: number, format?: string) => parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
}

type Client = pg.PoolClient & { company?: number }
export type DatabaseRole = 'recado_app' | 'recado_platform'

/**
 * The maximum number of prepared statements: a list has many forms of its query, and each prepared statement takes
 * memory on every connection. Beyond this number, statements are planned at each execution.
 */
export const maxPreparedStatements = 300

/**
 * The name under which a statement marked with `keepPrepared` stays prepared on the connections of a pool, or
 * undefined.
 */
function makePreparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known || names.size >= maxPreparedStatements) return known
    const name = createHash('sha1').update(text).digest('hex')
    names.set(text, name)
    return name
  }
}

/** Whether the planner sees the values of this statement. A statement without values has only one plan. */
const isPlannedByValues = (asked: unknown, values: unknown): boolean =>
  [values, (asked as { values?: unknown } | null)?.values].some((list) => Array.isArray(list) && list.length > 0)

/** `force_generic_plan`: a statement marked with `keepPrepared` is planned once for each connection, for all values. */
type PlanMode = 'auto' | 'force_generic_plan'

/** The PostgreSQL process id of the connection that a query lost. */
const backendPidOfError = new WeakMap<object, number>()
function rememberBackendPid(error: unknown, client: pg.PoolClient): void {
  const pid: unknown = Reflect.get(client, 'processID')
  if (error instanceof Error && typeof pid === 'number') backendPidOfError.set(error, pid)
}

/** Called after this process committed writes to the tables that match a pattern. */
type WriteWatch = { pattern: RegExp; onWrite(): void }

/**
 * Prepares statements marked with `keepPrepared` once per connection, because planning a page of tickets costs as much
 * as reading it.
 */
function instrumentClient(
  client: pg.PoolClient,
  watches: WriteWatch[],
  preparedNameOf: (text: string) => string | undefined,
): void {
  // The method is looked up on the class at call time, because tests that count statements spy on it.
  const query = (...args: unknown[]) => Reflect.apply(pg.Client.prototype.query, client, args)
  /** The plan mode of the connection; undefined after a rollback, which also reverts the setting. */
  let planMode: PlanMode | undefined = 'auto'
  const usePlanMode = (mode: PlanMode) => {
    if (planMode === mode) return
    planMode = mode
    // This statement is queued before the statement itself; if it fails, the other fails, too.
    query(`set plan_cache_mode = ${mode}`).catch(() => {
      planMode = undefined
    })
  }
  const touchedWatches = new Set<WriteWatch>()
  let inTransaction = false
  const notifyWatches = () => {
    if (inTransaction) return
    for (const watch of touchedWatches) watch.onWrite()
    touchedWatches.clear()
  }
  client.query = ((asked: unknown, values: unknown, ...rest: unknown[]) => {
    const text = typeof asked === 'string' ? asked : String((asked as { text?: string } | null)?.text)
    const name = text.startsWith(keepPreparedMark) && typeof asked === 'string' ? preparedNameOf(text) : undefined
    if (name) usePlanMode('force_generic_plan')
    else if (isPlannedByValues(asked, values)) usePlanMode('auto')
    if (/^(begin|start transaction)/i.test(text)) inTransaction = true
    const ends = /^(commit|rollback)(?! to)/i.test(text)
    if (ends) inTransaction = false
    if (/^rollback/i.test(text)) planMode = undefined
    for (const watch of watches) if (watch.pattern.test(text)) touchedWatches.add(watch)
    const answer = name ? query({ name, text, values }, ...rest) : query(asked, values, ...rest)
    if (ends && answer instanceof Promise) answer.catch((error) => rememberBackendPid(error, client))
    return touchedWatches.size && answer instanceof Promise ? answer.finally(notifyWatches) : answer
  }) as pg.PoolClient['query']
}

/** A pool whose connections use a role. Without a role they act as the owner: for migrations and the job queue only. */
export function openPool(
  url: string,
  log: Log,
  options: { role?: DatabaseRole; max: number; watches?: WriteWatch[]; applicationName?: string },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    types,
    idleTimeoutMillis: 60_000,
    application_name: options.applicationName ?? 'recado',
    options: `-c timezone=UTC${options.role ? ` -c role=${options.role}` : ''}`,
  })
  const preparedNameOf = makePreparedNames()
  // An idle connection dies when the server stops; without a listener that would end the process.
  const logConnectionLoss = (err: Error) => void (pool.ending || log.warn({ err }, 'database connection lost'))
  pool.on('error', logConnectionLoss)
  pool.on('connect', (client) => {
    client.on('error', logConnectionLoss)
    instrumentClient(client, options.watches ?? [], preparedNameOf)
  })
  return pool
}

/**
 * Tenant isolation depends on the state of a connection: its role and the current company. A connection pooler drops the
 * role, and transaction pooling mixes up the company, so the server refuses to start behind a pooler.
 */
export async function assertNoConnectionPooler(url: string, log: Log): Promise<void> {
  const role = 'recado_app'
  const pool = openPool(url, log, { role, max: 2 })
  const ask = `select current_user as role, pg_backend_pid() as pid`
  const [one, other] = [await pool.connect(), await pool.connect()]
  try {
    const before = (await one.query(ask)).rows[0]
    await other.query('begin')
    const after = (await one.query(ask)).rows[0]
    await other.query('rollback')
    if (before.role === role && after.role === role && before.pid === after.pid) return
  } finally {
    one.release()
    other.release()
    await pool.end()
  }
  throw new Error(
    'DATABASE_URL leads to a pooler that drops what a connection is told: give the address of the database itself (docs/scale.md)',
  )
}

/**
 * The two ways to access the data. `tenant(id)` sees one company: every connection it hands out carries that company's
 * id, which row-level security reads. The id stays on the connection, so it is only sent when it changes.
 */
export type Database = {
  tenant(companyId: number): Kysely<DB>
  /** A frequent statement of one company, prepared under its name, in one transaction with the statements `before` it. */
  queryPrepared<R extends object>(
    companyId: number,
    name: string,
    text: string,
    values: unknown[],
    before?: PreparedStatement[],
  ): Promise<R[]>
  platform: Kysely<DB>
  /** For frequent statements that run as named queries. */
  platformPool: pg.Pool
  /** Notifies caches of writes to a table. Other processes are notified by signal (see signals.ts). */
  watch(watch: WriteWatch): void
  /** Whether PostgreSQL has finished the query of a lost connection (`isConnectionLost`): only then its outcome is final. */
  isBackendGone(lostConnectionError: unknown): Promise<boolean>
  close(): Promise<void>
}

/** Runs all statements or none; returns the rows of the last one. */
async function runInTransaction<R extends object>(
  client: pg.PoolClient,
  statements: PreparedStatement[],
): Promise<R[]> {
  let broken = false
  try {
    await client.query('begin')
    let rows: R[] = []
    for (const statement of statements) rows = (await client.query<R>(statement)).rows
    await client.query('commit')
    return rows
  } catch (error) {
    rememberBackendPid(error, client)
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * The order in which waiting queries get a connection: companies take turns, first come first served within each. A
 * company with a thousand queries, or slow ones, waits for itself: one connection is always left for others.
 */
function makeConnectionTurns(connections: number) {
  const maxPerCompany = Math.max(1, connections - 1)
  let free = connections
  const connectionsByCompany = new Map<number, number>()
  /** Waiting queries, in the order in which companies are served. */
  const waitersByCompany = new Map<number, (() => void)[]>()
  const connectionsOf = (companyId: number) => connectionsByCompany.get(companyId) ?? 0
  return {
    /** Waits for a connection. Undefined: a connection is free at once. */
    acquire(companyId: number): Promise<void> | undefined {
      if (free > 0 && connectionsOf(companyId) < maxPerCompany) {
        free--
        connectionsByCompany.set(companyId, connectionsOf(companyId) + 1)
        return undefined
      }
      const waiters = waitersByCompany.get(companyId) ?? []
      waitersByCompany.set(companyId, waiters)
      return new Promise((go) => waiters.push(go))
    },
    release(companyId: number): void {
      connectionsByCompany.set(companyId, connectionsOf(companyId) - 1)
      if (!connectionsOf(companyId)) connectionsByCompany.delete(companyId)
      for (const [next, waiters] of waitersByCompany) {
        if (connectionsOf(next) >= maxPerCompany) continue
        connectionsByCompany.set(next, connectionsOf(next) + 1)
        const go = waiters.shift()
        // Move the company to the end of the queue.
        waitersByCompany.delete(next)
        if (waiters.length) waitersByCompany.set(next, waiters)
        go?.()
        return
      }
      free++
    },
  }
}

export function openDatabase(url: string, log: Log): Database {
  const watches: WriteWatch[] = []
  // More connections than the machine can serve would slow each of them down: further queries wait here, not in the
  // database.
  const max = Math.max(6, 2 * availableParallelism())
  const tenantPool = openPool(url, log, { role: 'recado_app', max, watches })
  const turns = makeConnectionTurns(max)
  const platformPool = openPool(url, log, { role: 'recado_platform', max: 6, watches })
  const tenants = new Map<number, Kysely<DB>>()

  async function connect(companyId: number): Promise<pg.PoolClient> {
    const turn = turns.acquire(companyId)
    if (turn) await turn
    const client: Client = await tenantPool.connect().catch((error) => {
      turns.release(companyId)
      throw error
    })
    // The pool sets a new release function each time.
    const { release } = client
    client.release = (broken) => {
      Reflect.apply(release, client, [broken])
      turns.release(companyId)
    }
    if (client.company === companyId) return client
    try {
      await client.query({
        name: 'company',
        text: "select set_config('app.company_id', $1, false)",
        values: [String(companyId)],
      })
    } catch (error) {
      client.release(true)
      throw error
    }
    client.company = companyId
    return client
  }

  return {
    async queryPrepared<R extends object>(
      companyId: number,
      name: string,
      text: string,
      values: unknown[],
      before: PreparedStatement[] = [],
    ) {
      const client = await connect(companyId)
      if (before.length) return runInTransaction<R>(client, [...before, { name, text, values }])
      try {
        return (await client.query<R>({ name, text, values })).rows
      } catch (error) {
        rememberBackendPid(error, client)
        throw error
      } finally {
        client.release()
      }
    },
    platformPool,
    watch: (watch) => void watches.push(watch),
    async isBackendGone(lostConnectionError) {
      const pid = lostConnectionError instanceof Error ? backendPidOfError.get(lostConnectionError) : undefined
      const { rows } = await platformPool.query('select from pg_stat_activity where pid = $1', [pid ?? 0])
      return rows.length === 0
    },
    platform: new Kysely<DB>({ dialect: new PostgresDialect({ pool: platformPool }) }),
    tenant(companyId) {
      const known = tenants.get(companyId)
      if (known) return known
      const made = new Kysely<DB>({
        dialect: new PostgresDialect({
          pool: { connect: () => connect(companyId), end: async () => {}, options: tenantPool.options },
        }),
      })
      tenants.set(companyId, made)
      return made
    },
    async close() {
      await Promise.all([tenantPool.end(), platformPool.end()])
    },
  }
}
