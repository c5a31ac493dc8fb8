import { IconMessageCircle } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/chats/{-$chatId}',
  name: { es: 'Chat interno', pt: 'Chat interno', en: 'Internal chat' },
  page: lazyRouteComponent(() => import('./chats-page.tsx'), 'ChatsPage'),
  gate: { plan: 'useInternalChat' },
  menu: {
    ...{ section: 'work', order: 90, icon: IconMessageCircle, alert: 'chats', handy: 20 },
    short: { es: 'Chat', pt: 'Chat', en: 'Chat' },
  },
}
