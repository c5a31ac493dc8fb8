import type { Label } from '../../../lib/screen.ts'

export const label: Label = {
  name: { es: 'Contactos de la lista', pt: 'Contatos da lista', en: 'Contacts of the list' },
}
