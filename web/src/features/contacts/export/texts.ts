import { defineTexts } from '../../../lib/texts.ts'

export const contactExportTexts = defineTexts({
  es: {
    exporting: 'Exportando contactos',
    exported: 'Contactos exportados',
    stop: 'Detener',
    counted: (n: number) => (n === 1 ? '1 contacto' : `${n} contactos`),
  },
  pt: {
    exporting: 'Exportando contatos',
    exported: 'Contatos exportados',
    stop: 'Parar',
    counted: (n) => (n === 1 ? '1 contato' : `${n} contatos`),
  },
  en: {
    exporting: 'Exporting contacts',
    exported: 'Contacts exported',
    stop: 'Stop',
    counted: (n) => (n === 1 ? '1 contact' : `${n} contacts`),
  },
})
