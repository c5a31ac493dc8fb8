import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { changeSeals } from '../src/automation/flows/acts/seal-headers.ts'
import { makeVault, type PreviousHmacKeys, type Vault } from '../src/kernel/crypto.ts'
import { previousHmacKeysName } from '../src/kernel/data/previous-hmac-keys.ts'
import { BackupError } from './backup-error.ts'
import { type SealedColumns, sealedColumns } from './sealed-columns.ts'
import { quoteIdentifier, quoteIdentifiers } from './tables.ts'

/** How many values of a table were re-encrypted, were already re-encrypted, or decrypt with neither secret. */
export type ResealCounts = { renewed: number; already: number; lost: number }
export type ResealResult = { tables: ({ table: string } & ResealCounts)[] } & ResealCounts

/** Rows per batch: an installation with many linked phones has a hundred thousand encryption keys. */
const batchSize = 1000

/**
 * Re-encrypts all values from one secret to another, all or nothing: in one transaction, while no other process runs.
 * Running it again changes nothing. Values that decrypt with neither secret were lost before; they are kept and
 * counted.
 */
export async function rotateSecret(
  databaseUrl: string,
  secrets: { before: string; after: string },
): Promise<ResealResult> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'reseal' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    // Until the commit no process can start, because every process first reads the migrations.
    await client.query('lock table kysely_migration in access exclusive mode')
    await assertNotRunning(client)
    const vaults = { before: makeVault(secrets.before), after: makeVault(secrets.after) }
    const tables: ResealResult['tables'] = []
    await client.query('set local role recado_platform')
    for (const sealedTable of sealedColumns)
      tables.push({ table: sealedTable.table, ...(await resealTable(client, sealedTable, vaults)) })
    await carryTokenHashes(client, secrets)
    await client.query('reset role')
    tables.push({ table: 'jobs', ...(await resealJobs(client, vaults)) })
    const sum = (what: keyof ResealCounts) => tables.reduce((all, one) => all + one[what], 0)
    const all = { renewed: sum('renewed'), already: sum('already'), lost: sum('lost') }
    if (all.lost && !all.renewed && !all.already)
      throw new BackupError(
        'Nothing here was sealed under APP_SECRET_BEFORE: it is not the secret that this house had.',
      )
    await client.query('commit')
    return { tables: tables, ...all }
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * How long to wait for other processes: the database lists the connections of a process for a moment after it has
 * ended.
 */
const waitForOthers = { maxAttempts: 12, pauseMs: 250 }

async function assertNotRunning(client: pg.Client): Promise<void> {
  for (let n = 0; n < waitForOthers.maxAttempts; n++) {
    await client.query('select pg_stat_clear_snapshot()')
    const { rows: others } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'recado%'`,
    )
    if (!others.length) return
    await wait(waitForOthers.pauseMs)
  }
  throw new BackupError('Recado runs on this database: stop every process of it first.')
}

type VaultPair = { before: Vault; after: Vault }
const tryOpen = (vault: Vault, sealed: string): string | null => {
  try {
    return vault.unseal(sealed)
  } catch {
    return null
  }
}

/** Returns the plaintext if the value must be re-encrypted, and counts the value in any case. */
function openAndCount(sealed: string, { before, after }: VaultPair, counts: ResealCounts): string | null {
  const plain = tryOpen(before, sealed)
  if (plain !== null) counts.renewed++
  else if (tryOpen(after, sealed) !== null) counts.already++
  else counts.lost++
  return plain
}

type SealedRow = { at: string } & Record<string, string | null>

async function resealTable(client: pg.Client, sealedTable: SealedColumns, vaults: VaultPair): Promise<ResealCounts> {
  const counts = { renewed: 0, already: 0, lost: 0 }
  const { table, columns, mark, isFlow } = sealedTable
  const writtenColumns = [...columns, ...(mark ? [mark.column] : [])]
  // A row is identified by its physical location (ctid): no other process can move it, and each row is visited once.
  const read = writtenColumns.map(
    (column) => `${quoteIdentifier(column)}${isFlow ? `::text as ${quoteIdentifier(column)}` : ''}`,
  )
  const written = writtenColumns.map(
    (column) => `${quoteIdentifier(column)} = v.${quoteIdentifier(column)}${isFlow ? '::jsonb' : ''}`,
  )
  await client.query(
    `declare sealed no scroll cursor for select ctid::text as at, ${read.join(', ')} from ${quoteIdentifier(table)} where ${sealedTable.where ?? 'true'}`,
  )
  for (;;) {
    const { rows } = await client.query<SealedRow>(`fetch ${batchSize} from sealed`)
    if (!rows.length) break
    const resealedRows = rows.map((row) => resealRow(row, sealedTable, vaults, counts)).filter((row) => row !== null)
    if (!resealedRows.length) continue
    await client.query(
      `update ${quoteIdentifier(table)} t set ${written.join(', ')}
       from unnest($1::tid[], ${writtenColumns.map((_, n) => `$${n + 2}::text[]`).join(', ')}) v (at, ${quoteIdentifiers(writtenColumns)}) where t.ctid = v.at`,
      [resealedRows.map((row) => row.at), ...writtenColumns.map((column) => resealedRows.map((row) => row[column]))],
    )
  }
  await client.query('close sealed')
  return counts
}

function resealRow(
  row: SealedRow,
  { columns, mark, isFlow }: SealedColumns,
  vaults: VaultPair,
  counts: ResealCounts,
): SealedRow | null {
  if (isFlow) return resealFlow(row, columns, vaults, counts)
  const resealedRows: SealedRow = { ...row }
  let isNew = false
  for (const column of columns) {
    const sealed = row[column]
    const plain = sealed ? openAndCount(sealed, vaults, counts) : null
    if (plain === null) continue
    isNew = true
    resealedRows[column] = vaults.after.seal(plain)
    if (mark?.of === column && row[mark.column] !== null) resealedRows[mark.column] = vaults.after.sign(mark.use, plain)
  }
  return isNew ? resealedRows : null
}

/** Null: no header of the documents is sealed with the secret before. */
function resealFlow(row: SealedRow, columns: string[], vaults: VaultPair, counts: ResealCounts): SealedRow | null {
  const resealedRow: SealedRow = { ...row }
  const renewedBefore = counts.renewed
  for (const column of columns) {
    const document = changeSeals(JSON.parse(row[column] ?? 'null'), (sealed) => {
      const plain = openAndCount(sealed, vaults, counts)
      return plain === null ? null : vaults.after.seal(plain)
    })
    resealedRow[column] = JSON.stringify(document)
  }
  return counts.renewed > renewedBefore ? resealedRow : null
}

/** API keys, recovery codes and invitations are stored only as signatures, which stay valid. */
async function carryTokenHashes(
  client: pg.Client,
  { before, after }: { before: string; after: string },
): Promise<void> {
  const { rows } = await client.query<{ sealed: string }>(`select sealed from "platformSecrets" where name = $1`, [
    previousHmacKeysName,
  ])
  const [storedKeys] = rows
  if (storedKeys && tryOpen(makeVault(after), storedKeys.sealed) !== null) return
  const previousKeys: PreviousHmacKeys = storedKeys
    ? JSON.parse(tryOpen(makeVault(before), storedKeys.sealed) ?? '{}')
    : {}
  const sealed = makeVault(after).seal(JSON.stringify(makeVault(before, previousKeys).exportHmacKeys()))
  await client.query(
    `insert into "platformSecrets" (name, sealed) values ($1, $2) on conflict (name) do update set sealed = excluded.sealed`,
    [previousHmacKeysName, sealed],
  )
}

/** Re-encrypts the mails that wait in jobs. */
async function resealJobs(client: pg.Client, vaults: VaultPair): Promise<ResealCounts> {
  const counts = { renewed: 0, already: 0, lost: 0 }
  const { rows: jobTables } = await client.query(
    `select where to_regclass('graphile_worker._private_jobs') is not null`,
  )
  if (!jobTables.length) return counts
  const { rows } = await client.query<{ id: string; sealed: string }>(
    `select id::text, payload ->> 'sealed' as sealed from graphile_worker._private_jobs where payload ->> 'sealed' <> ''`,
  )
  for (const { id, sealed } of rows) {
    const plain = openAndCount(sealed, vaults, counts)
    if (plain === null) continue
    await client.query(
      `update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{sealed}', to_jsonb($2::text))::json where id = $1::bigint`,
      [id, vaults.after.seal(plain)],
    )
  }
  return counts
}
