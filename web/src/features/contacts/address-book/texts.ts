import { defineTexts } from '../../../lib/texts.ts'

export const addressBookTexts = defineTexts({
  es: {
    ask: '¿Traer la agenda de la línea?',
    line: 'Se agregan los contactos del teléfono de la línea principal que todavía no tienes.',
    verb: 'Traer la agenda',
    running: 'Leyendo la agenda de la línea…',
    done: 'Agenda importada',
    counted: (n: number) =>
      n === 0 ? 'No había contactos nuevos' : n === 1 ? '1 contacto nuevo' : `${n} contactos nuevos`,
  },
  pt: {
    ask: 'Trazer a agenda da linha?',
    line: 'Entram os contatos do telefone da linha principal que você ainda não tem.',
    verb: 'Trazer a agenda',
    running: 'Lendo a agenda da linha…',
    done: 'Agenda importada',
    counted: (n) => (n === 0 ? 'Não havia contatos novos' : n === 1 ? '1 contato novo' : `${n} contatos novos`),
  },
  en: {
    ask: "Bring in the line's address book?",
    line: 'The contacts on the main line’s phone that you do not have yet are added.',
    verb: 'Bring it in',
    running: "Reading the line's address book…",
    done: 'Address book imported',
    counted: (n) => (n === 0 ? 'There were no new contacts' : n === 1 ? '1 new contact' : `${n} new contacts`),
  },
})
