import { IconSpeakerphone } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Comunicados', pt: 'Comunicados', en: 'Announcements' },
  menu: { section: 'admin', order: 90, icon: IconSpeakerphone },
}
