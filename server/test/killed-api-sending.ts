import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeVault } from '../src/kernel/crypto.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { migrateDatabase } from '../src/kernel/data/migrate.ts'
import { makeLog } from '../src/kernel/log.ts'

export type ApiSendingResult = {
  kills: number
  answered: number
  stored: number
  lost: number
  doubled: number
  perSecond: number
}

const secret = 'a secret that is only for this test, long enough'
const key = 'rk_only-for-this-test-and-nobody-else'

/**
 * Clients send through the API as fast as it answers, while the server is killed repeatedly at random moments. A request
 * without an answer is repeated with the same idempotency key. In the end every message must have reached its customer
 * once. `databaseUrl` is an empty database.
 */
export async function runKilledApiSending(
  databaseUrl: string,
  o: { messages: number; kills: number; senders: number; people: number; lifeMs: number; execPath?: string },
): Promise<ApiSendingResult> {
  const db = openPool(databaseUrl, makeLog('silent'), { max: 2 })
  await migrateDatabase(db)
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-soak-'))
  const port = await findFreePort()
  const whatsappId = await prepareCompany()
  const env = {
    ...process.env,
    ...{ VICTIM_DATABASE: databaseUrl, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' },
    ...{ APP_SECRET: secret, API_RATE: '100000', LOG_LEVEL: 'silent' },
  }
  let child: ChildProcess | null = null
  let kills = 0

  async function prepareCompany(): Promise<number> {
    const mark = makeVault(secret).sign('api-key', key)
    const { rows } = await db.query(
      `with c as (insert into companies (name, "planId") values ($1, 2) returning id),
        u as (insert into users ("companyId", name, email, profile, "passwordHash", "allTicket")
          select id, 'Ana', $1 || '@soak.test', 'admin', '', 'enabled' from c),
        w as (insert into whatsapps ("companyId", name, provider, wanted, status, "isDefault")
          select id, 'line', 'sandbox', true, 'OPENING', true from c returning id, "companyId"),
        p as (insert into "sandboxPhones" ("companyId", "whatsappId", linked) select "companyId", id, true from w)
      insert into "apiKeys" ("companyId", name, mark, scopes) select "companyId", 'soak', $2, '{send}' from w
      returning (select id from w)`,
      [`soak-${randomUUID()}`, mark],
    )
    return rows[0].id
  }
  async function start(): Promise<void> {
    child = fork(new URL('./api-child-server.ts', import.meta.url), {
      ...{ env, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
      ...(o.execPath && { execPath: o.execPath }),
    })
    await once(child, 'message')
  }
  async function kill(): Promise<void> {
    if (!child) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = null
    await db.query(`update "lineLeases" set until = now() - interval '1 second'`)
  }

  let next = 0
  let answered = 0
  const ids = new Map<number, string>()
  async function send(n: number): Promise<void> {
    const number = `54911${String(50_000_000 + (n % o.people))}`
    const headers = {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      'idempotency-key': `soak-${n}`,
    }
    const body = JSON.stringify({ number, body: `soak ${n}`, whatsappId })
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/messages/send`, { method: 'POST', headers, body }).catch(
        () => null,
      )
      const said = (await answer?.json().catch(() => null)) as { id: string; error?: string } | null
      if (answer?.status === 202 && said) {
        if ((ids.get(n) ?? said.id) !== said.id) throw new Error(`${n} is two messages`)
        ids.set(n, said.id)
        answered++
        return
      }
      const isOver = answer && ![409, 429, 503].includes(answer.status)
      if (isOver) throw new Error(`${answer.status} ${said?.error}`)
      await pause(20)
    }
  }

  try {
    await start()
    const began = performance.now()
    const killing = (async () => {
      while (kills < o.kills) {
        await pause(o.lifeMs * (0.5 + Math.random()))
        await kill()
        kills++
        await start()
      }
    })()
    await Promise.all(
      Array.from({ length: o.senders }, async () => {
        while (next < o.messages) {
          const n = next++
          await send(n)
          // Some requests are repeated although they were answered.
          if (n % 10 === 0) await send(n)
        }
      }),
    )
    const seconds = (performance.now() - began) / 1000
    await killing
    // An ack on its way to the line is stored on the phone like a message, so it is left out.
    const seen = async () =>
      (
        await db.query<{ all: number; each: number }>(
          `select count(*)::int as all, count(distinct body)::int as each from "sandboxMessages" where not "fromCustomer" and kind <> 'ack'`,
        )
      ).rows[0] as { all: number; each: number }
    let shown = await seen()
    for (let quiet = 0; shown.each < o.messages && quiet < 600; quiet++) {
      await pause(100)
      const now = await seen()
      if (now.all > shown.all) quiet = 0
      shown = now
    }
    const { rows } = await db.query(`select count(*)::int as n from messages where "fromMe"`)
    return {
      ...{ kills, answered, stored: rows[0].n, lost: o.messages - shown.each, doubled: shown.all - shown.each },
      perSecond: Math.round(o.messages / seconds),
    }
  } finally {
    await kill()
    await db.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * The server restarts repeatedly at the same port. The port is outside the ephemeral range: otherwise an outgoing
 * connection of another test could take it while the server is down.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
}
