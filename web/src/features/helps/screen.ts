import { IconHelpCircle } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/helps',
  name: { es: 'Ayuda', pt: 'Ajuda', en: 'Help' },
  page: lazyRouteComponent(() => import('./helps-page.tsx'), 'HelpsPage'),
  menu: { section: 'work', order: 100, icon: IconHelpCircle, handy: 70 },
}
