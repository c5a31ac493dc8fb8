import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowReference, listReferences, type referencedEntities } from '@recado/contract/flows/flow-references'
import type { FlowNames } from '@recado/contract/flows/flows'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'

type Entity = (typeof referencedEntities)[number]

/** The named rows of each entity. A row that is not selected here does not exist any more. */
const sources: Record<Entity, RawBuilder<unknown>> = {
  queue: sql`select "companyId", id, name, color from queues`,
  tag: sql`select "companyId", id, name, color from tags`,
  user: sql`select "companyId", id, name, null as color from users where active`,
  connection: sql`select "companyId", id, name, null as color from whatsapps`,
  ad: sql`select "companyId", id, title as name, null as color from ads`,
  closingReason: sql`select "companyId", id, name, null as color from "closingReasons" where "archivedAt" is null`,
  fileOption: sql`select "companyId", id, name, null as color from "fileOptions"`,
  prompt: sql`select "companyId", id, name, null as color from prompts`,
  integration: sql`select "companyId", id, name, null as color from "queueIntegrations"`,
  campaign: sql`select "companyId", id, name, null as color from campaigns`,
  flow: sql`select "companyId", id, name, null as color from flows`,
}

type EntityReference = Extract<FlowReference, { id: number }>
const entityReferences = (document: FlowDocument): EntityReference[] =>
  listReferences(document).filter((one): one is EntityReference => 'id' in one)

/** The names of everything that the documents refer to, as far as it exists in the company. */
export async function loadFlowNames(scope: Scope, documents: FlowDocument[]): Promise<FlowNames> {
  const ids = new Map<Entity, Set<number>>()
  for (const { entity, id } of documents.flatMap(entityReferences))
    ids.set(entity, (ids.get(entity) ?? new Set()).add(id))
  if (!ids.size) return []
  const parts = [...ids].map(
    ([entity, wanted]) => sql`select ${entity}::text as entity, x.id, x.name, x.color from (${sources[entity]}) x
      where x."companyId" = ${scope.companyId} and x.id = any(${[...wanted]}::int[])`,
  )
  const { rows } = await sql<FlowNames[number]>`${sql.join(parts, sql` union all `)}`.execute(scope.db)
  return rows
}

const keyOf = ({ entity, id }: { entity: string; id: number }) => `${entity} ${id}`

/**
 * Refuses references that do not exist, except those that the former document had: what was deleted since may be saved
 * again, and keeps the flow from being published.
 */
export async function assertReferencesExist(
  scope: Scope,
  document: FlowDocument,
  former: FlowDocument[] = [],
): Promise<void> {
  const known = new Set(former.flatMap(entityReferences).map(keyOf))
  for (const one of await loadFlowNames(scope, [document])) known.add(keyOf(one))
  if (!entityReferences(document).every((one) => known.has(keyOf(one)))) throw new AppError('ERR_FLOW_REFERENCE')
}
