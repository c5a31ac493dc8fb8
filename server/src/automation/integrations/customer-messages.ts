import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Scope } from '../../kernel/data/scope.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'

/** A customer message as sent to an integration. */
export type CustomerMessage = {
  id: number
  body: string
  mediaType: string | null
  mediaPath: string | null
  mediaName: string | null
  mediaState: 'none' | 'pending' | 'ready' | 'failed'
  createdAt: string
}

/** The maximum number of messages that a customer writes while one answer is made. */
const maxCustomerMessages = 20
/** How long to wait for a file, which arrives after its message, and how often to check. */
const [fileTimeoutMs, filePollMs] = [10_000, 250]

/**
 * The customer's messages after this message or, if none is given, since our last message before the customer's newest.
 * Oldest first.
 */
export async function loadCustomerMessages(
  scope: Scope,
  ticketId: number,
  after: number | undefined,
): Promise<CustomerMessage[]> {
  const rows = await scope.db
    .selectFrom('messages')
    .select(['id', 'body', 'mediaType', 'mediaPath', 'mediaName', 'mediaState', 'createdAt', 'fromMe'])
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('isDeleted', '=', false)
    .where('id', '>', after ?? 0)
    .orderBy('id', 'desc')
    .limit(2 * maxCustomerMessages)
    .execute()
  const all = rows.map((row) => ({ ...row, id: Number(row.id) }))
  const newest = all.findIndex((row) => !row.fromMe)
  if (newest < 0) return []
  const theirs = all.slice(newest)
  const ours = after === undefined ? theirs.findIndex((row) => row.fromMe) : -1
  return (ours < 0 ? theirs : theirs.slice(0, ours))
    .filter((row) => !row.fromMe)
    .slice(0, maxCustomerMessages)
    .reverse()
}

/** The customer's messages with those files that arrive in time. */
export async function loadCustomerMessagesWithFiles(
  scope: Scope,
  ticketId: number,
  after: number | undefined,
  signal: AbortSignal,
): Promise<CustomerMessage[]> {
  for (let waited = 0; ; waited += filePollMs) {
    const heard = await loadCustomerMessages(scope, ticketId, after)
    if (waited >= fileTimeoutMs || !heard.some((one) => one.mediaState === 'pending')) return heard
    await pause(filePollMs, undefined, { signal })
  }
}

/** A file URL valid for at least an hour; null if the message has no file. */
export const customerFileUrl = (scope: Scope, { mediaPath, mediaName }: CustomerMessage): string | null =>
  signedMediaUrl(scope, { companyId: scope.companyId, mediaPath, mediaName })

export const readFileBytes = (scope: Scope, mediaPath: string): Promise<Buffer> =>
  buffer(scope.deps.files.read(scope.companyId, mediaPath))
