import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/chats/{-$chatId}',
  page: lazyRouteComponent(() => import('./chats-page.tsx'), 'ChatsPage'),
  gate: { plan: 'useInternalChat' },
}
