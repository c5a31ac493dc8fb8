import {
  type MessageCost,
  type MoneyAmount,
  type PriceCategory,
  priceCategories,
} from '@recado/contract/money/message-prices'
import { type RawBuilder, sql } from 'kysely'
import { findPriceList, loadPriceLists, makePriceFinder } from '../../accounts/money/message-prices.ts'
import { toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { StatusPricing } from '../../lines/line.ts'

/** A status of one of our messages: who got it, and what Meta says about its price. */
type PricedStatus = { targetId: string; chat: string; ack: number; pricing?: StatusPricing | undefined }

/** Meta charges for delivered messages; "read" proves the delivery as well. */
const deliveredAck = 3

/**
 * Records the cost of delivered messages, by the price list of the day. Each message counts once: Meta repeats the price
 * with later statuses. The journal may be of an imported company, so its values are checked again.
 */
export async function recordMessageCosts(scope: Scope, whatsappId: number, statuses: PricedStatus[]): Promise<void> {
  const priced = new Map(
    statuses.flatMap((status) =>
      status.pricing && status.ack >= deliveredAck ? [[status.targetId, { ...status, ...status.pricing }]] : [],
    ),
  )
  if (!priced.size) return
  const messages = await scope.db
    .selectFrom('messages')
    .select(['id', 'wid', 'campaignId', sql<string | null>`"sendAs" #>> '{template,name}'`.as('template')])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('fromMe', '=', true)
    .where('wid', 'in', [...priced.keys()])
    .execute()
  if (!messages.length) return
  const at = scope.now()
  const list = findPriceList((await loadPriceLists(scope)).lists, toCalendarDay(at, 'UTC'))
  const findPrice = makePriceFinder(list)
  const rows = messages.map((message) => {
    const status = priced.get(message.wid)
    const category: PriceCategory | '' = priceCategories.find((one) => one === status?.category) ?? ''
    const isCharged = status?.isCharged === true
    const phone = /^(\d{5,15})@s\.whatsapp\.net$/.exec((status?.chat ?? '').slice(0, 40))?.[1] ?? ''
    const found = category === '' ? { country: '', micros: null } : findPrice(phone, category)
    const micros = isCharged ? found.micros : null
    return {
      companyId: scope.companyId,
      messageId: message.id,
      whatsappId,
      campaignId: message.campaignId,
      template: message.template ?? '',
      category,
      country: found.country,
      isCharged,
      micros,
      currency: micros === null ? null : (list?.currency ?? null),
      at,
    }
  })
  await scope.db
    .insertInto('messageCosts')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['companyId', 'messageId']).doNothing())
    .execute()
}

type CostSum = { currency: string | null; micros: number | null; charged: number; free: number; unpriced: number }
/** Columns of one sum per currency; rows without a currency are free or have no price. */
export const costSumColumns = sql`currency, sum(micros)::bigint as micros,
  (count(*) filter (where "isCharged"))::int as charged, (count(*) filter (where not "isCharged"))::int as free,
  (count(*) filter (where "isCharged" and micros is null))::int as unpriced`

/** Joins the sums of several currencies, without adding up their amounts. */
export function joinCostSums(sums: CostSum[]): MessageCost {
  const total = (key: 'charged' | 'free' | 'unpriced') => sums.reduce((sum, one) => sum + one[key], 0)
  return {
    amounts: sums
      .flatMap(({ currency, micros }): MoneyAmount[] => (currency && micros !== null ? [{ currency, micros }] : []))
      .toSorted((a, b) => a.currency.localeCompare(b.currency)),
    charged: total('charged'),
    free: total('free'),
    unpriced: total('unpriced'),
  }
}

/** The cost of the messages that match a condition; null: Meta reported nothing about their price. */
export async function sumMessageCosts(scope: Scope, condition: RawBuilder<unknown>): Promise<MessageCost | null> {
  const { rows } = await sql<CostSum>`
    select ${costSumColumns} from "messageCosts" where "companyId" = ${scope.companyId} and ${condition} group by currency`.execute(
    scope.db,
  )
  return rows.length ? joinCostSums(rows) : null
}
