import { type Currency, pixCurrency } from '@recado/contract/money/currency'
import { IconBuildingBank, IconQrcode } from '@tabler/icons-react'

/** The icon of a button that leads to a payment: a Pix code, or a transfer. */
export function PayIcon({ currency, size = 16 }: { currency: Currency; size?: number }) {
  const Icon = currency === pixCurrency ? IconQrcode : IconBuildingBank
  return <Icon size={size} stroke={1.75} />
}
