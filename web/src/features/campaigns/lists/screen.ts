import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/contact-lists',
  page: lazyRouteComponent(() => import('./contact-lists-page.tsx'), 'ContactListsPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
}
