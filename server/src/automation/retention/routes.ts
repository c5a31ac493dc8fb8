import { settingsApi } from '@recado/contract/settings'
import { route } from '../../kernel/http/http.ts'
import { previewOf } from './retention.ts'

export const retentionRoutes = [route(settingsApi.retention, (scope, { query }) => previewOf(scope, query.months))]
