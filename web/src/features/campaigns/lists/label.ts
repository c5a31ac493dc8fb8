import { IconUsersGroup } from '@tabler/icons-react'
import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Listas de contactos', pt: 'Listas de contatos', en: 'Contact lists' },
  menu: { section: 'automation', order: 20, icon: IconUsersGroup },
}
