import type { Deps } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'

/** A message that has not arrived after this time never arrives; usually it is older than the line's link. */
const awaitTimeoutMs = 60 * 60 * 1000
/** Maximum number of awaited messages: the oldest is dropped first. */
const maxAwaitedMessages = 10_000

/**
 * Messages that other events referred to before they arrived. Kept in memory, because a line runs in one process and the
 * check must be fast; and in the journal, for the next process.
 */
export function makeAwaitedMessages(deps: Deps, row: LineRow) {
  const wids = new Map<string, number>()
  const now = () => deps.clock.now().getTime()
  function add(wid: string, since = now()): void {
    wids.delete(wid)
    wids.set(wid, since)
    for (const [old, at] of wids) {
      if (wids.size <= maxAwaitedMessages && at > now() - awaitTimeoutMs) break
      wids.delete(old)
    }
  }
  return {
    has: (event: InboundEvent): boolean => wids.size > 0 && event.kind === 'message' && wids.has(event.id),
    add,
    remove: (wid: string) => void wids.delete(wid),
    async load(): Promise<void> {
      const rows = await deps.database.queryPrepared<{ wid: string; at: string }>(
        row.companyId,
        'journal_early',
        earlyEventsSql,
        [row.companyId, row.id, new Date(now() - awaitTimeoutMs), maxAwaitedMessages],
      )
      for (const { wid, at } of rows.reverse()) add(wid, Date.parse(at))
    },
  }
}

const earlyEventsSql = `
  select "waitsFor" as wid, "receivedAt" as at from journal
  where "companyId" = $1 and "whatsappId" = $2 and "waitsFor" is not null and "receivedAt" > $3 order by id desc limit $4`
