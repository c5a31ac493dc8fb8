import { IconTags } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Etiquetas', pt: 'Etiquetas', en: 'Tags' },
  menu: { section: 'admin', order: 40, icon: IconTags, bottomBarOrder: 60 },
}
