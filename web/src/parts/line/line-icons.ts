import type { LineProvider } from '@recado/contract/connections'
import { type Icon, IconCloud, IconDeviceMobileMessage, IconQrcode } from '@tabler/icons-react'

/** Design 5: one icon, one meaning. */
export const providerIcons: Record<LineProvider, Icon> = {
  beta: IconQrcode,
  cloud: IconCloud,
  sandbox: IconDeviceMobileMessage,
}
