import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '../src/kernel/clock.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { openDatabase, openPool } from '../src/kernel/data/database.ts'
import { migrateDatabase } from '../src/kernel/data/migrate.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { makeLiveUpdates } from '../src/kernel/live/live-updates.ts'
import { makeLog } from '../src/kernel/log.ts'
import { makeOutgoingClient } from '../src/kernel/outgoing/outgoing-client.ts'
import { noPushSender } from '../src/kernel/outgoing/push.ts'
import { noWebhookInterest } from '../src/kernel/outgoing/webhook-interest.ts'
import { performCustomerAction } from '../src/lines/sandbox/customer-actions.ts'
import { setPhoneLinked } from '../src/lines/sandbox/test-phone.ts'

export type ExchangeVerdict = {
  kills: number
  received: number
  sent: number
  lost: number
  doubled: number
  disordered: number
  tickets: number
  unfinished: number
}

/**
 * Customers write and agents answer, while the process between them is killed repeatedly at random moments. In the end
 * every message must be present once, in order. `databaseUrl` is an empty database.
 */
export async function runKilledExchange(
  databaseUrl: string,
  o: { kills: number; messages: number; chats: number; lifeMs: number; execPath?: string },
): Promise<ExchangeVerdict> {
  const log = makeLog('silent')
  const owner = openPool(databaseUrl, log, { max: 2 })
  await migrateDatabase(owner)
  const database = openDatabase(databaseUrl, log)
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-victim-'))
  const vault = makeVault('a secret that is only for this test, long enough')
  const deps = {
    database,
    vault,
    live: makeLiveUpdates(log),
    files: makeFiles({ dataDir, uploadLimit: 1024, diskReservePercent: 0 }, vault, systemClock),
    clock: systemClock,
    push: noPushSender,
    webhookInterest: noWebhookInterest,
    outgoing: makeOutgoingClient({ privateTargets: false, callTimeoutMs: 5000 }),
    dialogflowUrl: '',
    publicUrl: '',
  }
  const platformScope = new Scope(deps, { companyId: 0, wide: true })
  const company = await platformScope.db
    .insertInto('companies')
    .values({ name: `Crash ${randomUUID()}`, planId: 2 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = await platformScope.db
    .insertInto('whatsapps')
    .values({ companyId: company.id, name: 'line', provider: 'sandbox', wanted: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const scope = new Scope(deps, { companyId: company.id })
  await setPhoneLinked(scope, line.id, true)

  let kills = 0
  let talking = true
  const started = new Set<ChildProcess>()
  const env = { ...process.env, VICTIM_DATABASE: databaseUrl, VICTIM_DATA: dataDir }
  const live = async (lifeMs: number | null) => {
    const child = fork(new URL('./child-server.ts', import.meta.url), {
      env,
      execArgv: [],
      ...(o.execPath && { execPath: o.execPath }),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    started.add(child)
    await new Promise((resolve) => child.once('message', resolve))
    if (lifeMs === null) return child
    await new Promise((resolve) => setTimeout(resolve, Math.random() * lifeMs))
    await killed(child)
    return child
  }
  const killed = async (child: ChildProcess) => {
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGKILL')
    kills++
    await ended
    // The killed process does not renew its lease: expire it, so that the next process need not wait.
    await sql`update "lineLeases" set until = now() - interval '1 second'`.execute(platformScope.db)
    started.delete(child)
  }

  const killing = (async () => {
    // The first process opens the conversation, because an agent cannot answer without a ticket.
    const first = await live(null)
    await waitForTicket(scope)
    await killed(first)
    while (talking && kills < o.kills) await live(o.lifeMs)
  })()
  try {
    await exchangeMessages(scope, line.id, o, () => kills / o.kills)
    talking = false
    await killing
    while (kills < o.kills) await live(o.lifeMs)
    await live(null)
    await waitUntilSettled(scope, line.id, o.messages)
    return await judgeExchange(scope, line.id, o.messages, kills)
  } finally {
    for (const child of started) child.kill('SIGKILL')
    await database.close()
    await owner.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Numbered messages in both directions, spread over the time of the kills. */
async function exchangeMessages(
  scope: Scope,
  whatsappId: number,
  o: { messages: number; chats: number },
  progress: () => number,
): Promise<void> {
  for (let n = 0; n < o.messages; n++) {
    const chat = `55119${String(60_000_000 + (n % o.chats))}`
    await performCustomerAction(scope, whatsappId, {
      id: `in-${n}`,
      chat,
      from: chat,
      name: `Customer ${n % o.chats}`,
      group: null,
      fromCustomer: true,
      kind: 'text',
      body: `in ${n}`,
      extra: {},
      media: null,
      quotedId: null,
      at: new Date(),
    })
    if (n === 0) await waitForTicket(scope)
    if (n % 4 === 3) await queueAnswer(scope, whatsappId, n)
    while (n / o.messages > progress() + 0.1) await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/**
 * Stores an agent's answer as the desk does: a queued row, then a signal to the outbox. Every second answer belongs to no
 * ticket.
 */
async function queueAnswer(scope: Scope, whatsappId: number, n: number): Promise<void> {
  await sql`
    with said as (
      insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, ack, state, read, "createdAt")
      select "companyId", case when ${n % 8 === 3} then id end, "contactId", "whatsappId", ${`out-${n}`}, true, ${`out ${n}`}, 1, 'queued', true, now()
      from tickets where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} order by id limit 1 returning 1
    ) select pg_notify('recado', ${`outbox ${whatsappId}`}) from said`.execute(scope.db)
}

async function waitForTicket(scope: Scope): Promise<void> {
  for (;;) {
    const ticket = await scope.db.selectFrom('tickets').select('id').limit(1).executeTakeFirst()
    if (ticket) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function waitUntilSettled(scope: Scope, whatsappId: number, messages: number): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from "sandboxMessages" where "companyId" = ${scope.companyId} and not delivered)
        + (select count(*) from journal where "companyId" = ${scope.companyId} and "processedAt" is null)
        + (select count(*) from messages where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and state in ('queued', 'sending'))
        + greatest(0, ${messages} - (select count(*) from messages where "companyId" = ${scope.companyId} and not "fromMe")) as left`.execute(
      scope.db,
    )
    if (rows[0]?.left === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function judgeExchange(
  scope: Scope,
  whatsappId: number,
  messages: number,
  kills: number,
): Promise<ExchangeVerdict> {
  const { companyId } = scope
  const received = await sql<{
    body: string
    contactId: number
  }>`select body, "contactId" from messages where "companyId" = ${companyId} and not "fromMe" order by id`.execute(
    scope.db,
  )
  const stored = await sql<{
    body: string
  }>`select body from messages where "companyId" = ${companyId} and "fromMe" order by id`.execute(scope.db)
  const shown = await sql<{
    body: string
  }>`select body from "sandboxMessages" where "companyId" = ${companyId} and "whatsappId" = ${whatsappId} and not "fromCustomer" and body like 'out %' order by seq`.execute(
    scope.db,
  )
  const counts = await sql<{ tickets: number; unfinished: number }>`
    select (select count(*) from tickets where "companyId" = ${companyId}) as tickets, (select count(*) from journal where "companyId" = ${companyId} and ("processedAt" is null or error is not null)) as unfinished`.execute(
    scope.db,
  )
  const number = (body: string) => Number(body.split(' ')[1])
  let disordered = 0
  const last = new Map<number, number>()
  for (const { body, contactId } of received.rows) {
    if (number(body) <= (last.get(contactId) ?? -1)) disordered++
    last.set(contactId, number(body))
  }
  shown.rows.forEach(({ body }, i) => {
    if (body !== stored.rows[i]?.body) disordered++
  })
  const once = (rows: { body: string }[]) => new Set(rows.map((r) => r.body)).size
  return {
    kills,
    received: received.rows.length,
    sent: shown.rows.length,
    lost: messages - once(received.rows) + stored.rows.length - once(shown.rows),
    doubled: received.rows.length - once(received.rows) + shown.rows.length - once(shown.rows),
    disordered,
    ...(counts.rows[0] as { tickets: number; unfinished: number }),
  }
}
