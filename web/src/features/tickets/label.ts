import { IconMessages } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Tickets', pt: 'Tickets', en: 'Tickets' },
  menu: { section: 'work', order: 20, icon: IconMessages, alert: 'unread', bottomBarOrder: 10 },
}
