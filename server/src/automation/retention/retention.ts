import type { RetentionPreview } from '@recado/contract/settings'
import { sql } from 'kysely'
import { writeDown } from '../../accounts/doors/audit.ts'
import { settingsOf, settingValue } from '../../accounts/settings.ts'
import { type Aged, eraseAged, eraseAgedAlone } from '../../desk/messages/aged.ts'
import { forgetShown, nextAged } from '../../desk/tickets/aged.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { type JobHandlers, takingLong } from '../../kernel/jobs.ts'
import { forgetSends } from '../../lines/cloud/forget.ts'
import { forgetBefore } from '../inbox/forget.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'retention:night': Record<string, never>
    'retention:company': { companyId: number }
  }
}

/** So many messages in one transaction: others write meanwhile. */
const portion = 500
/** So many tickets are looked at in one go. */
const batch = 200
/** Counted so far, and then "more than". */
const countedTo = 100_000

/** In the audit. */
const ourselves = { id: null, name: 'Recado' }

/** Everything from before this moment is too old. */
async function cutoffOf(scope: Scope, months: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select ${scope.now()}::timestamptz - make_interval(months => ${months}::int) as at`.execute(scope.db)
  return rows[0]?.at as string
}

/** What would go if it were switched on now. Nothing is changed. */
export async function previewOf(scope: Scope, months: number): Promise<RetentionPreview> {
  const { companyId } = scope
  const before = await cutoffOf(scope, months)
  const { rows } = await sql<{ messages: number; files: number; tickets: number }>`
    select least(count(*), ${countedTo})::int as messages, count("mediaPath")::int as files, count(distinct "ticketId")::int as tickets
    from (
      (select m."mediaPath", m."ticketId" from tickets t
        join messages m on m."companyId" = t."companyId" and m."ticketId" = t.id
        where t."companyId" = ${companyId} and t.status = 'closed' and t."createdAt" < ${before} and m."createdAt" < ${before}
        limit ${countedTo + 1})
      union all
      (select "mediaPath", null from messages where "companyId" = ${companyId} and "ticketId" is null
        and "createdAt" < ${before} and state not in ('queued', 'sending') limit ${countedTo + 1})
      limit ${countedTo + 1}) aged`.execute(scope.db)
  const found = rows[0] ?? { messages: 0, files: 0, tickets: 0 }
  return { before, ...found, more: found.messages === countedTo }
}

const monthsOf = async (scope: Scope): Promise<number> =>
  Number(settingValue((await settingsOf(scope, [scope.companyId])).get(scope.companyId), 'retentionMonths'))

/** Messages of closed tickets, and those that belong to none, with their files and what the journal has of them. */
async function clear(outside: Scope): Promise<void> {
  const months = await monthsOf(outside)
  if (!months) return
  const before = await cutoffOf(outside, months)
  let count = 0
  const some = (erase: (scope: Scope) => Promise<Aged[]>) =>
    outside.transaction(async (scope) => {
      // Whoever switches it off is obeyed at once.
      if ((await monthsOf(scope)) !== months) return 0
      const gone = await erase(scope)
      await forgetSends(scope, gone)
      return gone.length
    })
  let last = { createdAt: '-infinity', id: 0 }
  for (;;) {
    const tickets = await nextAged(outside, before, last, batch)
    const ids = tickets.map(({ id }) => id)
    for (let gone = portion; gone === portion && ids.length; count += gone)
      gone = await some((scope) => eraseAged(scope, ids, before, portion))
    if (ids.length)
      await outside.transaction(async (scope) => {
        await forgetBefore(scope, ids, before)
        await forgetShown(scope, ids)
      })
    last = tickets.at(-1) ?? last
    if (tickets.length < batch) break
  }
  for (let gone = portion; gone === portion; count += gone)
    gone = await some((scope) => eraseAgedAlone(scope, before, portion))
  if (count)
    await outside.transaction((scope) => writeDown(scope, 'retention.deleted', count, String(count), ourselves))
}

/** Every night, company after company. */
export function retentionJobs(means: Means): Pick<JobHandlers, 'retention:night' | 'retention:company'> {
  return {
    'retention:night': async () => {
      const all = new Scope(means, { companyId: 0, wide: true })
      const wanted = await all.db
        .selectFrom('settings')
        .select('companyId')
        .where('key', '=', 'retentionMonths')
        .where('value', '!=', '0')
        .orderBy('companyId')
        .execute()
      for (const { companyId } of wanted)
        await all.job('retention:company', { companyId }, { key: `retention:${companyId}`, queue: 'retention' })
    },
    'retention:company': takingLong(({ companyId }) => clear(new Scope(means, { companyId }))),
  }
}
