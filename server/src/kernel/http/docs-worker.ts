import { parentPort, workerData } from 'node:worker_threads'
import { sections } from '@recado/contract/api'
import { docsPage, openApi } from './docs.ts'

/** Runs in a thread: walking through the whole contract takes longer than the event loop may stand still. */
export type DocsTask = { version: string; server: string }
export type Docs = { page: string; json: string }

const { version, server } = workerData as DocsTask
const docs: Docs = {
  page: docsPage(sections, version),
  json: JSON.stringify(openApi(sections, version, server)),
}
parentPort?.postMessage(docs)
