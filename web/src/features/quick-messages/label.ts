import { IconBolt } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Respuestas rápidas', pt: 'Respostas rápidas', en: 'Quick replies' },
  menu: {
    section: 'automation',
    order: 50,
    icon: IconBolt,
    bottomBarOrder: 40,
    shortLabel: { es: 'Respuestas', pt: 'Respostas', en: 'Replies' },
  },
}
