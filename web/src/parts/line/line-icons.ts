import type { LineProvider } from '@recado/contract/connections'
import { type Icon, IconCloud, IconDeviceMobileMessage, IconQrcode } from '@tabler/icons-react'

/** Icons of the kinds of line; each icon has one meaning in the whole app (design 5). */
export const providerIcons: Record<LineProvider, Icon> = {
  beta: IconQrcode,
  cloud: IconCloud,
  sandbox: IconDeviceMobileMessage,
}
