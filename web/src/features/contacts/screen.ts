import { IconAddressBook } from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/contacts',
  name: { es: 'Contactos', pt: 'Contatos', en: 'Contacts' },
  page: lazyRouteComponent(() => import('./contacts-page.tsx'), 'ContactsPage'),
  menu: { section: 'work', order: 60, icon: IconAddressBook, handy: 30 },
}
