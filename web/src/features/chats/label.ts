import { IconMessageCircle } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Chat interno', pt: 'Chat interno', en: 'Internal chat' },
  menu: {
    ...{ section: 'work', order: 90, icon: IconMessageCircle, alert: 'chats', handy: 20 },
    short: { es: 'Chat', pt: 'Chat', en: 'Chat' },
  },
}
