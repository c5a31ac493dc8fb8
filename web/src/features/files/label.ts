import { IconFiles } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Archivos', pt: 'Arquivos', en: 'Files' },
  menu: { section: 'admin', order: 90, icon: IconFiles },
}
