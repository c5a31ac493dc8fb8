import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoginState, readLoginState } from '../e2e/login-state.ts'
import type { Config } from '../server/src/kernel/config.ts'
import { hashPassword } from '../server/src/kernel/crypto.ts'
import { openPool } from '../server/src/kernel/data/database.ts'
import { Scope } from '../server/src/kernel/data/scope.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import { type EmbeddedPostgres, startPostgres } from '../server/src/kernel/postgres/embedded.ts'
import { openServer, type RunningServer } from '../server/src/server.ts'

type BenchUser = { id: number; token: string; loginState: LoginState }

export type BenchServer = {
  running: RunningServer
  postgres: EmbeddedPostgres
  address: string
  scope: Scope
  admin: BenchUser
  addAgent(name: string): Promise<BenchUser>
  /** Logs in an existing user again, because a long benchmark outlives a session's token. */
  login(name: string): Promise<BenchUser>
  companyId: number
  dataDir: string
  close(): Promise<void>
}

/** A server on its own embedded database, with a company and its admin: as `npm start` runs it, without tuning. */
export async function openBenchServer(
  webDir = new URL('../web/dist', import.meta.url).pathname,
  graphUrl = 'http://127.0.0.1:9/v0',
  configOverrides: Partial<Config> = {},
): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-bench-'))
  const postgres = await startPostgres({ dataDir })
  const log = makeLog('error')
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    dataDir,
    databaseUrl: undefined,
    diskReservePercent: 5,
    appSecret: randomBytes(32).toString('hex'),
    publicUrl: undefined,
    smtpUrl: undefined,
    mailFrom: 'bench@localhost',
    logLevel: 'error',
    metricsToken: undefined,
    corsOrigins: [],
    trustProxy: false,
    adminEmail: 'bench@recado.local',
    adminPassword: 'bench-Passw0rd',
    privateTargets: false,
    uploadLimit: 64 * 1024 * 1024,
    apiRate: 100_000,
    bodyTimeoutMs: 30_000,
    callTimeoutMs: 5000,
    graphUrl,
    whatsappUrl: '',
    dialogflowUrl: '',
    webDir,
    ...configOverrides,
  }
  const running = await openServer(config, postgres.url, log)
  const wide = new Scope(running.deps, { companyId: 0, wide: true })
  const company = await wide.db
    .insertInto('companies')
    .values({ name: 'Bench', planId: 2 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const emailOf = (name: string) => `${name.toLowerCase()}@bench.local`
  const addUser = async (name: string, profile: 'admin' | 'user') => {
    const passwordHash = await hashPassword('bench-Passw0rd')
    await wide.db
      .insertInto('users')
      .values({ companyId: company.id, name, email: emailOf(name), profile, allTicket: 'enabled', passwordHash })
      .execute()
    return enter(name)
  }
  const enter = async (name: string) => {
    const login = await fetch(`${running.address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: emailOf(name), password: 'bench-Passw0rd' }),
    })
    const { token, userId, ...loginState } = await readLoginState(login)
    return { id: userId, token, loginState }
  }
  return {
    running,
    postgres,
    address: running.address,
    companyId: company.id,
    dataDir,
    admin: await addUser('Ana', 'admin'),
    addAgent: (name) => addUser(name, 'user'),
    login: enter,
    scope: new Scope(running.deps, { companyId: company.id }),
    async close() {
      await running.close()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Connects as the owner of the tables, in order to fill them. */
export const openOwnerPool = (benchServer: BenchServer) =>
  openPool(benchServer.postgres.url, makeLog('error'), { max: 8 })

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
export const roundTo = (n: number, digits = 1) => Number(n.toFixed(digits))
