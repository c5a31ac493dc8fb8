import { IconTags } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/tags',
  name: { es: 'Etiquetas', pt: 'Etiquetas', en: 'Tags' },
  page: lazyRouteComponent(() => import('./tags-page.tsx'), 'TagsPage'),
  menu: { section: 'work', order: 80, icon: IconTags, handy: 60 },
}
