import type { LineHealth } from '@recado/contract/health/health'
import { fold } from '@recado/contract/text/fold'
import { sql } from 'kysely'
import { addMs, days } from '../../kernel/clock.ts'
import { likePattern } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** A limit that no user reads to the end; one of a thousand lines is found by name. */
const maxLinesShown = 200

type LineHealthRow = Omit<LineHealth, 'company'> & { companyId: number; companyName: string; total: number }

/** Lines in trouble first: wanted but not connected, then lines with a backlog. */
export async function listLineHealth(
  scope: Scope,
  searchParam: string,
): Promise<{ lines: LineHealth[]; more: number }> {
  const now = scope.now()
  const pattern = likePattern(fold(searchParam))
  const { rows } = await sql<LineHealthRow>`
    select x.*, (count(*) over ())::int as total from (
      select w.id, w.name, w."companyId", c.name as "companyName", w.provider, w.status, w.reason, w."updatedAt", w.wanted,
        case when l.until > clock_timestamp() then l.holder end as process,
        (select count(*)::int from messages m where m."whatsappId" = w.id and m.state in ('queued', 'sending')) as outbox,
        (select count(*)::int from journal j where j."whatsappId" = w.id and j."processedAt" is null) as events,
        (select count(*)::int from journal j where j."whatsappId" = w.id and j.error is not null) as aside,
        (select count(*)::int from messages m
          where m."whatsappId" = w.id and m.state = 'failed' and m."storedAt" > ${addMs(now, -days(1))}) as failed
      from whatsapps w join companies c on c.id = w."companyId" left join "lineLeases" l on l."whatsappId" = w.id
      where ${searchParam} = '' or fold(w.name) like ${pattern} or fold(c.name) like ${pattern}
    ) x
    order by x.status <> 'CONNECTED' and x.reason <> 'off' desc, x.outbox + x.events + x.aside + x.failed > 0 desc,
      x.status <> 'CONNECTED' desc, x.name, x.id
    limit ${maxLinesShown}`.execute(scope.db)
  const lines = rows.map(
    ({ companyId, companyName, total: _, ...row }): LineHealth => ({
      ...row,
      company: { id: companyId, name: companyName },
    }),
  )
  return { lines, more: (rows[0]?.total ?? 0) - rows.length }
}

/** Processes that hold unexpired line leases, including processes that do not answer. */
export async function countLinesPerProcess(scope: Scope): Promise<Map<string, number>> {
  const { rows } = await sql<{ holder: string; lines: number }>`
    select holder, count(*)::int as lines from "lineLeases" where until > clock_timestamp() group by holder`.execute(
    scope.db,
  )
  return new Map(rows.map(({ holder, lines }) => [holder, lines]))
}
