import { keysApi } from '@recado/contract/doors/keys'
import { sourceOf } from '../../../records/use-records.ts'

export const keySource = sourceOf({ ...keysApi, record: { ...keysApi.record, plural: 'apiKeys' as const } })
