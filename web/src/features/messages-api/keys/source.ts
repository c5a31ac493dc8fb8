import { type ApiKey, keysApi } from '@recado/contract/doors/keys'
import { sourceOf } from '../../../records/use-records.ts'

export const keySource = sourceOf({ ...keysApi, record: { ...keysApi.record, plural: 'apiKeys' as const } })

/** With the key itself, which is shown this once. */
export type MadeKey = ApiKey & { key: string }
