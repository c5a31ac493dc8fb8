import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/contact-lists/$contactListId/contacts',
  page: lazyRouteComponent(() => import('./list-contacts-page.tsx'), 'ListContactsPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
}
