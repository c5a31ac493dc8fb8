import {
  maxCallingCodeDigits,
  messagePricesApi,
  type PriceCategory,
  type PriceList,
  type PriceListState,
} from '@recado/contract/money/message-prices'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import { exampleMessagePrices } from './example-message-prices.ts'

/** Whole millionths of a price such as `0.0618`, without floating point. */
export function toMicros(price: string): number {
  const [whole = '0', decimals = ''] = price.split('.')
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

export async function loadPriceLists(scope: Scope): Promise<PriceListState> {
  const row = await scope.db.selectFrom('messagePrices').select(['lists', 'updatedAt']).executeTakeFirst()
  return row
    ? { lists: row.lists, isExample: false, updatedAt: row.updatedAt }
    : { lists: exampleMessagePrices, isExample: true, updatedAt: null }
}

/** The list in force on a day; null: all lists begin later. */
export const findPriceList = (lists: PriceList[], day: string): PriceList | null =>
  lists.filter(({ from }) => from <= day).toSorted((a, b) => b.from.localeCompare(a.from))[0] ?? null

/** A country by the first digits of a phone number, and its price in millionths; null: the list has none. */
export type CountryPrice = { country: string; micros: number | null }

/** Finds the price of a message by the number it goes to. The longest calling code that fits counts. */
export function makePriceFinder(list: PriceList | null): (phone: string, category: PriceCategory) => CountryPrice {
  const byCode = new Map(list?.countries.flatMap((country) => country.codes.map((code) => [code, country] as const)))
  return (phone, category) => {
    // The country of somebody without a known number is not known either.
    if (!/^[1-9]\d/.test(phone)) return { country: '', micros: null }
    let found = byCode.get('*')
    for (let length = 1; length <= maxCallingCodeDigits; length++) found = byCode.get(phone.slice(0, length)) ?? found
    const price = found?.[category]
    return { country: found?.country ?? '', micros: price === undefined ? null : toMicros(price) }
  }
}

async function savePriceLists(scope: Scope, lists: PriceList[] | null): Promise<void> {
  if (!lists) {
    await scope.db.deleteFrom('messagePrices').execute()
    return
  }
  const newestFirst = lists.toSorted((a, b) => b.from.localeCompare(a.from))
  const values = { lists: JSON.stringify(newestFirst), updatedAt: scope.now() }
  await scope.db
    .insertInto('messagePrices')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

export const messagePriceRoutes: Route[] = [
  route(messagePricesApi.show, (scope) => loadPriceLists(scope)),
  route(messagePricesApi.save, async (scope, { body }) => {
    await savePriceLists(scope, body.lists)
    return loadPriceLists(scope)
  }),
]
