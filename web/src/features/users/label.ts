import { IconUsers } from '@tabler/icons-react'
import type { Label } from '../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Usuarios', pt: 'Usuários', en: 'Users' },
  menu: { section: 'admin', order: 110, icon: IconUsers },
}
