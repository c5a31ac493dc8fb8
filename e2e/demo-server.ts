import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoStaff } from '../server/demo/demo-company.ts'
import { fillDemo } from '../server/demo/fill-demo.ts'
import { readConfig } from '../server/src/kernel/config.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import { startPostgres } from '../server/src/kernel/postgres/embedded.ts'
import { openServer } from '../server/src/server.ts'
import { type LoginState, readLoginState } from './login-state.ts'

const password = `demo-${randomBytes(4).toString('hex')}`

export type DemoServer = {
  address: string
  /** Calls the API as the demo's admin. */
  request<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Logs a browser in as the demo's admin; this ends the admin's previous session. */
  login(): Promise<LoginState>
  close(): Promise<void>
}

/** A server in its own folder with only the demo data; the folder is deleted on close. */
export async function openDemoServer(webDir?: string): Promise<DemoServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-demo-'))
  const postgres = await startPostgres({ dataDir, isDurable: false })
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' })
  const server = await openServer({ ...config, ...(webDir && { webDir }) }, postgres.url, makeLog('error'))
  await fillDemo(server.deps, { password })
  let token = ''
  const admit = async () => {
    const login = await fetch(`${server.address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: demoStaff[0]?.email, password }),
    })
    const loginState = await readLoginState(login)
    token = loginState.token
    return loginState
  }
  return {
    address: server.address,
    login: admit,
    async request(method, path, body) {
      const answer = await fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return answer.json() as never
    },
    async close() {
      await server.close()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
