import { macrosApi } from '@recado/contract/macros/macros'
import { type Route, route } from '../../kernel/http/routes.ts'
import { createMacro, listMacros, removeMacro, setMacroFile, updateMacro } from './macros.ts'
import { type StartFlow, undoRun } from './run-steps.ts'
import { cancelRun, checkSteps, listWaitingRuns, runSteps } from './runs.ts'

export const macroRoutes = (startFlow: StartFlow): Route[] => [
  route(macrosApi.list, (scope) => listMacros(scope)),
  route(macrosApi.create, (scope, { body }) => createMacro(scope, body)),
  route(macrosApi.check, (scope, { body }) => checkSteps(scope, body, startFlow), { transaction: false }),
  route(macrosApi.run, (scope, { body }) => runSteps(scope, body, startFlow), { transaction: false }),
  route(macrosApi.runs, (scope, { params }) => listWaitingRuns(scope, params.ticketId)),
  route(macrosApi.cancelRun, (scope, { params }) => cancelRun(scope, params.id)),
  route(macrosApi.undoRun, (scope, { params }) => undoRun(scope, params.id)),
  route(macrosApi.update, (scope, { params, body }) => updateMacro(scope, params.id, body)),
  route(macrosApi.remove, (scope, { params }) => removeMacro(scope, params.id)),
  route(macrosApi.upload, async (scope, { params }, { uploads }) => {
    await setMacroFile(scope, params.id, uploads[0])
    return { mensagem: 'uploaded' }
  }),
  route(macrosApi.detach, async (scope, { params }) => {
    await setMacroFile(scope, params.id, undefined)
    return { mensagem: 'removed' }
  }),
]
