import type { RetentionPreview } from '@recado/contract/settings'
import { sql } from 'kysely'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import { loadSettings, readSettingValue } from '../../accounts/settings.ts'
import { type ErasedMessageKey, eraseOldMessages, eraseOldUnticketedMessages } from '../../desk/messages/erase-old.ts'
import { clearLastMessages, findOldTickets } from '../../desk/tickets/old-tickets.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { asLongRunningJob, type JobHandlers } from '../../kernel/jobs.ts'
import { eraseCloudSends } from '../../lines/cloud/erase-contact.ts'
import { eraseEventsBefore } from '../inbox/erase-journal.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'retention:night': Record<string, never>
    'retention:company': { companyId: number }
  }
}

/** Messages per transaction, so that other writers are not blocked. */
const messagesPerTransaction = 500
/** Tickets per batch. */
const ticketsPerBatch = 200
/** Rows are counted up to this number, then shown as "more than". */
const maxCounted = 100_000

/** The author of retention entries in the audit. */
const systemActor = { id: null, name: 'Recado' }

/** Messages before this moment are too old. */
async function computeCutoff(scope: Scope, months: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select ${scope.now()}::timestamptz - make_interval(months => ${months}::int) as at`.execute(scope.db)
  return rows[0]?.at as string
}

/** What would be deleted if retention were turned on now. Changes nothing. */
export async function previewRetention(scope: Scope, months: number): Promise<RetentionPreview> {
  const { companyId } = scope
  const before = await computeCutoff(scope, months)
  const { rows } = await sql<{ messages: number; files: number; tickets: number }>`
    select least(count(*), ${maxCounted})::int as messages, count("mediaPath")::int as files, count(distinct "ticketId")::int as tickets
    from (
      (select m."mediaPath", m."ticketId" from tickets t
        join messages m on m."companyId" = t."companyId" and m."ticketId" = t.id
        where t."companyId" = ${companyId} and t.status = 'closed' and t."createdAt" < ${before} and m."createdAt" < ${before}
        limit ${maxCounted + 1})
      union all
      (select "mediaPath", null from messages where "companyId" = ${companyId} and "ticketId" is null
        and "createdAt" < ${before} and state not in ('queued', 'sending') limit ${maxCounted + 1})
      limit ${maxCounted + 1}) aged`.execute(scope.db)
  const found = rows[0] ?? { messages: 0, files: 0, tickets: 0 }
  return { before, ...found, more: found.messages === maxCounted }
}

const loadRetentionMonths = async (scope: Scope): Promise<number> =>
  Number(readSettingValue((await loadSettings(scope, [scope.companyId])).get(scope.companyId), 'retentionMonths'))

/** Deletes old messages of closed tickets and messages without a ticket, with their files and journal entries. */
async function eraseOldData(outside: Scope): Promise<void> {
  const months = await loadRetentionMonths(outside)
  if (!months) return
  const before = await computeCutoff(outside, months)
  let count = 0
  const some = (erase: (scope: Scope) => Promise<ErasedMessageKey[]>) =>
    outside.transaction(async (scope) => {
      // Turning retention off takes effect at once.
      if ((await loadRetentionMonths(scope)) !== months) return 0
      const gone = await erase(scope)
      await eraseCloudSends(scope, gone)
      return gone.length
    })
  let last = { createdAt: '-infinity', id: 0 }
  for (;;) {
    const tickets = await findOldTickets(outside, before, last, ticketsPerBatch)
    const ids = tickets.map(({ id }) => id)
    for (let gone = messagesPerTransaction; gone === messagesPerTransaction && ids.length; count += gone)
      gone = await some((scope) => eraseOldMessages(scope, ids, before, messagesPerTransaction))
    if (ids.length)
      await outside.transaction(async (scope) => {
        await eraseEventsBefore(scope, ids, before)
        await clearLastMessages(scope, ids)
      })
    last = tickets.at(-1) ?? last
    if (tickets.length < ticketsPerBatch) break
  }
  for (let gone = messagesPerTransaction; gone === messagesPerTransaction; count += gone)
    gone = await some((scope) => eraseOldUnticketedMessages(scope, before, messagesPerTransaction))
  if (count)
    await outside.transaction((scope) => writeAudit(scope, 'retention.deleted', count, String(count), systemActor))
}

/** Runs every night, one company after the other. */
export function retentionJobs(deps: Deps): Pick<JobHandlers, 'retention:night' | 'retention:company'> {
  return {
    'retention:night': async () => {
      const all = new Scope(deps, { companyId: 0, wide: true })
      const wanted = await all.db
        .selectFrom('settings')
        .select('companyId')
        .where('key', '=', 'retentionMonths')
        .where('value', '!=', '0')
        .orderBy('companyId')
        .execute()
      for (const { companyId } of wanted)
        await all.enqueueJob('retention:company', { companyId }, { key: `retention:${companyId}`, queue: 'retention' })
    },
    'retention:company': asLongRunningJob(({ companyId }) => eraseOldData(new Scope(deps, { companyId }))),
  }
}
