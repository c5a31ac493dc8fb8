import { ticketBatchesApi } from '@recado/contract/tickets/ticket-batches'
import { type Route, route } from '../../../kernel/http/routes.ts'
import { findLastBatch, startBatch, stopBatch, undoBatch } from './batches.ts'

export const ticketBatchRoutes: Route[] = [
  route(ticketBatchesApi.last, (scope) => findLastBatch(scope)),
  route(ticketBatchesApi.start, (scope, { body }) => startBatch(scope, body)),
  route(ticketBatchesApi.stop, (scope, { params }) => stopBatch(scope, params.id)),
  route(ticketBatchesApi.undo, (scope, { params }) => undoBatch(scope, params.id)),
]
