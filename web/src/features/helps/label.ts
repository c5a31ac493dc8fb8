import { IconHelpCircle } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Ayuda', pt: 'Ajuda', en: 'Help' },
  menu: { section: 'work', order: 100, icon: IconHelpCircle, handy: 70 },
}
