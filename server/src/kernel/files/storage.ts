import { sql } from 'kysely'
import type { Scope } from '../data/scope.ts'
import type { Moment } from '../data/tables.ts'
import { AppError } from '../errors.ts'

declare module '../data/tables.ts' {
  interface DB {
    storedFiles: { companyId: number; name: string; origin: string; bytes: number; createdAt: Moment }
  }
}

export type StorageUsage = { bytes: number; quotaBytes: number | null }

/** What a company has stored, exactly, and how much its plan gives it; null is no limit. */
export async function storageUsage(scope: Scope): Promise<StorageUsage> {
  const { rows } = await sql<{ bytes: string; quota: string | null }>`
    select stored_bytes(${scope.companyId}) as bytes, storage_quota(${scope.companyId}) as quota`.execute(scope.db)
  const { bytes = '0', quota = null } = rows[0] ?? {}
  return { bytes: Number(bytes), quotaBytes: quota === null ? null : Number(quota) }
}

/** What people add has to fit into their plan. Uploads that run side by side may pass it together, by what they bring. */
export async function checkQuota(scope: Scope, addedBytes: number): Promise<void> {
  // A text without a file needs no room, however full it is.
  if (addedBytes === 0) return
  const { bytes, quotaBytes } = await storageUsage(scope)
  if (quotaBytes !== null && bytes + addedBytes > quotaBytes) throw new AppError('ERR_STORAGE_FULL')
}

/** In the transaction that needs the file, where there is one: if that fails, the file was never counted. */
export async function recordFile(scope: Scope, name: string, bytes: number): Promise<void> {
  await scope.db.insertInto('storedFiles').values({ companyId: scope.companyId, name, origin: name, bytes }).execute()
}

/** A copy shares the bytes of its origin. */
export async function recordCopy(scope: Scope, name: string, copyOf: string): Promise<void> {
  await sql`insert into "storedFiles" ("companyId", name, origin, bytes)
    select "companyId", ${name}, origin, 0 from "storedFiles"
    where "companyId" = ${scope.companyId} and name = ${copyOf}`.execute(scope.db)
}

export async function forgetFiles(scope: Scope, names: string[]): Promise<void> {
  if (names.length) await sql`select forget_stored_files(${scope.companyId}, ${names}::text[])`.execute(scope.db)
}

/** So many rows are compared at a time. */
const batchSize = 1000

/**
 * Compares the count with the store, for what an older release stored, what was moved in and what a crash left behind.
 * Younger files than `settledBefore` are left alone: their transaction may still be open.
 */
export async function recountFiles(scope: Scope, settledBefore: Date): Promise<void> {
  const { files } = scope.means
  const { companyId } = scope
  let batch: { name: string; bytes: number; blob: string }[] = []
  const originOfBlob = new Map<string, string>()
  const flush = async () => {
    const origins = batch.map(({ name, blob }) => {
      const origin = originOfBlob.get(blob) ?? name
      originOfBlob.set(blob, origin)
      return origin
    })
    await sql`insert into "storedFiles" ("companyId", name, origin, bytes)
      select ${companyId}, name, origin, case when name = origin then bytes else 0 end
      from unnest(${batch.map(({ name }) => name)}::text[], ${origins}::text[], ${batch.map(({ bytes }) => bytes)}::bigint[])
        as x(name, origin, bytes) on conflict do nothing`.execute(scope.db)
    batch = []
  }
  for await (const { name, bytes, blob, born } of files.all(companyId)) {
    if (born >= settledBefore.getTime()) continue
    batch.push({ name, bytes, blob: blob ?? name })
    if (batch.length === batchSize) await flush()
  }
  if (batch.length) await flush()
  await forgetMissing(scope, settledBefore)
}

async function forgetMissing(scope: Scope, settledBefore: Date): Promise<void> {
  const { files } = scope.means
  for (let after = ''; ; ) {
    const rows = await scope.db
      .selectFrom('storedFiles')
      .select('name')
      .where('companyId', '=', scope.companyId)
      .where('name', '>', after)
      .where('createdAt', '<', settledBefore.toISOString())
      .orderBy('name')
      .limit(batchSize)
      .execute()
    const missing: string[] = []
    for (const { name } of rows) if ((await files.size(scope.companyId, name)) === null) missing.push(name)
    await forgetFiles(scope, missing)
    if (rows.length < batchSize) return
    after = rows.at(-1)?.name as string
  }
}
