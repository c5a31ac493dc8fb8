import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { cellsOf, partsIn } from './cells.ts'
import { type Asked, botFactsOf, listed, newsOf, tagFactsOf } from './facts.ts'

/** How many of a kind, of an option or a tag; `queueId` is 0 where there is none. */
export type Part = { kind: string; partId: number; queueId: number; n: number }

const sources = { bot: botFactsOf, tag: tagFactsOf }

/** What is counted of the parts of something. */
export async function readParts(
  scope: Scope,
  asked: Asked,
  summed: boolean,
  source: keyof typeof sources,
  kinds: readonly string[],
): Promise<Part[]> {
  const of = (facts: ReturnType<typeof newsOf>) => sql`
    select f.kind, f.value as "partId", coalesce(f."queueId", 0) as "queueId", f.n from ${facts} f where f.kind in (${listed(kinds)})`
  const rows = summed
    ? sql`${partsIn(cellsOf(scope, asked, 'cover', 'queue'), kinds)} union all ${of(newsOf(scope, asked))}`
    : of(sources[source](scope, asked))
  const { rows: parts } = await sql<Part>`
    with r as (${rows})
    select kind, "partId", "queueId", sum(n)::int as n from r group by 1, 2, 3 having sum(n) <> 0
    order by 1, 2, 3`.execute(scope.db)
  return parts
}
