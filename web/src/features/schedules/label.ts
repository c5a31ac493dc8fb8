import { IconCalendarEvent } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Mensajes programados', pt: 'Agendamentos', en: 'Scheduled messages' },
  menu: { section: 'work', order: 60, icon: IconCalendarEvent },
}
