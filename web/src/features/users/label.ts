import { IconUsers } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Usuarios', pt: 'Usuários', en: 'Users' },
  menu: { section: 'admin', order: 50, icon: IconUsers },
}
