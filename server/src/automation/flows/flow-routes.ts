import { flowHooksApi } from '@recado/contract/flows/flow-hooks'
import { flowTestsApi } from '@recado/contract/flows/flow-tests'
import { flowsApi } from '@recado/contract/flows/flows'
import { type Route, route } from '../../kernel/http/routes.ts'
import { showDryRun, startDryRun, stopDryRun } from './dry-run.ts'
import { callHook, type HookDeps, removeHook, setHook } from './flow-hooks.ts'
import { loadFlowNames } from './flow-names.ts'
import { createTest, listTests, removeTest, updateTest } from './flow-tests.ts'
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
import { listFlows, listVersions, showFlow, showNumbers } from './show-flows.ts'
import { listStartable, startFlowByUser } from './start-by-user.ts'

/** `calls`: how programs may call the addresses of flows. */
export const flowRoutes = (calls: HookDeps): Route[] => [
  route(
    flowHooksApi.start,
    (scope, input, { request }) => callHook(scope, input, request.headers['idempotency-key'], calls),
    {
      transaction: false,
    },
  ),
  route(flowsApi.startable, (scope) => listStartable(scope)),
  route(flowsApi.startInTicket, (scope, input) => startFlowByUser(scope, input)),
  route(flowsApi.numbers, (scope, { params }) => showNumbers(scope, params.id)),
  route(flowsApi.setHook, (scope, { params }) => setHook(scope, params.id)),
  route(flowsApi.removeHook, (scope, { params }) => removeHook(scope, params.id)),
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
  route(flowTestsApi.list, (scope, { params }) => listTests(scope, params.id)),
  route(flowTestsApi.create, (scope, { params, body }) => createTest(scope, params.id, body)),
  route(flowTestsApi.update, (scope, input) => updateTest(scope, input)),
  route(flowTestsApi.remove, (scope, { params }) => removeTest(scope, params)),
  route(flowsApi.retryRun, (scope, { params }) => retryRun(scope, params.id)),
]
