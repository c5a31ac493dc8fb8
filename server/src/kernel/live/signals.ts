import pg from 'pg'
import type { Log } from '../log.ts'

/**
 * Short words between processes, through the database: they leave with the commit of who says them and reach every
 * process. A word may be lost while a connection is down, so it only ever means "look now"; who misses it looks later.
 * The floor that says or hears one adds it here with what it carries (`declare module`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the floors above fill it
export interface SignalWords {}
export type SignalName = keyof SignalWords
export type Signals = {
  on(name: SignalName, listen: (word: string) => void): void
  close(): Promise<void>
}

const channel = 'recado'

export async function openSignals(url: string, log: Log): Promise<Signals> {
  const listeners = new Map<SignalName, ((word: string) => void)[]>()
  let closed = false
  let client: pg.Client | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, application_name: 'recado signals', keepAlive: true })
    fresh.on('error', (err) => log.warn({ err }, 'signals lost'))
    fresh.on('notification', ({ payload = '' }) => {
      const [name, word = ''] = payload.split(/ (.*)/s)
      for (const listen of listeners.get(name as SignalName) ?? []) listen(word)
    })
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    client = fresh
    // Only now: a connection that never stood also ends, and that is told by its failure.
    fresh.once('end', again)
  }
  function again(): void {
    if (closed) return
    const failed = (err: Error) => {
      log.warn({ err }, 'signals not back yet')
      again()
    }
    setTimeout(() => void connect().catch(failed), 1000).unref()
  }

  await connect()
  return {
    on: (name, listen) => void listeners.set(name, [...(listeners.get(name) ?? []), listen]),
    async close() {
      closed = true
      await client?.end()
    },
  }
}
