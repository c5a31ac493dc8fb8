import type { PriceCategory } from '@recado/contract/money/message-prices'
import type { StatusPricing } from '../line.ts'
import { asJsonObject, asText } from './untyped-json.ts'

const categoryByName: Record<string, PriceCategory> = {
  marketing: 'marketing',
  marketing_lite: 'marketing',
  utility: 'utility',
  authentication: 'authentication',
  authentication_international: 'authentication-international',
  service: 'service',
  referral_conversion: 'service',
}

/**
 * What a status says about the price of the message. Meta names the category and whether it charges, never an amount. A
 * category that we do not know has no price. `type` replaces `billable`, which Meta will drop.
 */
export function parsePricing(raw: unknown): StatusPricing | undefined {
  const pricing = asJsonObject(raw)
  const name = asText(pricing.category).slice(0, 40).toLowerCase()
  if (!name) return undefined
  const type = asText(pricing.type).slice(0, 40).toLowerCase()
  const category = Object.hasOwn(categoryByName, name) ? (categoryByName[name] as PriceCategory) : ''
  return { category, isCharged: type ? type === 'regular' : pricing.billable === true }
}
