import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type EarlierMarks, makeVault, type Vault } from '../src/kernel/crypto.ts'
import { marksName } from '../src/kernel/data/earlier-marks.ts'
import { NotKept } from './not-kept.ts'
import { type SealedPlace, sealedPlaces } from './sealed-places.ts'
import { listOf, quoted } from './tables.ts'

/** How many values of a table were sealed anew, were so already, or open under neither secret. */
export type Counts = { renewed: number; already: number; lost: number }
export type Resealed = { places: ({ table: string } & Counts)[] } & Counts

/** So many rows at once: a house of many phones has a hundred thousand keys. */
const portion = 1000

/**
 * What is sealed under one secret is sealed under another, all of it or nothing: one transaction, and nobody else in the
 * house. Done again it changes nothing. What opens under neither secret was lost before; it stays and is counted.
 */
export async function reSeal(databaseUrl: string, secrets: { before: string; after: string }): Promise<Resealed> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'reseal' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    // Until we are done nobody begins, either: the first thing that a process of ours does is to ask for its steps.
    await client.query('lock table kysely_migration in access exclusive mode')
    await mustBeAlone(client)
    const vaults = { before: makeVault(secrets.before), after: makeVault(secrets.after) }
    const places: Resealed['places'] = []
    await client.query('set local role recado_platform')
    for (const place of sealedPlaces) places.push({ table: place.table, ...(await renewTable(client, place, vaults)) })
    await carryMarks(client, secrets)
    await client.query('reset role')
    places.push({ table: 'jobs', ...(await renewJobs(client, vaults)) })
    const sum = (what: keyof Counts) => places.reduce((all, one) => all + one[what], 0)
    const all = { renewed: sum('renewed'), already: sum('already'), lost: sum('lost') }
    if (all.lost && !all.renewed && !all.already)
      throw new NotKept('Nothing here was sealed under APP_SECRET_BEFORE: it is not the secret that this house had.')
    await client.query('commit')
    return { places, ...all }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Connections of a process that has just ended are seen for a moment longer. */
const lingering = { tries: 12, pause: 250 }

async function mustBeAlone(client: pg.Client): Promise<void> {
  for (let n = 0; n < lingering.tries; n++) {
    await client.query('select pg_stat_clear_snapshot()')
    const { rows: others } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'recado%'`,
    )
    if (!others.length) return
    await wait(lingering.pause)
  }
  throw new NotKept('Recado runs on this database: stop every process of it first.')
}

type Vaults = { before: Vault; after: Vault }
const opens = (vault: Vault, sealed: string): string | null => {
  try {
    return vault.open(sealed)
  } catch {
    return null
  }
}

/** The words in it, if they are to be sealed anew; counted in any case. */
function openedIn(sealed: string, { before, after }: Vaults, counts: Counts): string | null {
  const plain = opens(before, sealed)
  if (plain !== null) counts.renewed++
  else if (opens(after, sealed) !== null) counts.already++
  else counts.lost++
  return plain
}

type Row = { at: string } & Record<string, string | null>

async function renewTable(client: pg.Client, place: SealedPlace, vaults: Vaults): Promise<Counts> {
  const counts = { renewed: 0, already: 0, lost: 0 }
  const { table, columns, mark } = place
  const written = [...columns, ...(mark ? [mark.column] : [])]
  // A row is known by where it lies: nobody else is here to move it, and each is visited once.
  await client.query(
    `declare sealed no scroll cursor for select ctid::text as at, ${listOf(written)} from ${quoted(table)} where ${place.where ?? 'true'}`,
  )
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${portion} from sealed`)
    if (!rows.length) break
    const next = rows.map((row) => renewedRow(row, place, vaults, counts)).filter((row) => row !== null)
    if (!next.length) continue
    await client.query(
      `update ${quoted(table)} t set ${written.map((column) => `${quoted(column)} = v.${quoted(column)}`).join(', ')}
       from unnest($1::tid[], ${written.map((_, n) => `$${n + 2}::text[]`).join(', ')}) v (at, ${listOf(written)}) where t.ctid = v.at`,
      [next.map((row) => row.at), ...written.map((column) => next.map((row) => row[column]))],
    )
  }
  await client.query('close sealed')
  return counts
}

function renewedRow(row: Row, { columns, mark }: SealedPlace, vaults: Vaults, counts: Counts): Row | null {
  const next: Row = { ...row }
  let isNew = false
  for (const column of columns) {
    const sealed = row[column]
    const plain = sealed ? openedIn(sealed, vaults, counts) : null
    if (plain === null) continue
    isNew = true
    next[column] = vaults.after.seal(plain)
    if (mark?.of === column && row[mark.column] !== null) next[mark.column] = vaults.after.sign(mark.use, plain)
  }
  return isNew ? next : null
}

/** Keys for programs, recovery codes and invitations: we have their marks alone, and go on recognising them. */
async function carryMarks(client: pg.Client, { before, after }: { before: string; after: string }): Promise<void> {
  const { rows } = await client.query<{ sealed: string }>(`select sealed from "platformSecrets" where name = $1`, [
    marksName,
  ])
  const [kept] = rows
  if (kept && opens(makeVault(after), kept.sealed) !== null) return
  const earlier: EarlierMarks = kept ? JSON.parse(opens(makeVault(before), kept.sealed) ?? '{}') : {}
  const sealed = makeVault(after).seal(JSON.stringify(makeVault(before, earlier).marksForNext()))
  await client.query(
    `insert into "platformSecrets" (name, sealed) values ($1, $2) on conflict (name) do update set sealed = excluded.sealed`,
    [marksName, sealed],
  )
}

/** Mails that wait. */
async function renewJobs(client: pg.Client, vaults: Vaults): Promise<Counts> {
  const counts = { renewed: 0, already: 0, lost: 0 }
  const { rows: there } = await client.query(`select where to_regclass('graphile_worker._private_jobs') is not null`)
  if (!there.length) return counts
  const { rows } = await client.query<{ id: string; sealed: string }>(
    `select id::text, payload ->> 'sealed' as sealed from graphile_worker._private_jobs where payload ->> 'sealed' <> ''`,
  )
  for (const { id, sealed } of rows) {
    const plain = openedIn(sealed, vaults, counts)
    if (plain === null) continue
    await client.query(
      `update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{sealed}', to_jsonb($2::text))::json where id = $1::bigint`,
      [id, vaults.after.seal(plain)],
    )
  }
  return counts
}
