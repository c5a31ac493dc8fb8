import { notYetApi } from '@recado/contract/not-yet'
import { route } from '../kernel/http/http.ts'

const nothing = { count: 0, hasMore: false }

export const notYetRoutes = [
  route(notYetApi.invoices, () => []),
  route(notYetApi.prompts, () => ({ prompts: [], ...nothing })),
  route(notYetApi.integrations, () => ({ queueIntegrations: [], ...nothing })),
]
