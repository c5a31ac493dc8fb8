import { IconFiles } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/files',
  name: { es: 'Archivos', pt: 'Arquivos', en: 'Files' },
  page: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
  gate: { rule: 'drawer-admin-items:view' },
  menu: { section: 'admin', order: 90, icon: IconFiles },
}
