import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

export const screen: Screen = {
  path: '/campaigns-config',
  name: { es: 'Ajustes de campañas', pt: 'Configurações de campanhas', en: 'Campaign settings' },
  page: lazyRouteComponent(() => import('./config-page.tsx'), 'ConfigPage'),
  gate: { rule: 'campaigns-page:manage', plan: 'useCampaigns', flag: 'cshow' },
  menu: { section: 'admin', order: 30, icon: IconAdjustmentsHorizontal },
}
