import { IconSitemap } from '@tabler/icons-react'
import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Flujos', pt: 'Fluxos', en: 'Flows' },
  menu: { section: 'automation', order: 37, icon: IconSitemap },
}
