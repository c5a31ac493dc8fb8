import type { MenuWords } from '@recado/contract/menu'
import type { SettingKey, WordingKey } from '@recado/contract/settings'
import type { Language } from '../lib/texts.ts'

type HouseWords = Record<WordingKey, string> & { back: string; main: string }

/** What Recado says to customers by itself while a company has no words of its own: the server's texts, to be shown. */
export const houseWords: Record<Language, HouseWords> = {
  es: {
    acceptedText: '{{ms}} {{name}}, mi nombre es {{user}} y voy a seguir con tu atención.',
    transferQueueText: 'Te estamos pasando a {{queue}}. En breve alguien te atiende.',
    transferUserText: 'Te estamos pasando con {{user}}. En breve te atiende.',
    callText: 'Por este canal no atendemos llamadas. Escríbenos y te respondemos por aquí.',
    menuText: 'Escribe el número de tu opción:',
    wrongAnswerText: 'No es una de las opciones. Responde con el número.',
    handOverText: 'Gracias. En breve te atiende una persona.',
    outOfHoursText: 'Ahora estamos fuera de horario. Déjanos tu mensaje y te respondemos en cuanto volvamos.',
    ratingText: '¿Cómo fue nuestra atención?',
    ratingAgainText: 'Responde con un número del 1 al 3.',
    back: 'Volver',
    main: 'Menú principal',
  },
  pt: {
    acceptedText: '{{ms}} {{name}}, meu nome é {{user}} e vou continuar o seu atendimento.',
    transferQueueText: 'Estamos passando você para {{queue}}. Em breve alguém vai te atender.',
    transferUserText: 'Estamos passando você para {{user}}. Em breve você será atendido.',
    callText: 'Não atendemos ligações por este canal. Escreva e respondemos por aqui.',
    menuText: 'Digite o número da sua opção:',
    wrongAnswerText: 'Não é uma das opções. Responda com o número.',
    handOverText: 'Obrigado. Em breve uma pessoa vai te atender.',
    outOfHoursText: 'No momento estamos fora do horário. Deixe sua mensagem e respondemos assim que voltarmos.',
    ratingText: 'Como foi o nosso atendimento?',
    ratingAgainText: 'Responda com um número de 1 a 3.',
    back: 'Voltar',
    main: 'Menu principal',
  },
  en: {
    acceptedText: '{{ms}} {{name}}, my name is {{user}} and I will take it from here.',
    transferQueueText: 'We are passing you on to {{queue}}. Someone will be with you shortly.',
    transferUserText: 'We are passing you on to {{user}}, who will be with you shortly.',
    callText: 'We do not take calls here. Write to us and we will answer.',
    menuText: 'Type the number of your choice:',
    wrongAnswerText: 'That is not one of the choices. Answer with its number.',
    handOverText: 'Thank you. Someone will be with you shortly.',
    outOfHoursText: 'We are closed right now. Leave us your message and we will answer as soon as we are back.',
    ratingText: 'How was our service?',
    ratingAgainText: 'Answer with a number from 1 to 3.',
    back: 'Back',
    main: 'Main menu',
  },
}

/** The words of the customer's menu in this company: its own where it wrote some. */
export function menuWords(chosen: (key: SettingKey) => string): MenuWords {
  const ours = houseWords[chosen('language') as Language] ?? houseWords.es
  return {
    choose: chosen('menuText') || ours.menuText,
    back: ours.back,
    main: ours.main,
    wrong: chosen('wrongAnswerText') || ours.wrongAnswerText,
    toPerson: chosen('handOverText') || ours.handOverText,
  }
}
