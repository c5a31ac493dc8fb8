import { type ApiKey, apiKeysApi } from '@recado/contract/api-access/api-keys'
import { recordSourceOf } from '../../../records/use-records.ts'

export const keySource = recordSourceOf({ ...apiKeysApi, record: { ...apiKeysApi.record, plural: 'apiKeys' as const } })

/** A new API key. It includes the secret, which is shown only once. */
export type CreatedKey = ApiKey & { key: string }
