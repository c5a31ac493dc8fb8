import { IconCalendarEvent } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/schedules',
  name: { es: 'Agendamientos', pt: 'Agendamentos', en: 'Scheduled messages' },
  page: lazyRouteComponent(() => import('./schedules-page.tsx'), 'SchedulesPage'),
  gate: { plan: 'useSchedules' },
  menu: { section: 'work', order: 70, icon: IconCalendarEvent },
}
