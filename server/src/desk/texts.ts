import type { Language } from '@recado/contract/users'

/** What the desk itself writes to customers, into ticket lines and notifications. Spanish is the shape. */
const es = {
  greeting: '{{ms}} {{name}}, mi nombre es {{user}} y voy a seguir con tu atención.',
  toQueue: 'Te estamos pasando a {{queue}}. En breve alguien te atiende.',
  toUser: 'Te estamos pasando con {{user}}. En breve te atiende.',
  callRefused: 'Por este canal no atendemos llamadas. Escríbenos y te respondemos por aquí.',
  missedCall: 'Llamada perdida',
  deleted: 'Mensaje eliminado',
  kinds: {
    image: 'Foto',
    video: 'Video',
    audio: 'Audio',
    application: 'Archivo',
    sticker: 'Sticker',
    locationMessage: 'Ubicación',
    contactMessage: 'Contacto',
    call_log: 'Llamada',
  },
  morning: 'Buenos días',
  afternoon: 'Buenas tardes',
  night: 'Buenas noches',
}
const pt: typeof es = {
  greeting: '{{ms}} {{name}}, meu nome é {{user}} e vou continuar o seu atendimento.',
  toQueue: 'Estamos passando você para {{queue}}. Em breve alguém vai te atender.',
  toUser: 'Estamos passando você para {{user}}. Em breve você será atendido.',
  callRefused: 'Não atendemos ligações por este canal. Escreva e respondemos por aqui.',
  missedCall: 'Chamada perdida',
  deleted: 'Mensagem apagada',
  kinds: {
    image: 'Foto',
    video: 'Vídeo',
    audio: 'Áudio',
    application: 'Arquivo',
    sticker: 'Figurinha',
    locationMessage: 'Localização',
    contactMessage: 'Contato',
    call_log: 'Ligação',
  },
  morning: 'Bom dia',
  afternoon: 'Boa tarde',
  night: 'Boa noite',
}
const en: typeof es = {
  greeting: '{{ms}} {{name}}, my name is {{user}} and I will take it from here.',
  toQueue: 'We are passing you on to {{queue}}. Someone will be with you shortly.',
  toUser: 'We are passing you on to {{user}}, who will be with you shortly.',
  callRefused: 'We do not take calls here. Write to us and we will answer.',
  missedCall: 'Missed call',
  deleted: 'Message deleted',
  kinds: {
    image: 'Photo',
    video: 'Video',
    audio: 'Audio',
    application: 'File',
    sticker: 'Sticker',
    locationMessage: 'Location',
    contactMessage: 'Contact',
    call_log: 'Call',
  },
  morning: 'Good morning',
  afternoon: 'Good afternoon',
  night: 'Good evening',
}
export const deskTexts: Record<Language, typeof es> = { es, pt, en }
