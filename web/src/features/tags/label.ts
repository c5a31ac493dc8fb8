import { IconTags } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Etiquetas', pt: 'Etiquetas', en: 'Tags' },
  menu: { section: 'work', order: 80, icon: IconTags, handy: 60 },
}
