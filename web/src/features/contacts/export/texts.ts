import { defineTexts } from '../../../lib/texts.ts'

export const exportTexts = defineTexts({
  es: {
    exporting: 'Exportando contactos',
    exportedSoFar: (read: string, total: string) => `${read} de ${total}`,
    exported: 'Contactos exportados',
    stop: 'Detener',
    counted: (n: number) => (n === 1 ? '1 contacto' : `${n} contactos`),
  },
  pt: {
    exporting: 'Exportando contatos',
    exportedSoFar: (read, total) => `${read} de ${total}`,
    exported: 'Contatos exportados',
    stop: 'Parar',
    counted: (n) => (n === 1 ? '1 contato' : `${n} contatos`),
  },
  en: {
    exporting: 'Exporting contacts',
    exportedSoFar: (read, total) => `${read} of ${total}`,
    exported: 'Contacts exported',
    stop: 'Stop',
    counted: (n) => (n === 1 ? '1 contact' : `${n} contacts`),
  },
})
