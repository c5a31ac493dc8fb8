import { IconAddressBook } from '@tabler/icons-react'
import type { ScreenLabel } from '../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Contactos', pt: 'Contatos', en: 'Contacts' },
  menu: { section: 'work', order: 40, icon: IconAddressBook, bottomBarOrder: 30 },
}
