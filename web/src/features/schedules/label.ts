import { IconCalendarEvent } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Agendamientos', pt: 'Agendamentos', en: 'Scheduled messages' },
  menu: { section: 'work', order: 70, icon: IconCalendarEvent },
}
