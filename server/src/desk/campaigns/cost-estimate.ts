import type { CampaignPlan } from '@recado/contract/campaigns/campaigns'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { lineTraits } from '@recado/contract/line-traits'
import { type CostEstimate, maxCallingCodeDigits, priceCategories } from '@recado/contract/money/message-prices'
import { findPriceList, loadPriceLists, makePriceFinder } from '../../accounts/money/message-prices.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { LoadTemplates } from '../../lines/cloud/templates.ts'
import { countRecipientsByPrefix } from './audience.ts'
import type { CampaignPlanQuery } from './plan.ts'

type ChosenTemplate = { name: string; language: string }

/**
 * What a campaign would cost at most, by the countries of its recipients and the prices of the day on which it begins.
 * Null: the line has no prices, no template is chosen, or Meta does not list it with a category.
 */
export async function estimateCampaignCost(
  scope: Scope,
  query: CampaignPlanQuery,
  template: ChosenTemplate | null,
  { daysBetween, skipOpen }: CampaignSettings,
  { firstAt }: Pick<CampaignPlan, 'firstAt'>,
  loadTemplates: LoadTemplates,
): Promise<CostEstimate | null> {
  if (query.whatsappId === null || !template) return null
  const line = await findLine(scope, query.whatsappId)
  if (!lineTraits[line.provider].window) return null
  const { templates } = await loadTemplates(scope, query.whatsappId, false)
  const chosen = templates.find(({ name, language }) => name === template.name && language === template.language)
  const category = priceCategories.find((one) => one === chosen?.category)
  if (!category) return null
  const { lists, isExample } = await loadPriceLists(scope)
  const list = findPriceList(lists, toCalendarDay(firstAt ? new Date(firstAt) : scope.now(), 'UTC'))
  const findPrice = makePriceFinder(list)
  const rules = { daysBetween, skipOpen, campaignId: query.id }
  const recipients = await countRecipientsByPrefix(scope, query, rules, maxCallingCodeDigits)
  let [micros, unpriced] = [0, 0]
  for (const { prefix, count } of recipients) {
    const price = findPrice(prefix, category).micros
    if (price === null) unpriced += count
    else micros += price * count
  }
  const amounts = list ? [{ currency: list.currency, micros }] : []
  return { category, amounts, unpriced, listFrom: list?.from ?? null, isExample }
}
