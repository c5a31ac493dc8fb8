import type { Language } from '@recado/contract/users'

/** What the desk writes into ticket lines and notifications. What it says to customers: contract/house-words. Spanish is the shape. */
const es = {
  assigned: (by: string, customer: string) => `${by} te pasó a ${customer}`,
  queued: (by: string, customer: string) => `${by} pasó a ${customer} a tu cola`,
  mention: (by: string, customer: string) => `${by} te mencionó: ${customer}`,
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
}
const pt: typeof es = {
  assigned: (by: string, customer: string) => `${by} passou ${customer} para você`,
  queued: (by: string, customer: string) => `${by} passou ${customer} para a sua fila`,
  mention: (by: string, customer: string) => `${by} mencionou você: ${customer}`,
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
}
const en: typeof es = {
  assigned: (by: string, customer: string) => `${by} gave you ${customer}`,
  queued: (by: string, customer: string) => `${by} passed ${customer} to your queue`,
  mention: (by: string, customer: string) => `${by} mentioned you: ${customer}`,
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
}
export const deskTexts: Record<Language, typeof es> = { es, pt, en }
