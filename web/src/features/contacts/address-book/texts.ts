import { defineTexts } from '../../../lib/texts.ts'

export const addressBookTexts = defineTexts({
  es: {
    ask: '¿Importar los contactos de la línea?',
    line: 'Se agregan los contactos del teléfono de la línea principal que todavía no tienes.',
    verb: 'Importar contactos',
    running: 'Leyendo los contactos de la línea…',
    done: 'Contactos importados',
    counted: (n: number) =>
      n === 0 ? 'No había contactos nuevos' : n === 1 ? '1 contacto nuevo' : `${n} contactos nuevos`,
  },
  pt: {
    ask: 'Importar os contatos da linha?',
    line: 'Entram os contatos do telefone da linha principal que você ainda não tem.',
    verb: 'Importar contatos',
    running: 'Lendo os contatos da linha…',
    done: 'Contatos importados',
    counted: (n) => (n === 0 ? 'Não havia contatos novos' : n === 1 ? '1 contato novo' : `${n} contatos novos`),
  },
  en: {
    ask: "Import the line's contacts?",
    line: "Adds the contacts on your default line's phone that you don't have yet.",
    verb: 'Import contacts',
    running: "Reading the line's contacts…",
    done: 'Contacts imported',
    counted: (n) => (n === 0 ? 'No new contacts' : n === 1 ? '1 new contact' : `${n} new contacts`),
  },
})
