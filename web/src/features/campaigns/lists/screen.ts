import { IconUsersGroup } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/contact-lists',
  name: { es: 'Listas de contactos', pt: 'Listas de contatos', en: 'Contact lists' },
  page: lazyRouteComponent(() => import('./lists-page.tsx'), 'ListsPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
  menu: { section: 'admin', order: 20, icon: IconUsersGroup },
}
