import type { DuplicateMatch, DuplicatePair, PersonLine } from '@recado/contract/contact-duplicates/contact-duplicates'
import { sql } from 'kysely'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type ContactRow, presentContact } from './contact-store.ts'

/** How many contacts one statement looks at, and one call. */
const contactsPerStep = 500
const contactsPerCall = 4_000
const pairsPerCall = 20
/** A common name has many owners: of each kind of evidence only the first contacts are compared. */
const matchesPerKind = 3
const pairsOfContact = 5

type FoundMatch = DuplicateMatch & { id: number; otherId: number }

/** `onlyOlder`: a pair of two listed contacts must not be reported twice. */
async function findMatches(scope: Scope, ids: number[], onlyOlder: boolean): Promise<FoundMatch[]> {
  const { rows } = await sql<FoundMatch>`${keepPrepared}
    select * from find_likely_duplicates(${ids}::int[], ${onlyOlder}, ${sql.lit(matchesPerKind)})`.execute(scope.db)
  return rows
}

/** Contacts that may be the same person as this one. */
export async function findDuplicatesOf(scope: Scope, id: number): Promise<DuplicatePair[]> {
  const rows = await findMatches(scope, [id], false)
  return (await presentPairs(scope, rows)).slice(0, pairsOfContact)
}

/** Pairs among all contacts, the newest first, and where the next call continues. */
export async function listDuplicates(
  scope: Scope,
  before?: number,
): Promise<{ pairs: DuplicatePair[]; nextBefore: number | null }> {
  const pairs: DuplicatePair[] = []
  let next = before ?? null
  for (let looked = 0; looked < contactsPerCall && pairs.length < pairsPerCall; looked += contactsPerStep) {
    const ids = await listContactIdsBefore(scope, next)
    const rows = await findMatches(scope, ids, true)
    pairs.push(...(await presentPairs(scope, rows)))
    next = ids.at(-1) ?? null
    if (ids.length < contactsPerStep) return { pairs, nextBefore: null }
  }
  return { pairs, nextBefore: next }
}

async function listContactIdsBefore(scope: Scope, before: number | null): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${keepPrepared}
    select id from contacts where "companyId" = ${scope.companyId} and id < ${before ?? 2_147_483_647}::int
      and "mergedInto" is null and not "isGroup"
      order by id desc limit ${sql.lit(contactsPerStep)}`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** The pairs of these matches in their order, without those that a user has called different people. */
async function presentPairs(scope: Scope, matches: FoundMatch[]): Promise<DuplicatePair[]> {
  const byPair = Map.groupBy(matches, ({ id, otherId }) => `${Math.min(id, otherId)} ${Math.max(id, otherId)}`)
  if (!byPair.size) return []
  const ids = [...new Set(matches.flatMap(({ id, otherId }) => [id, otherId]))]
  const people = new Map((await loadPeople(scope, ids)).map((person) => [person.id, person]))
  const different = await listDifferentPairs(scope, ids)
  return [...byPair].flatMap(([pair, found]) => {
    const [keptId, otherId] = pair.split(' ').map(Number) as [number, number]
    const [kept, other] = [people.get(keptId), people.get(otherId)]
    if (!kept || !other || different.has(pair)) return []
    const all = found.map(({ kind, value, field }) => ({ kind, value, field }))
    return [{ kept, other, matches: [...new Map(all.map((one) => [`${one.kind} ${one.field}`, one])).values()] }]
  })
}

async function loadPeople(scope: Scope, ids: number[]): Promise<PersonLine[]> {
  const rows: ContactRow[] = await scope.db
    .selectFrom('contacts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  return rows.map((row) => presentContact(scope, row))
}

/** Pairs that a user separated or called different people. */
async function listDifferentPairs(scope: Scope, ids: number[]): Promise<Set<string>> {
  const rows = await scope.db
    .selectFrom('contactMerges')
    .select(['keptId', 'mergedId'])
    .where('companyId', '=', scope.companyId)
    .where('keptId', 'in', ids)
    .where('mergedId', 'in', ids)
    .where('undoneAt', 'is not', null)
    .execute()
  return new Set(rows.map(({ keptId, mergedId }) => `${Math.min(keptId, mergedId)} ${Math.max(keptId, mergedId)}`))
}
