import { flowsApi } from '@recado/contract/flows/flows'
import { type Route, route } from '../../kernel/http/routes.ts'
import { showDryRun, startDryRun, stopDryRun } from './dry-run.ts'
import { loadFlowNames } from './flow-names.ts'
import { endRun, listRuns, retryRun } from './manage-runs.ts'
import {
  createFlow,
  orderFlows,
  publishFlow,
  removeFlow,
  restoreVersion,
  setFlowActive,
  updateFlow,
} from './save-flows.ts'
import { listFlows, listVersions, showFlow } from './show-flows.ts'

export const flowRoutes: Route[] = [
  route(flowsApi.list, (scope, { query }) => listFlows(scope, query.kind)),
  route(flowsApi.create, (scope, { body }) => createFlow(scope, body)),
  route(flowsApi.order, (scope, { body }) => orderFlows(scope, body.ids)),
  route(flowsApi.check, async (scope, { body }) => ({ names: await loadFlowNames(scope, [body.document]) })),
  route(flowsApi.dryRun, (scope, { body }) => startDryRun(scope, body)),
  route(flowsApi.dryRunResult, (scope, { params }) => showDryRun(scope, params.id)),
  route(flowsApi.stopDryRun, (scope, { params }) => stopDryRun(scope, params.id)),
  route(flowsApi.show, (scope, { params }) => showFlow(scope, params.id)),
  route(flowsApi.update, (scope, input) => updateFlow(scope, input)),
  route(flowsApi.remove, (scope, { params }) => removeFlow(scope, params.id)),
  route(flowsApi.publish, (scope, { params, body }) => publishFlow(scope, params.id, body.revision)),
  route(flowsApi.setActive, (scope, { params, body }) => setFlowActive(scope, params.id, body.active)),
  route(flowsApi.versions, (scope, { params }) => listVersions(scope, params.id)),
  route(flowsApi.restore, (scope, { params }) => restoreVersion(scope, params.id, params.number)),
  route(flowsApi.runs, (scope, input) => listRuns(scope, input)),
  route(flowsApi.endRun, (scope, { params }) => endRun(scope, params.id)),
  route(flowsApi.retryRun, (scope, { params }) => retryRun(scope, params.id)),
]
