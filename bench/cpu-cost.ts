import { existsSync, readFileSync } from 'node:fs'
import { type BenchServer, openOwnerPool, roundTo } from './bench-server.ts'

/** Kernel clock ticks per second: the same value on every Linux. */
const ticksPerSecond = 100

const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** CPU time used so far by the database and all its connections, in ms. */
async function databaseCpuMs(benchServer: BenchServer): Promise<number> {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const pool = openOwnerPool(benchServer)
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = Number(statOf((rows[0] as { pid: number }).pid)[1])
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(/\s+/).map(Number)
  // The CPU time of ended processes is counted with their parent, which is read last.
  const spent = [...children, server].map((pid) => {
    if (!existsSync(`/proc/${pid}/stat`)) return 0
    const [user, system, ended, endedSystem] = statOf(pid).slice(11, 15).map(Number) as [number, number, number, number]
    return user + system + (pid === server ? ended + endedSystem : 0)
  })
  await pool.end()
  return (spent.reduce((sum, one) => sum + one, 0) * 1000) / ticksPerSecond
}

/** The cost for the server and its database, in CPU milliseconds per item. */
export async function measureCpuCost<T>(
  benchServer: BenchServer,
  each: number,
  work: () => Promise<T>,
): Promise<{ result: T; cost: string }> {
  const [serverProcess, database] = [process.cpuUsage(), await databaseCpuMs(benchServer)]
  const result = await work()
  const { user, system } = process.cpuUsage(serverProcess)
  const spent = (await databaseCpuMs(benchServer)) - database
  return { result, cost: `${roundTo((user + system) / 1000 / each, 2)} + ${roundTo(spent / each, 2)}` }
}
