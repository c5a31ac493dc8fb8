import { defineTexts } from '../../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    recording: 'Grabando',
    discard: 'Descartar',
    send: 'Enviar',
    tooShort: 'Fue muy corto: no se envió',
    noDevice: 'No encontramos un micrófono',
    notAllowed: 'El navegador no deja usar el micrófono',
    howToAllow: 'Ábrelo en el candado junto a la dirección, y vuelve a intentarlo.',
  },
  pt: {
    recording: 'Gravando',
    discard: 'Descartar',
    send: 'Enviar',
    tooShort: 'Foi curto demais: não foi enviado',
    noDevice: 'Não encontramos um microfone',
    notAllowed: 'O navegador não deixa usar o microfone',
    howToAllow: 'Libere no cadeado ao lado do endereço e tente de novo.',
  },
  en: {
    recording: 'Recording',
    discard: 'Discard',
    send: 'Send',
    tooShort: 'That was too short: it was not sent',
    noDevice: 'No microphone was found',
    notAllowed: 'The browser does not let you use the microphone',
    howToAllow: 'Allow it at the padlock beside the address, and try again.',
  },
})
