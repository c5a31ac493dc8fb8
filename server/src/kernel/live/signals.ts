import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'

/**
 * Short signals between processes, through the database: they are sent with the commit and reach every process. A signal
 * may be lost while a connection is down, so it only ever means "check now"; a process that misses it checks later. The
 * layer that sends or receives a signal declares it here with its payload (`declare module`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the floors above fill it
export interface SignalPayloads {}
export type SignalName = keyof SignalPayloads
export type Signals = {
  on(name: SignalName, listen: (payload: string) => void): void
  /** Shows this name in the database as long as this process has its connection (`isAdvertised`). */
  advertise(name: string): Promise<void>
  close(): Promise<void>
}

const notifyChannel = 'recado'

/** The advisory lock class for names that live connections advertise. */
const advertisedNameLock = 7268_001
/**
 * In SQL: whether a live connection advertises the name in this expression. The name disappears at once when its process
 * ends. The names are read once per statement, whatever the number of rows.
 */
export const isAdvertised = (name: RawBuilder<unknown>) => sql<boolean>`hashtext(${name})::oid in (
  select k.objid from pg_locks k where k.locktype = 'advisory' and k.objsubid = 2 and k.granted
    and k.classid = ${sql.lit(advertisedNameLock)}::int::oid
    and k.database = (select d.oid from pg_database d where d.datname = current_database())
)`

export async function openSignals(url: string, log: Log): Promise<Signals> {
  const listeners = new Map<SignalName, ((payload: string) => void)[]>()
  const advertisedNames = new Set<string>()
  // A shared lock, because the lock of the previous connection may not be released yet.
  const advertiseOn = (on: pg.Client, name: string) =>
    on.query('select pg_advisory_lock_shared($1::int, hashtext($2))', [advertisedNameLock, name])
  let closed = false
  let client: pg.Client | undefined

  async function connect(): Promise<void> {
    const newClient = new pg.Client({ connectionString: url, application_name: 'recado signals', keepAlive: true })
    newClient.on('error', (err) => log.warn({ err }, 'signals lost'))
    newClient.on('notification', ({ payload = '' }) => {
      const [name, word = ''] = payload.split(/ (.*)/s)
      for (const listen of listeners.get(name as SignalName) ?? []) listen(word)
    })
    await newClient.connect()
    await newClient.query(`listen ${notifyChannel}`)
    for (const name of advertisedNames) await advertiseOn(newClient, name)
    client = newClient
    // The listener is added only now: a connection that never opened also emits `end`, but its error reports it.
    newClient.once('end', reconnect)
  }
  function reconnect(): void {
    if (closed) return
    const failed = (err: Error) => {
      log.warn({ err }, 'signals not back yet')
      reconnect()
    }
    setTimeout(() => void connect().catch(failed), 1000).unref()
  }

  await connect()
  return {
    on: (name, listen) => void listeners.set(name, [...(listeners.get(name) ?? []), listen]),
    async advertise(name) {
      advertisedNames.add(name)
      if (client) await advertiseOn(client, name)
    },
    async close() {
      closed = true
      await client?.end()
    },
  }
}
