import { IconDeviceMobileMessage } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/phone',
  name: { es: 'Teléfono de prueba', pt: 'Telefone de teste', en: 'Test phone' },
  page: lazyRouteComponent(() => import('./phone-page.tsx'), 'PhonePage'),
  gate: { rule: 'sandbox-page:use' },
  menu: { section: 'admin', order: 80, icon: IconDeviceMobileMessage },
}
