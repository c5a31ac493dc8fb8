import type { Language } from '@recado/contract/users'

/** What the desk writes into ticket lines, notifications and variables. What it says to customers: contract/house-words. Spanish is the shape. */
const es = {
  missedCall: 'Llamada perdida',
  deleted: 'Mensaje eliminado',
  waiting: 'Esperando este mensaje',
  viewOnce: 'Para ver una sola vez',
  poll: 'Encuesta',
  unknown: 'Mensaje que no podemos mostrar',
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
  missedCall: 'Chamada perdida',
  deleted: 'Mensagem apagada',
  waiting: 'Aguardando esta mensagem',
  viewOnce: 'Para ver uma única vez',
  poll: 'Enquete',
  unknown: 'Mensagem que não podemos mostrar',
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
  missedCall: 'Missed call',
  deleted: 'Message deleted',
  waiting: 'Waiting for this message',
  viewOnce: 'To be viewed once',
  poll: 'Poll',
  unknown: 'Message we cannot show',
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
