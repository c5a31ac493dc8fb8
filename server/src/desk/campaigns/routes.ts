import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { filledIn, unknownVariables } from '@recado/contract/campaigns/words'
import { momentOfText } from '@recado/contract/schedules/repetition'
import { toCsv } from '@recado/contract/words/csv'
import type { z } from 'zod'
import { zoneOf } from '../../accounts/settings.ts'
import { findLine } from '../../directory/connections/connections.ts'
import { lists } from '../../directory/contact-lists/lists.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Route, route } from '../../kernel/http/http.ts'
import type { AskTemplates } from '../../lines/cloud/templates.ts'
import { firstOfAudience } from './audience.ts'
import { makePlan, planPeople } from './plan.ts'
import { sendTest } from './rehearse.ts'
import { pageOfPeople, reportOf, sheetOf } from './report.ts'
import { tryAgain } from './retry.ts'
import { campaignSettings } from './settings.ts'
import { campaigns, detailOf } from './view.ts'
import { workbook } from './workbook.ts'
import {
  attach,
  cancelCampaign,
  createCampaign,
  detach,
  removeCampaign,
  restartCampaign,
  startCampaign,
  templateOf,
  updateCampaign,
} from './write.ts'

/** Meta may have to be asked, or much is read: no transaction waits for that. */
const ownTransaction = { transaction: false }
/** So many people's phones are shown. */
const shown = 5

const mustBeTag = async (scope: Scope, tagId: number | null): Promise<void> => {
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

/** What is to be planned, when all of it is there. */
async function planned(scope: Scope, body: z.output<typeof campaignsApi.plan.body>) {
  const { id, contactListId, tagId = null, whatsappId } = body
  if (id !== null) await campaigns.stored(scope, id)
  if (contactListId !== null) await lists.stored(scope, contactListId)
  if (whatsappId !== null) await findLine(scope, whatsappId)
  await mustBeTag(scope, tagId)
  const scheduledAt = body.scheduledAt === null ? null : momentOfText(body.scheduledAt, await zoneOf(scope))
  const settings = { ...(await campaignSettings(scope)), ...given(body.settings ?? {}) }
  return { asked: { id, contactListId, tagId, whatsappId, scheduledAt }, settings }
}

export const campaignRoutes = (ask: AskTemplates): Route[] => [
  route(campaignsApi.list, async (scope, { query }) => {
    const { rows, count, hasMore } = await campaigns.page(scope, query)
    return { records: rows, count, hasMore }
  }),
  route(campaignsApi.show, async (scope, { params, query }) =>
    detailOf(scope, await campaigns.stored(scope, params.id), query.lean),
  ),
  route(
    campaignsApi.create,
    async (scope, { body }) => {
      const template = await templateOf(scope, body, ask)
      return scope.transaction((tx) => createCampaign(tx, body, template))
    },
    ownTransaction,
  ),
  route(
    campaignsApi.update,
    async (scope, { params, body }) => {
      await campaigns.stored(scope, params.id)
      const template = await templateOf(scope, body, ask)
      return scope.transaction((tx) => updateCampaign(tx, params.id, body, template))
    },
    ownTransaction,
  ),
  route(campaignsApi.remove, async (scope, { params }) => {
    await removeCampaign(scope, params.id)
    return { message: 'deleted' }
  }),
  route(campaignsApi.upload, async (scope, { params }, { uploads }) => {
    await attach(scope, params.id, uploads[0])
    return { mensagem: 'uploaded' }
  }),
  route(campaignsApi.detach, async (scope, { params }) => {
    await detach(scope, params.id)
    return { mensagem: 'removed' }
  }),
  route(
    campaignsApi.plan,
    async (scope, { body }) => {
      const { asked, settings } = await planned(scope, body)
      return makePlan(scope, asked, settings)
    },
    ownTransaction,
  ),
  route(
    campaignsApi.planPeople,
    async (scope, { body }) => {
      const { asked, settings } = await planned(scope, body)
      return planPeople(scope, asked, settings, body)
    },
    ownTransaction,
  ),
  route(
    campaignsApi.preview,
    async (scope, { body }) => {
      const { contactListId, tagId = null, texts } = body
      if (contactListId !== null) await lists.stored(scope, contactListId)
      await mustBeTag(scope, tagId)
      const { variables } = await campaignSettings(scope)
      const people = await firstOfAudience(scope, { contactListId, tagId }, shown)
      return {
        people: people.map(({ name, number, email }) => ({
          name,
          number,
          texts: texts.map((text) => filledIn(text, variables, { nome: name, numero: number, email })),
        })),
        unknown: [...new Set(texts.flatMap((text) => unknownVariables(text, variables)))],
      }
    },
    ownTransaction,
  ),
  route(campaignsApi.test, (scope, { params, body }) => sendTest(scope, params.id, body.number)),
  route(campaignsApi.start, (scope, { params, body }) => startCampaign(scope, params.id, body.gets)),
  route(campaignsApi.cancel, (scope, { params }) => cancelCampaign(scope, params.id)),
  route(campaignsApi.restart, (scope, { params }) => restartCampaign(scope, params.id)),
  route(campaignsApi.retry, (scope, { params, body }) => tryAgain(scope, params.id, body.reason)),
  route(campaignsApi.report, (scope, { params }) => reportOf(scope, params.id)),
  route(campaignsApi.people, (scope, { params, query }) => pageOfPeople(scope, params.id, query)),
  route(campaignsApi.export, async (scope, { params, query }) => toCsv(await sheetOf(scope, params.id, query))),
  route(campaignsApi.exportSheet, async (scope, { params, query }) =>
    workbook(scope.companyId, await sheetOf(scope, params.id, query)),
  ),
]

/** What was said, without what was left out. */
const given = <T extends object>(some: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as never
