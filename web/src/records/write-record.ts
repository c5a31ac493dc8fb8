import type { Endpoint, Given, Reply } from '@recado/contract/kit'
import { call } from '../lib/api.ts'
import type { Row } from './merge.ts'

/** Creates, or changes what was there before. Both replies of a record are the row itself. */
export function writeRecord<C extends Endpoint, U extends Endpoint>(
  api: { create: C; update: U },
  body: NonNullable<Given<C>['body']>,
  before: Row | null,
): Promise<Reply<C>> {
  if (!before) return call(api.create, { body } as Given<C>)
  return call(api.update, { params: { id: before.id }, body } as Given<U>) as Promise<Reply<C>>
}
