import { IconSpeakerphone } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/announcements',
  name: { es: 'Comunicados', pt: 'Comunicados', en: 'Announcements' },
  page: lazyRouteComponent(() => import('./announcements-page.tsx'), 'AnnouncementsPage'),
  gate: { super: true },
  menu: { section: 'admin', order: 40, icon: IconSpeakerphone },
}
