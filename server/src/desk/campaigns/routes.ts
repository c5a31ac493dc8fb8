import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { fillCampaignText, findUnknownVariables } from '@recado/contract/campaigns/texts'
import { parseMoment } from '@recado/contract/schedules/occurrences'
import { toCsv } from '@recado/contract/text/csv'
import type { z } from 'zod'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { contactLists } from '../../directory/contact-lists/contact-lists.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import type { LoadTemplates } from '../../lines/cloud/templates.ts'
import { previewAudience } from './audience.ts'
import { estimateCampaignCost } from './cost-estimate.ts'
import { listPlannedPeople, makeCampaignPlan } from './plan.ts'
import { buildCampaignReport, exportCampaignPeople, listCampaignPeople } from './report.ts'
import { retryFailedShippings } from './retry.ts'
import { sendCampaignTest } from './send-test.ts'
import { loadCampaignSettings } from './settings.ts'
import { campaigns, presentCampaignDetail } from './view.ts'
import { writeWorkbook } from './workbook.ts'
import {
  attachCampaignFile,
  cancelCampaign,
  createCampaign,
  detachCampaignFile,
  removeCampaign,
  resolveTemplate,
  restartCampaign,
  startCampaign,
  updateCampaign,
} from './write.ts'

/** These routes may call Meta or read much data: no transaction may stay open meanwhile. */
const ownTransaction = { transaction: false }
/** How many people the phone preview shows. */
const maxPreviewPeople = 5

const assertTagExists = async (scope: Scope, tagId: number | null): Promise<void> => {
  const found =
    tagId === null ||
    (await scope.db
      .selectFrom('tags')
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('id', '=', tagId)
      .executeTakeFirst())
  if (!found) throw new AppError('ERR_NO_TAG_FOUND')
}

/** Checks that the referenced records exist, and completes the plan query with the company's settings. */
async function resolvePlanQuery(scope: Scope, body: z.output<typeof campaignsApi.plan.body>) {
  const { id, contactListId, tagId = null, whatsappId } = body
  if (id !== null) await campaigns.findRow(scope, id)
  if (contactListId !== null) await contactLists.findRow(scope, contactListId)
  if (whatsappId !== null) await findLine(scope, whatsappId)
  await assertTagExists(scope, tagId)
  const scheduledAt = body.scheduledAt === null ? null : parseMoment(body.scheduledAt, await loadCompanyTimeZone(scope))
  const settings = { ...(await loadCampaignSettings(scope)), ...withoutUndefined(body.settings ?? {}) }
  return { asked: { id, contactListId, tagId, whatsappId, scheduledAt }, settings }
}

export const campaignRoutes = (loadTemplates: LoadTemplates): Route[] => [
  route(campaignsApi.list, async (scope, { query }) => {
    const { rows, count, hasMore } = await campaigns.page(scope, query)
    return { records: rows, count, hasMore }
  }),
  route(campaignsApi.show, async (scope, { params, query }) =>
    presentCampaignDetail(scope, await campaigns.findRow(scope, params.id), query.lean),
  ),
  route(
    campaignsApi.create,
    async (scope, { body }) => {
      const template = await resolveTemplate(scope, body, loadTemplates)
      return scope.transaction((tx) => createCampaign(tx, body, template))
    },
    ownTransaction,
  ),
  route(
    campaignsApi.update,
    async (scope, { params, body }) => {
      await campaigns.findRow(scope, params.id)
      const template = await resolveTemplate(scope, body, loadTemplates)
      return scope.transaction((tx) => updateCampaign(tx, params.id, body, template))
    },
    ownTransaction,
  ),
  route(campaignsApi.remove, async (scope, { params }) => {
    await removeCampaign(scope, params.id)
    return { message: 'deleted' }
  }),
  route(campaignsApi.upload, async (scope, { params }, { uploads }) => {
    await attachCampaignFile(scope, params.id, uploads[0])
    return { mensagem: 'uploaded' }
  }),
  route(campaignsApi.detach, async (scope, { params }) => {
    await detachCampaignFile(scope, params.id)
    return { mensagem: 'removed' }
  }),
  route(
    campaignsApi.plan,
    async (scope, { body }) => {
      const { asked, settings } = await resolvePlanQuery(scope, body)
      const plan = await makeCampaignPlan(scope, asked, settings)
      const cost = await estimateCampaignCost(scope, asked, body.template, settings, plan, loadTemplates)
      return { ...plan, cost }
    },
    ownTransaction,
  ),
  route(
    campaignsApi.planPeople,
    async (scope, { body }) => {
      const { asked, settings } = await resolvePlanQuery(scope, body)
      return listPlannedPeople(scope, asked, settings, body)
    },
    ownTransaction,
  ),
  route(
    campaignsApi.preview,
    async (scope, { body }) => {
      const { contactListId, tagId = null, texts } = body
      if (contactListId !== null) await contactLists.findRow(scope, contactListId)
      await assertTagExists(scope, tagId)
      const { variables } = await loadCampaignSettings(scope)
      const people = await previewAudience(scope, { contactListId, tagId }, maxPreviewPeople)
      return {
        people: people.map(({ name, number, email }) => ({
          name,
          number,
          texts: texts.map((text) => fillCampaignText(text, variables, { nome: name, numero: number, email })),
        })),
        unknown: [...new Set(texts.flatMap((text) => findUnknownVariables(text, variables)))],
      }
    },
    ownTransaction,
  ),
  route(campaignsApi.test, (scope, { params, body }) => sendCampaignTest(scope, params.id, body.number)),
  route(campaignsApi.start, (scope, { params, body }) => startCampaign(scope, params.id, body.gets)),
  route(campaignsApi.cancel, (scope, { params }) => cancelCampaign(scope, params.id)),
  route(campaignsApi.restart, (scope, { params }) => restartCampaign(scope, params.id)),
  route(campaignsApi.retry, (scope, { params, body }) => retryFailedShippings(scope, params.id, body.reason)),
  route(campaignsApi.report, (scope, { params }) => buildCampaignReport(scope, params.id)),
  route(campaignsApi.people, (scope, { params, query }) => listCampaignPeople(scope, params.id, query)),
  route(campaignsApi.export, async (scope, { params, query }) =>
    toCsv(await exportCampaignPeople(scope, params.id, query)),
  ),
  route(campaignsApi.exportSheet, async (scope, { params, query }) =>
    writeWorkbook(scope.companyId, await exportCampaignPeople(scope, params.id, query)),
  ),
]

/** The object without its undefined fields. */
const withoutUndefined = <T extends object>(some: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as never
