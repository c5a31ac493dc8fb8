import { defineTexts } from '../../lib/texts.ts'

export const ticketPreviewTexts = defineTexts({
  es: {
    kinds: {
      photo: 'Foto',
      video: 'Video',
      audio: 'Audio',
      file: 'Documento',
      location: 'Ubicación',
      contact: 'Contacto',
      call: 'Llamada',
      sticker: 'Sticker',
      poll: 'Encuesta',
      viewOnce: 'Para ver una sola vez',
      waiting: 'Esperando este mensaje',
      unknown: 'Mensaje que no podemos mostrar',
    },
    acks: ['No se envió', 'Esperando', 'Enviado', 'Entregado', 'Leído', 'Escuchado'],
  },
  pt: {
    kinds: {
      photo: 'Foto',
      video: 'Vídeo',
      audio: 'Áudio',
      file: 'Documento',
      location: 'Localização',
      contact: 'Contato',
      call: 'Ligação',
      sticker: 'Figurinha',
      poll: 'Enquete',
      viewOnce: 'Para ver uma única vez',
      waiting: 'Aguardando esta mensagem',
      unknown: 'Mensagem que não podemos mostrar',
    },
    acks: ['Não foi enviada', 'Aguardando', 'Enviada', 'Entregue', 'Lida', 'Ouvida'],
  },
  en: {
    kinds: {
      photo: 'Photo',
      video: 'Video',
      audio: 'Audio',
      file: 'Document',
      location: 'Location',
      contact: 'Contact',
      call: 'Call',
      sticker: 'Sticker',
      poll: 'Poll',
      viewOnce: 'View once',
      waiting: 'Waiting for this message',
      unknown: "A message we can't show",
    },
    acks: ['Not sent', 'Waiting', 'Sent', 'Delivered', 'Read', 'Played'],
  },
})

export type PreviewTexts = (typeof ticketPreviewTexts)['es']
