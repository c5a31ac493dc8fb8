import type { MenuWords } from '../menu/menu.ts'
import type { SettingKey, WordingKey } from '../settings.ts'
import type { Language } from '../users.ts'
import type { RatingScale } from './rating-scale.ts'

/**
 * Default automatic texts to customers, used while a company has no wording of its own. The server sends them;
 * the settings and the phone preview in the queue form show them. A separate file, so that other screens do not
 * load it.
 */
type DefaultTexts = Record<WordingKey, string> & {
  back: string
  main: string
  /** The lines below the rating question, by scale; each begins with its number, except of 0 to 10. */
  ratingScales: { 3: string[]; 5: string[]; 10: string }
  /** The question and its repetition for the scales other than 1 to 3. */
  ratingQuestions: { 5: RatingQuestion; 10: RatingQuestion }
  /** Asks why, after the number. */
  ratingComment: string
}
type RatingQuestion = { ask: string; again: string }

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
    ratingScales: {
      3: ['Insatisfecho', 'Satisfecho', 'Muy satisfecho'],
      5: ['Muy insatisfecho', 'Insatisfecho', 'Ni bien ni mal', 'Satisfecho', 'Muy satisfecho'],
      10: 'De *0* (nada probable) a *10* (muy probable)',
    },
    ratingQuestions: {
      5: { ask: '¿Cómo fue nuestra atención?', again: 'Responde con un número del 1 al 5.' },
      10: { ask: '¿Qué tan probable es que nos recomiendes?', again: 'Responde con un número del 0 al 10.' },
    },
    ratingComment: '¡Gracias! ¿Nos cuentas por qué?',
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
    ratingScales: {
      3: ['Insatisfeito', 'Satisfeito', 'Muito satisfeito'],
      5: ['Muito insatisfeito', 'Insatisfeito', 'Nem bom nem ruim', 'Satisfeito', 'Muito satisfeito'],
      10: 'De *0* (nada provável) a *10* (muito provável)',
    },
    ratingQuestions: {
      5: { ask: 'Como foi o nosso atendimento?', again: 'Responda com um número de 1 a 5.' },
      10: { ask: 'Qual a chance de você nos recomendar?', again: 'Responda com um número de 0 a 10.' },
    },
    ratingComment: 'Obrigado! Quer contar o motivo?',
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
    ratingScales: {
      3: ['Dissatisfied', 'Satisfied', 'Very satisfied'],
      5: ['Very dissatisfied', 'Dissatisfied', 'Neither good nor bad', 'Satisfied', 'Very satisfied'],
      10: 'From *0* (not at all likely) to *10* (very likely)',
    },
    ratingQuestions: {
      5: { ask: 'How was our service?', again: 'Please reply with a number from 1 to 5.' },
      10: { ask: 'How likely are you to recommend us?', again: 'Please reply with a number from 0 to 10.' },
    },
    ratingComment: 'Thank you! Would you tell us why?',
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

/** The rating question, its repetition and the lines below it, for a scale. */
export function companyRatingTexts(chosen: SettingLookup, language: Language, scale: RatingScale) {
  const words = companyTextLookup(chosen, language)
  const { ratingScales, ratingQuestions, ratingComment } = defaultTexts[language]
  const byDefault = scale === 3 ? null : ratingQuestions[scale]
  return {
    ask: chosen('ratingText') || (byDefault?.ask ?? words('ratingText')),
    again: chosen('ratingAgainText') || (byDefault?.again ?? words('ratingAgainText')),
    lines: scale === 10 ? ratingScales[10] : ratingScales[scale].map((word, i) => `*${i + 1}* ${word}`).join('\n'),
    comment: ratingComment,
  }
}

/** The texts of the customer's menu in this company. */
export function companyMenuWords(chosen: SettingLookup, language = chosen('language') as Language): MenuWords {
  const words = companyTextLookup(chosen, language)
  const { back, main } = defaultTexts[language]
  return { choose: words('menuText'), back, main, wrong: words('wrongAnswerText'), toPerson: words('handOverText') }
}
