import { parentPort, workerData } from 'node:worker_threads'
import { endpointsBySection } from '@recado/contract/api'
import { buildOpenApiDocument, renderDocsPage } from './api-docs.ts'

/** Runs in a thread: walking through the whole contract takes longer than the event loop may stand still. */
export type DocsTask = { version: string; server: string }
export type RenderedDocs = { page: string; json: string }

const { version, server } = workerData as DocsTask
const docs: RenderedDocs = {
  page: renderDocsPage(endpointsBySection, version),
  json: JSON.stringify(buildOpenApiDocument(endpointsBySection, version, server)),
}
parentPort?.postMessage(docs)
