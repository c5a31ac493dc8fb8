import { IconMessageCircle } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Chat interno', pt: 'Chat interno', en: 'Internal chat' },
  menu: {
    ...{ section: 'work', order: 70, icon: IconMessageCircle, alert: 'chats', bottomBarOrder: 20 },
    shortLabel: { es: 'Chat', pt: 'Chat', en: 'Chat' },
  },
}
