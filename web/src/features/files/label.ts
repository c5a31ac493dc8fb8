import { IconFiles } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Archivos', pt: 'Arquivos', en: 'Files' },
  menu: { section: 'admin', order: 80, icon: IconFiles },
}
