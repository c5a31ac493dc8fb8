import { existsSync, readFileSync } from 'node:fs'
import { type BenchServer, openOwnerPool, roundTo } from './bench-server.ts'

/** Ticks of the kernel's clock a second, on every Linux there is. */
const ticksPerSecond = 100

const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** What the database and all its connections have worked so far, in ms. */
async function databaseCpuMs(place: BenchServer): Promise<number> {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const pool = openOwnerPool(place)
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = Number(statOf((rows[0] as { pid: number }).pid)[1])
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(/\s+/).map(Number)
  // Those who ended, also since they were named here, are counted with their parent, who is read last.
  const spent = [...children, server].map((pid) => {
    if (!existsSync(`/proc/${pid}/stat`)) return 0
    const [user, system, ended, endedSystem] = statOf(pid).slice(11, 15).map(Number) as [number, number, number, number]
    return user + system + (pid === server ? ended + endedSystem : 0)
  })
  await pool.end()
  return (spent.reduce((sum, one) => sum + one, 0) * 1000) / ticksPerSecond
}

/** What something costs the house and its database, in CPU milliseconds for each of so many. */
export async function measureCpuCost<T>(
  place: BenchServer,
  each: number,
  work: () => Promise<T>,
): Promise<{ result: T; cost: string }> {
  const [house, database] = [process.cpuUsage(), await databaseCpuMs(place)]
  const result = await work()
  const { user, system } = process.cpuUsage(house)
  const spent = (await databaseCpuMs(place)) - database
  return { result, cost: `${roundTo((user + system) / 1000 / each, 2)} + ${roundTo(spent / each, 2)}` }
}
