import type { MenuWords } from '../menu/menu.ts'
import type { SettingKey, WordingKey } from '../settings.ts'
import type { Language } from '../users.ts'

/**
 * Default automatic texts to customers, used while a company has no wording of its own. The server sends them;
 * the settings and the phone preview in the queue form show them. A separate file, so that other screens do not
 * load it.
 */
type DefaultTexts = Record<WordingKey, string> & { back: string; main: string; ratingScale: [string, string, string] }

export const defaultTexts: Record<Language, DefaultTexts> = {
  es: {
    acceptedText: '{{ms}} {{name}}, mi nombre es {{user}} y voy a seguir con tu atención.',
    transferQueueText: 'Te estamos pasando a {{queue}}. En breve alguien te atiende.',
    transferUserText: 'Te estamos pasando con {{user}}. En breve te atiende.',
    transferBothText: 'Te estamos pasando con {{user}}, de {{queue}}. En breve te atiende.',
    callText: 'Por este canal no atendemos llamadas. Escríbenos y te respondemos por aquí.',
    menuText: 'Escribe el número de tu opción:',
    wrongAnswerText: 'No es una de las opciones. Responde con el número.',
    handOverText: 'Gracias. Te responde una persona por aquí.',
    outOfHoursText: 'Ahora estamos fuera de horario. Déjanos tu mensaje y te respondemos en cuanto volvamos.',
    ratingText: '¿Cómo fue nuestra atención?',
    ratingAgainText: 'Responde con un número del 1 al 3.',
    ratingScale: ['Insatisfecho', 'Satisfecho', 'Muy satisfecho'],
    back: 'Volver',
    main: 'Menú principal',
  },
  pt: {
    acceptedText: '{{ms}} {{name}}, meu nome é {{user}} e vou continuar o seu atendimento.',
    transferQueueText: 'Estamos passando você para {{queue}}. Em breve alguém vai te atender.',
    transferUserText: 'Estamos passando você para {{user}}. Em breve você será atendido.',
    transferBothText: 'Estamos passando você para {{user}}, de {{queue}}. Em breve você será atendido.',
    callText: 'Não atendemos ligações por este canal. Escreva e respondemos por aqui.',
    menuText: 'Digite o número da sua opção:',
    wrongAnswerText: 'Não é uma das opções. Responda com o número.',
    handOverText: 'Obrigado. Uma pessoa vai te responder por aqui.',
    outOfHoursText: 'No momento estamos fora do horário. Deixe sua mensagem e respondemos assim que voltarmos.',
    ratingText: 'Como foi o nosso atendimento?',
    ratingAgainText: 'Responda com um número de 1 a 3.',
    ratingScale: ['Insatisfeito', 'Satisfeito', 'Muito satisfeito'],
    back: 'Voltar',
    main: 'Menu principal',
  },
  en: {
    acceptedText: "{{ms}} {{name}}, my name is {{user}} and I'll be helping you from here.",
    transferQueueText: "We're transferring you to {{queue}}. Someone will be with you shortly.",
    transferUserText: "We're transferring you to {{user}}, who will be with you shortly.",
    transferBothText: "We're transferring you to {{user}} from {{queue}}, who will be with you shortly.",
    callText: "We don't take calls on this number. Send us a message and we'll reply here.",
    menuText: 'Reply with the number of your choice:',
    wrongAnswerText: "That's not one of the options. Please reply with its number.",
    handOverText: 'Thank you. Someone will reply to you here.',
    outOfHoursText: "We're closed right now. Leave us a message and we'll get back to you as soon as we open.",
    ratingText: 'How was our service?',
    ratingAgainText: 'Please reply with a number from 1 to 3.',
    ratingScale: ['Dissatisfied', 'Satisfied', 'Very satisfied'],
    back: 'Back',
    main: 'Main menu',
  },
}

type SettingLookup = (key: SettingKey) => string
/** The company's own wording if set, else the default in its language. */
export const companyTextLookup =
  (chosen: SettingLookup, language: Language) =>
  (key: WordingKey): string =>
    chosen(key) || defaultTexts[language][key]

/** The texts of the customer's menu in this company. */
export function companyMenuWords(chosen: SettingLookup, language = chosen('language') as Language): MenuWords {
  const words = companyTextLookup(chosen, language)
  const { back, main } = defaultTexts[language]
  return { choose: words('menuText'), back, main, wrong: words('wrongAnswerText'), toPerson: words('handOverText') }
}
