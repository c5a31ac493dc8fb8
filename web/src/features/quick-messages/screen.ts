import { IconBolt } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/quick-messages',
  name: { es: 'Respuestas rápidas', pt: 'Respostas rápidas', en: 'Quick replies' },
  page: lazyRouteComponent(() => import('./quick-messages-page.tsx'), 'QuickMessagesPage'),
  menu: {
    section: 'work',
    order: 40,
    icon: IconBolt,
    handy: 40,
    short: { es: 'Respuestas', pt: 'Respostas', en: 'Replies' },
  },
}
