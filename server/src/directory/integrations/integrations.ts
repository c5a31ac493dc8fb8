import { type Integration, type IntegrationWrite, integrationsApi } from '@recado/contract/integrations/integrations'
import { can } from '@recado/contract/rules'
import { isMaskedSecret, secretMask } from '@recado/contract/settings'
import type { Selectable } from 'kysely'
import { makeRecords } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { crudRoutes, route } from '../../kernel/http/routes.ts'
import { loadUsedBy } from '../used-by.ts'
import { loadIntegrationHealth } from './integration-health.ts'

export type IntegrationRow = Selectable<DB['queueIntegrations']>

async function presentIntegrations(scope: Scope, rows: IntegrationRow[]): Promise<Integration[]> {
  const ids = rows.map((row) => row.id)
  const places = await loadUsedBy(scope, 'integrationId', ids)
  const health = await loadIntegrationHealth(scope, rows)
  return rows.map(({ jsonSealed, secretSealed, failuresInRow, lastError, restsUntil, companyId, ...row }) => ({
    ...row,
    jsonContent: jsonSealed ? secretMask : '',
    usedBy: places.get(row.id) ?? { queues: [], lines: [] },
    health: health(row.id),
  }))
}

export const integrations = makeRecords('queueIntegrations', integrationsApi, {
  present: presentIntegrations,
  audience: (scope) => ({ admins: scope.companyId }),
})

/** The values of the form. Invalid settings are reported at once, at their field. */
function formFields(scope: Scope, write: IntegrationWrite, before?: IntegrationRow) {
  const { type, name, projectName, jsonContent, urlN8N, typebotSlug, ...rest } = write
  if (type === 'dialogflow') {
    if (!projectName) throw new AppError('ERR_VALIDATION', { projectName: 'Required' })
    if (!(jsonContent || before?.jsonSealed)) throw new AppError('ERR_VALIDATION', { jsonContent: 'Required' })
  } else {
    if (!urlN8N) throw new AppError('ERR_VALIDATION', { urlN8N: 'Required' })
    if (!isWebAddress(urlN8N)) throw new AppError('ERR_VALIDATION', { urlN8N: 'Invalid' })
    if (!scope.deps.outgoing.isSecure(urlN8N)) throw new AppError('ERR_VALIDATION', { urlN8N: 'Not https' })
    if (type === 'typebot' && !typebotSlug) throw new AppError('ERR_VALIDATION', { typebotSlug: 'Required' })
  }
  if (jsonContent && !isMaskedSecret(jsonContent) && !isJson(jsonContent))
    throw new AppError('ERR_VALIDATION', { jsonContent: 'Invalid' })
  const json = isMaskedSecret(jsonContent) ? {} : { jsonSealed: jsonContent && scope.deps.vault.seal(jsonContent) }
  const project = type === 'dialogflow' ? projectName : name
  return { ...rest, ...json, type, name, projectName: project, urlN8N, typebotSlug, updatedAt: scope.now() }
}
const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

export const integrationRoutes = [
  ...crudRoutes(integrationsApi, integrations, ['list', 'create', 'update', 'remove']),
  route(integrationsApi.list, async (scope, { query }) => {
    const may = can(scope.actor, 'integrations-page:edit') && scope.plan.useIntegrations
    if (!may) return { queueIntegrations: [], count: 0, hasMore: false }
    const { rows, ...rest } = await integrations.page(scope, query)
    return { queueIntegrations: rows, ...rest }
  }),
  route(integrationsApi.create, (scope, { body }) => {
    if (isMaskedSecret(body.jsonContent)) throw new AppError('ERR_VALIDATION', { jsonContent: 'Required' })
    return integrations.create(scope, formFields(scope, body))
  }),
  /** A changed integration may work again, so its pause ends. */
  route(integrationsApi.update, async (scope, { params, body }) => {
    const before = await integrations.lockRow(scope, params.id)
    const afresh = { failuresInRow: 0, lastError: '', restsUntil: null }
    return integrations.update(scope, params.id, { ...formFields(scope, body, before), ...afresh })
  }),
  route(integrationsApi.remove, async (scope, { params }) => {
    await integrations.lockRow(scope, params.id)
    const places = (await loadUsedBy(scope, 'integrationId', [params.id])).get(params.id)
    if (places && places.queues.length + places.lines.length > 0) throw new AppError('ERR_INTEGRATION_IN_USE')
    await integrations.remove(scope, params.id)
    return { message: 'deleted' }
  }),
]
