import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowReference, listReferences, type referencedEntities } from '@recado/contract/flows/flow-references'
import type { FlowNames } from '@recado/contract/flows/flows'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'

type Entity = (typeof referencedEntities)[number]

/** Where the name of an entity is; a row without this condition does not exist any more. */
const sources: Record<Entity, { table: string; name?: string; color?: true; where?: RawBuilder<boolean> }> = {
  queue: { table: 'queues', color: true },
  tag: { table: 'tags', color: true },
  user: { table: 'users', where: sql<boolean>`active` },
  connection: { table: 'whatsapps' },
  ad: { table: 'ads', name: 'title' },
  closingReason: { table: 'closingReasons', where: sql<boolean>`"archivedAt" is null` },
  fileOption: { table: 'fileOptions' },
  prompt: { table: 'prompts' },
  integration: { table: 'queueIntegrations' },
  campaign: { table: 'campaigns' },
  flow: { table: 'flows' },
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
  const parts = [...ids].map(([entity, wanted]) => {
    const { table, name = 'name', color, where = sql<boolean>`true` } = sources[entity]
    return sql`select ${entity}::text as entity, id, ${sql.ref(name)} as name, ${color ? sql.ref('color') : sql`null`} as color
      from ${sql.table(table)} where "companyId" = ${scope.companyId} and id = any(${[...wanted]}::int[]) and ${where}`
  })
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
