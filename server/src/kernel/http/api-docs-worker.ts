import { parentPort, workerData } from 'node:worker_threads'
import { endpointsBySection } from '@recado/contract/api'
import { buildOpenApiDocument, renderDocsPage } from './api-docs.ts'

/** Runs in a worker thread: processing the whole contract would block the event loop for too long. */
export type DocsTask = { version: string; server: string }
export type RenderedDocs = { page: string; json: string }

const { version, server } = workerData as DocsTask
const docs: RenderedDocs = {
  page: renderDocsPage(endpointsBySection, version),
  json: JSON.stringify(buildOpenApiDocument(endpointsBySection, version, server)),
}
parentPort?.postMessage(docs)
