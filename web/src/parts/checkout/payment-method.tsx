import { type Currency, pixCurrency } from '@recado/contract/money/currency'
import type { Subscription } from '@recado/contract/money/subscription'
import { IconBuildingBank, IconQrcode } from '@tabler/icons-react'

type PaymentOptions = Pick<Subscription, 'provider' | 'paymentInstructions'>

/** Pix exists only in reais. Without a provider, the operator's own instructions apply there too. */
export const isPaidByPix = ({ provider, paymentInstructions }: PaymentOptions, currency: Currency): boolean =>
  currency === pixCurrency && (provider !== null || paymentInstructions === '')

/** Whether the checkout can be completed. Outside Brazil it always can: the company reports what it paid. */
export const canCheckOut = (options: PaymentOptions, currency: Currency): boolean =>
  !isPaidByPix(options, currency) || options.provider !== null

/** The icon of a button that leads to a payment: a Pix code, or a transfer. */
export function PayIcon({ currency, size = 16 }: { currency: Currency; size?: number }) {
  const Icon = currency === pixCurrency ? IconQrcode : IconBuildingBank
  return <Icon size={size} stroke={1.75} />
}
