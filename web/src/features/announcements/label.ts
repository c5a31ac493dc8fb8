import { IconSpeakerphone } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Comunicados', pt: 'Comunicados', en: 'Announcements' },
  menu: { section: 'admin', order: 40, icon: IconSpeakerphone },
}
