import { type FlowDocument, StoredFlowDocument } from '@recado/contract/flows/flow-document'
import type { Scope } from '../../../kernel/data/scope.ts'

/** How many documents stay in memory, of all companies: a useful one has a few kilobytes. */
const maxKeptDocuments = 500

/** Versions never change, so a copy is never stale. The least recently used one comes first. */
const documentsByDatabase = new WeakMap<object, Map<string, FlowDocument>>()

/** The document of a version; null: it was deleted with its flow. */
export async function loadFlowDocument(scope: Scope, versionId: number): Promise<FlowDocument | null> {
  const { database } = scope.deps
  const documents = documentsByDatabase.get(database) ?? new Map<string, FlowDocument>()
  documentsByDatabase.set(database, documents)
  const key = `${scope.companyId} ${versionId}`
  const document = documents.get(key) ?? (await readDocument(scope, versionId))
  if (!document) return null
  documents.delete(key)
  documents.set(key, document)
  const [oldest] = documents.keys()
  if (documents.size > maxKeptDocuments && oldest !== undefined) documents.delete(oldest)
  return document
}

async function readDocument(scope: Scope, versionId: number): Promise<FlowDocument | null> {
  const row = await scope.db
    .selectFrom('flowVersions')
    .select('document')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', versionId)
    .executeTakeFirst()
  // A version of an earlier release may lack what was added since.
  return row ? StoredFlowDocument.parse(row.document) : null
}
