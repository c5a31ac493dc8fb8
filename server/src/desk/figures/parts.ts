import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Asked, botFactsOf, inSight, listed, newsOf, tagFactsOf } from './facts.ts'

/** How many of a kind, of an option or a tag; `queueId` is 0 where there is none. */
export type Part = { kind: string; partId: number; queueId: number; n: number }

const sources = { bot: botFactsOf, tag: tagFactsOf }

/** What is counted of the parts of something. Whose it was is not summed, and nothing is by its tag: those are read from the facts. */
export async function readParts(
  scope: Scope,
  asked: Asked,
  summed: boolean,
  source: keyof typeof sources,
  kinds: readonly string[],
): Promise<Part[]> {
  const { queueId, userId, whatsappId, tagId } = asked
  const kept = summed && tagId === null && userId === null
  const of = (facts: ReturnType<typeof newsOf>) => sql`
    select f.kind, f.value as "partId", coalesce(f."queueId", 0) as "queueId", f.n from ${facts} f where f.kind in (${listed(kinds)})`
  const rows = kept
    ? sql`
      select kind, "partId", "queueId", n from "figureParts"
      where "companyId" = ${scope.companyId} and kind in (${listed(kinds)})
        and ${inSight(sql`"queueId"`, asked)} and day between ${asked.from}::date and ${asked.to}::date
        and ${queueId === null ? sql`true` : sql`"queueId" = ${queueId}`}
        and ${whatsappId === null ? sql`true` : sql`"whatsappId" = ${whatsappId}`}
      union all ${of(newsOf(scope, asked))}`
    : of(sources[source](scope, asked))
  const { rows: parts } = await sql<Part>`
    with r as (${rows})
    select kind, "partId", "queueId", sum(n)::int as n from r group by 1, 2, 3 having sum(n) <> 0
    order by 1, 2, 3`.execute(scope.db)
  return parts
}
