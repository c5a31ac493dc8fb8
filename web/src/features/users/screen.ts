import { IconUsers } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/users',
  name: { es: 'Usuarios', pt: 'Usuários', en: 'Users' },
  page: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
  gate: { rule: 'drawer-admin-items:view' },
  menu: { section: 'admin', order: 110, icon: IconUsers },
}
