import { settingsApi } from '@recado/contract/settings'
import { route } from '../../kernel/http/routes.ts'
import { previewRetention } from './retention.ts'

export const retentionRoutes = [
  route(settingsApi.retention, (scope, { query }) => previewRetention(scope, query.months)),
]
