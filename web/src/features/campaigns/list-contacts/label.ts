import type { ScreenLabel } from '../../../lib/screen.ts'

export const label: ScreenLabel = {
  name: { es: 'Contactos de la lista', pt: 'Contatos da lista', en: 'List contacts' },
}
