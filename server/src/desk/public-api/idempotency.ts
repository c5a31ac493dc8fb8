import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ApiSendReply } from '@recado/contract/api-access/api-messages'
import { type Insertable, sql } from 'kysely'
import { addMs, days } from '../../kernel/clock.ts'
import { tryAdvisoryLock } from '../../kernel/data/advisory-locks.ts'
import { keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'

/** An idempotent call: its key, and a hash of the request. */
export type IdempotentCall = { key: string; requestHash: string }

/** How long a repeated call returns the same message and response. */
const replyTtlMs = days(1)
/** Each call deletes a few expired calls. */
const maxExpiredPerCleanup = 100

/** The idempotency key of the header, if any. Files are hashed by content. */
export async function readIdempotencyKey(
  header: unknown,
  body: object,
  uploads: Upload[],
): Promise<IdempotentCall | null> {
  if (header === undefined) return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))
    throw new AppError('ERR_VALIDATION', { 'Idempotency-Key': 'Invalid' })
  const hash = createHash('sha256').update(JSON.stringify(body))
  for (const { name, size, path } of uploads) {
    hash.update(JSON.stringify([name, size]))
    await pipeline(createReadStream(path), async (pieces) => {
      for await (const piece of pieces) hash.update(piece)
    })
  }
  return { key: header, requestHash: hash.digest('base64') }
}

/** The stored response of the same call. A different request under the same key is a client error. */
export async function findPreviousReply(
  scope: Scope,
  { key, requestHash }: IdempotentCall,
): Promise<ApiSendReply | null> {
  const row = await scope.load(findPreviousRepliesInBatch, { apiKeyId: scope.actor.key?.id ?? null, key })
  if (row && row.asked !== requestHash) throw new AppError('ERR_IDEMPOTENCY_KEY')
  return row?.reply ?? null
}

type CallKey = { apiKeyId: number | null; key: string }
async function findPreviousRepliesInBatch(
  scope: Scope,
  all: CallKey[],
): Promise<({ asked: string; reply: ApiSendReply } | undefined)[]> {
  const { rows } = await sql<{ n: number; asked: string; reply: ApiSendReply }>`${keepPrepared}
    select x.n::int, c.asked, c.reply
    from unnest(${all.map((one) => one.apiKeyId)}::int[], ${all.map((one) => one.key)}::text[]) with ordinality x (id, key, n)
    cross join lateral (
      select c.asked, c.reply from "apiCalls" c
      where c."companyId" = ${scope.companyId} and c."apiKeyId" is not distinct from x.id and c.key = x.key
        and c."createdAt" > ${addMs(scope.now(), -replyTtlMs)}
      limit 1
    ) c`.execute(scope.db)
  const found = new Map(rows.map((row) => [row.n, row]))
  return all.map((_, n) => found.get(n + 1))
}

/**
 * Checks again within the transaction. Of two parallel calls, the second is refused or gets the response of the first.
 */
export async function beginIdempotentCall(scope: Scope, call: IdempotentCall): Promise<ApiSendReply | null> {
  const hasLock = await tryAdvisoryLock(scope, 'apiCalls', `${scope.actor.key?.id ?? ''} ${call.key}`)
  const before = await findPreviousReply(scope, call)
  if (before || hasLock) return before
  throw new AppError('ERR_IDEMPOTENCY_RUNNING', undefined, { retryAfter: 1 })
}

/** Stores the response in the same transaction as the effect of the call. */
export async function storeIdempotentReply(
  scope: Scope,
  { key, requestHash }: IdempotentCall,
  reply: ApiSendReply,
): Promise<void> {
  const [companyId, apiKeyId, createdAt] = [scope.companyId, scope.actor.key?.id ?? null, scope.now()]
  const row = { companyId, apiKeyId, key, asked: requestHash, reply: JSON.stringify(reply), createdAt }
  await translateConstraintErrors({ apiCalls_key: 'ERR_IDEMPOTENCY_RUNNING' }, () =>
    scope.load(storeRepliesInBatch, row),
  )
}

async function storeRepliesInBatch(scope: Scope, all: Insertable<DB['apiCalls']>[]): Promise<undefined[]> {
  await sql`${keepPrepared}
    delete from "apiCalls" where ctid in (
      select ctid from "apiCalls" where "companyId" = ${scope.companyId} and "createdAt" <= ${addMs(scope.now(), -replyTtlMs)}
      order by "createdAt" ${literalLimit(maxExpiredPerCleanup)} for update skip locked
    )`.execute(scope.db)
  await scope.db.insertInto('apiCalls').values(all).execute()
  return all.map(() => undefined)
}
