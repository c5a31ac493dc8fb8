import { z } from 'zod'
import { bodyLimitBytes, get, isoDateTime, put } from '../endpoint.ts'

/** What Meta charges for, as its price list groups it. */
export const priceCategories = [
  'marketing',
  'utility',
  'authentication',
  'authentication-international',
  'service',
] as const
export type PriceCategory = (typeof priceCategories)[number]

/** The longest calling code of a list, in digits: `1809` is the Dominican Republic. */
export const maxCallingCodeDigits = 5

/** An amount of the currency with up to six decimals. Text, because 0.0618 has no exact binary form. */
const priceText = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/)
/** `*` stands for every country that the list does not name. */
const callingCode = z.string().regex(/^(\*|[1-9]\d{0,4})$/)

const CountryPrices = z
  .object({
    country: z.string().trim().min(1).max(60),
    /** The numbers of the country begin with one of these; the longest that fits counts. */
    codes: z.array(callingCode).min(1).max(60),
    marketing: priceText.optional(),
    utility: priceText.optional(),
    authentication: priceText.optional(),
    'authentication-international': priceText.optional(),
    service: priceText.optional(),
  })
  .strict()
export type CountryPrices = z.infer<typeof CountryPrices>

const calendarDay = z.iso.date()

export const PriceList = z
  .object({
    /** The first day of these prices (UTC). */
    from: calendarDay,
    currency: z.string().regex(/^[A-Z]{3}$/),
    countries: z.array(CountryPrices).min(1).max(300),
  })
  .strict()
export type PriceList = z.infer<typeof PriceList>

const hasDistinct = (values: string[]): boolean => new Set(values).size === values.length

/** Dated lists: each is in force until the next one begins. */
export const PriceLists = z
  .array(PriceList)
  .min(1)
  .max(24)
  .refine((lists) => hasDistinct(lists.map(({ from }) => from)), 'two lists begin on the same day')
  .refine(
    (lists) => lists.every(({ countries }) => hasDistinct(countries.flatMap(({ codes }) => codes))),
    'a calling code is in a list twice',
  )

const PriceListState = z.object({
  lists: z.array(PriceList),
  /** Whether this is the list that comes with Recado, which nobody has checked against Meta's. */
  isExample: z.boolean(),
  updatedAt: isoDateTime.nullable(),
})
export type PriceListState = z.infer<typeof PriceListState>

const example: z.input<typeof PriceLists> = [
  {
    from: '2026-01-01',
    currency: 'USD',
    countries: [{ country: 'Brasil', codes: ['55'], marketing: '0.0625', utility: '0.0068' }],
  },
]

export const messagePricesApi = {
  show: get('/platform/message-prices', {
    about: "Meta's prices per country and category, by which the cost of messages is calculated",
    access: 'super',
    reply: PriceListState,
  }),
  save: put('/platform/message-prices', {
    about: 'Replace the price lists; null: back to the example. Costs that are already recorded stay as they are',
    access: 'super',
    bytes: bodyLimitBytes.longText,
    body: z.object({ lists: PriceLists.nullable() }),
    example: { lists: example },
    reply: PriceListState,
  }),
}

/** Whole millionths of a currency. Amounts of different currencies are never added up. */
export const MoneyAmount = z.object({ currency: z.string(), micros: z.number().int() })
export type MoneyAmount = z.infer<typeof MoneyAmount>

/** What messages cost. */
export const MessageCost = z.object({
  amounts: z.array(MoneyAmount),
  /** Messages that Meta charges for, those that were free, and charged ones without a price in the list. */
  charged: z.number(),
  free: z.number(),
  unpriced: z.number(),
})
export type MessageCost = z.infer<typeof MessageCost>

/** What a campaign will cost at most: Meta does not charge for some messages to people who wrote within 24 hours. */
export const CostEstimate = z.object({
  category: z.enum(priceCategories),
  amounts: z.array(MoneyAmount),
  /** Recipients in countries without a price in the list. */
  unpriced: z.number(),
  /** The first day of the list that was used; null: no list is in force. */
  listFrom: z.string().nullable(),
  isExample: z.boolean(),
})
export type CostEstimate = z.infer<typeof CostEstimate>
