import { sql } from 'kysely'
import type { Scope } from '../data/scope.ts'
import type { TimestampColumn } from '../data/tables.ts'
import { AppError } from '../errors.ts'
import type { FileStoreEntry } from './file-store.ts'

declare module '../data/tables.ts' {
  interface DB {
    storedFiles: { companyId: number; name: string; origin: string; bytes: number; createdAt: TimestampColumn }
  }
}

export type StorageUsage = { bytes: number; quotaBytes: number | null }

/** The exact number of bytes that a company has stored, and its plan's quota; null: no limit. */
export async function getStorageUsage(scope: Scope): Promise<StorageUsage> {
  const { rows } = await sql<{ bytes: string; quota: string | null }>`
    select stored_bytes(${scope.companyId}) as bytes, storage_quota(${scope.companyId}) as quota`.execute(scope.db)
  const { bytes = '0', quota = null } = rows[0] ?? {}
  return { bytes: Number(bytes), quotaBytes: quota === null ? null : Number(quota) }
}

/** Files of users must fit into the quota. Parallel uploads may together exceed it by their own size. */
export async function checkStorageQuota(scope: Scope, addedBytes: number): Promise<void> {
  // A text without a file needs no space, even if the quota is full.
  if (addedBytes === 0) return
  const { bytes, quotaBytes } = await getStorageUsage(scope)
  if (quotaBytes !== null && bytes + addedBytes > quotaBytes) throw new AppError('ERR_STORAGE_FULL')
}

/**
 * Counts a stored file. It runs in the transaction that needs the file, if there is one: if that fails, the file was
 * never counted.
 */
export async function recordFile(scope: Scope, name: string, bytes: number): Promise<void> {
  await scope.db.insertInto('storedFiles').values({ companyId: scope.companyId, name, origin: name, bytes }).execute()
}

/** Counts a copy, which shares the bytes of its original. */
export async function recordFileCopy(scope: Scope, name: string, copyOf: string): Promise<void> {
  await sql`insert into "storedFiles" ("companyId", name, origin, bytes)
    select "companyId", ${name}, origin, 0 from "storedFiles"
    where "companyId" = ${scope.companyId} and name = ${copyOf}`.execute(scope.db)
}

export async function deleteFileRecords(scope: Scope, names: string[]): Promise<void> {
  if (names.length) await sql`select forget_stored_files(${scope.companyId}, ${names}::text[])`.execute(scope.db)
}

/** How many rows are compared per statement. */
const batchSize = 1000

/**
 * Compares the count with the store, for files left by an older release, an import or a crash. Files newer than
 * `settledBefore` are skipped: their transaction may still be open.
 */
export async function recountFiles(platform: Scope, settledBefore: Date): Promise<void> {
  const originOfBlob = new Map<string, string>()
  let batch: (FileStoreEntry & { origin: string })[] = []
  const flush = async () => {
    if (batch.length) await recordStoreEntries(platform, batch)
    batch = []
  }
  for await (const entry of platform.deps.files.listAll()) {
    if (entry.createdAtMs >= settledBefore.getTime()) continue
    const blob = `${entry.companyId}/${entry.blob ?? entry.name}`
    const origin = originOfBlob.get(blob) ?? entry.name
    if (entry.blob) originOfBlob.set(blob, origin)
    batch.push({ ...entry, origin })
    if (batch.length === batchSize) await flush()
  }
  await flush()
  await forgetMissing(platform, settledBefore)
}

/** Files of deleted companies are not counted: they are about to be removed. */
async function recordStoreEntries(platform: Scope, entry: (FileStoreEntry & { origin: string })[]): Promise<void> {
  const rows = JSON.stringify(entry.map(({ companyId, name, origin, bytes }) => ({ companyId, name, origin, bytes })))
  await sql`insert into "storedFiles" ("companyId", name, origin, bytes)
    select x."companyId", x.name, x.origin, case when x.name = x.origin then x.bytes else 0 end
    from json_to_recordset(${rows}) as x("companyId" int, name text, origin text, bytes bigint)
    join companies c on c.id = x."companyId" on conflict do nothing`.execute(platform.db)
}

async function forgetMissing(platform: Scope, settledBefore: Date): Promise<void> {
  const { files } = platform.deps
  let after = { companyId: 0, name: '' }
  for (;;) {
    const rows = await platform.db
      .selectFrom('storedFiles')
      .select(['companyId', 'name'])
      .where(sql<boolean>`("companyId", name) > (${after.companyId}::int, ${after.name}::text)`)
      .where('createdAt', '<', settledBefore.toISOString())
      .orderBy('companyId')
      .orderBy('name')
      .limit(batchSize)
      .execute()
    for (const { companyId, name } of rows)
      if ((await files.size(companyId, name)) === null) await deleteFileRecords(platform.forCompany(companyId), [name])
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last
  }
}
