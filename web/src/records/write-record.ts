import type { Endpoint, EndpointInput, Reply } from '@recado/contract/endpoint'
import { callApi } from '../lib/api.ts'
import type { RecordRow } from './merge-rows.ts'

/** Creates or updates a record. Both endpoints respond with the row itself. */
export function writeRecord<C extends Endpoint, U extends Endpoint>(
  api: { create: C; update: U },
  body: NonNullable<EndpointInput<C>['body']>,
  before: RecordRow | null,
): Promise<Reply<C>> {
  if (!before) return callApi(api.create, { body } as EndpointInput<C>)
  return callApi(api.update, { params: { id: before.id }, body } as EndpointInput<U>) as Promise<Reply<C>>
}
