import { type Currency, pixCurrency } from '@recado/contract/money/currency'
import type { Subscription } from '@recado/contract/money/subscription'

type PaymentOptions = Pick<Subscription, 'provider' | 'paymentInstructions'>

/** Pix exists only in reais. Without a provider, the operator's own instructions apply there too. */
export const isPaidByPix = ({ provider, paymentInstructions }: PaymentOptions, currency: Currency): boolean =>
  currency === pixCurrency && (provider !== null || paymentInstructions === '')

/** Whether the checkout can be completed. Outside Brazil it always can: the company reports what it paid. */
export const canCheckOut = (options: PaymentOptions, currency: Currency): boolean =>
  !isPaidByPix(options, currency) || options.provider !== null
