import { IconBroadcast } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/campaigns',
  name: { es: 'Campañas', pt: 'Campanhas', en: 'Campaigns' },
  page: lazyRouteComponent(() => import('./campaigns-page.tsx'), 'CampaignsPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
  menu: { section: 'admin', order: 10, icon: IconBroadcast },
}
