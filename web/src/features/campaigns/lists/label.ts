import { IconUsersGroup } from '@tabler/icons-react'
import type { Label } from '../../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Listas de contactos', pt: 'Listas de contatos', en: 'Contact lists' },
  menu: { section: 'admin', order: 20, icon: IconUsersGroup },
}
