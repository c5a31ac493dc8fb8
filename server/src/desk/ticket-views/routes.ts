import { ticketViewsApi } from '@recado/contract/views/ticket-views'
import { type Route, route } from '../../kernel/http/routes.ts'
import { previewView } from './preview.ts'
import { countViews, createView, listViews, removeView, updateView } from './views.ts'

export const ticketViewRoutes: Route[] = [
  route(ticketViewsApi.list, (scope) => listViews(scope)),
  route(ticketViewsApi.counts, (scope) => countViews(scope)),
  route(ticketViewsApi.create, (scope, { body }) => createView(scope, body)),
  route(ticketViewsApi.update, (scope, { params, body }) => updateView(scope, params.id, body)),
  route(ticketViewsApi.remove, (scope, { params }) => removeView(scope, params.id)),
  route(ticketViewsApi.preview, (scope, { body }) => previewView(scope, body)),
]
