import { IconMessages } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Tickets', pt: 'Tickets', en: 'Tickets' },
  menu: { section: 'work', order: 20, icon: IconMessages, alert: 'unread', handy: 10 },
}
