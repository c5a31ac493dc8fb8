import { defineTexts } from '../../../lib/texts.ts'

/** Why a message was not sent or deleted, or its file not downloaded (contract, Message.error). */
export const messageFailureTexts = defineTexts({
  es: {
    notSent: (why: string) => `No se envió: ${why}`,
    notDeleted: 'No se pudo eliminar: el cliente todavía lo ve',
    notEdited: 'No se pudo editar: el cliente ve este texto',
    notFetched: (why: string) => `El archivo no llegó: ${why}`,
    otherwise: 'no sabemos por qué',
    why: {
      unreachable: (line: string) => (line ? `la línea ${line} no respondió` : 'la línea no respondió'),
      network: (line: string) => (line ? `la línea ${line} perdió la conexión` : 'la línea perdió la conexión'),
      'no-whatsapp': () => 'el número no tiene WhatsApp',
      blocked: () => 'el cliente bloqueó la línea',
      restricted: () => 'WhatsApp no permite por ahora que esta línea inicie conversaciones',
      'no-token': () =>
        'WhatsApp rechazó el primer mensaje a esta persona; espera un minuto y reinténtalo, o pídele que escriba',
      rejected: () => 'WhatsApp lo rechazó',
      'media-gone': () => 'WhatsApp ya no lo tiene',
      'file-missing': () => 'el archivo ya no está en el servidor',
      'media-missing': () => 'WhatsApp ya no lo tiene',
      deleted: () => 'se eliminó antes de enviarse',
      'line-gone': () => 'se eliminó la línea',
      ERR_FILESIZE_OVER_LIMIT: () => 'pesa más de lo permitido',
      ERR_FILE_TYPE: () => 'ese tipo de archivo no se admite',
      ERR_WAPP_DOWNLOAD_MEDIA: () => 'WhatsApp no lo entregó',
    } as Record<string, (line: string) => string>,
  },
  pt: {
    notSent: (why) => `Não foi enviada: ${why}`,
    notDeleted: 'Não foi possível excluir: o cliente ainda vê',
    notEdited: 'Não foi possível editar: o cliente vê este texto',
    notFetched: (why) => `O arquivo não chegou: ${why}`,
    otherwise: 'não sabemos por quê',
    why: {
      unreachable: (line) => (line ? `a linha ${line} não respondeu` : 'a linha não respondeu'),
      network: (line) => (line ? `a linha ${line} perdeu a conexão` : 'a linha perdeu a conexão'),
      'no-whatsapp': () => 'o número não tem WhatsApp',
      blocked: () => 'o cliente bloqueou a linha',
      restricted: () => 'o WhatsApp não permite por enquanto que esta linha inicie conversas',
      'no-token': () =>
        'o WhatsApp recusou a primeira mensagem para esta pessoa; espere um minuto e tente de novo, ou peça que ela escreva',
      rejected: () => 'o WhatsApp recusou',
      'media-gone': () => 'o WhatsApp não o tem mais',
      'file-missing': () => 'o arquivo não está mais no servidor',
      'media-missing': () => 'o WhatsApp não o tem mais',
      deleted: () => 'foi excluída antes de ser enviada',
      'line-gone': () => 'a linha foi excluída',
      ERR_FILESIZE_OVER_LIMIT: () => 'pesa mais do que o permitido',
      ERR_FILE_TYPE: () => 'esse tipo de arquivo não é aceito',
      ERR_WAPP_DOWNLOAD_MEDIA: () => 'o WhatsApp não o entregou',
    },
  },
  en: {
    notSent: (why) => `Not sent: ${why}`,
    notDeleted: "It couldn't be deleted: the customer can still see it",
    notEdited: "It couldn't be edited: the customer sees this text",
    notFetched: (why) => `The file didn't arrive: ${why}`,
    otherwise: "we don't know why",
    why: {
      unreachable: (line) => (line ? `line ${line} didn't respond` : "the line didn't respond"),
      network: (line) => (line ? `line ${line} lost its connection` : 'the line lost its connection'),
      'no-whatsapp': () => "the number isn't on WhatsApp",
      blocked: () => 'the customer blocked the line',
      restricted: () => "WhatsApp isn't letting this line start new conversations for now",
      'no-token': () =>
        'WhatsApp refused the first message to this person; wait a minute and retry, or ask them to write',
      rejected: () => 'WhatsApp rejected it',
      'media-gone': () => 'WhatsApp no longer has it',
      'file-missing': () => 'the file is no longer on the server',
      'media-missing': () => 'WhatsApp no longer has it',
      deleted: () => 'it was deleted before it was sent',
      'line-gone': () => 'the line was deleted',
      ERR_FILESIZE_OVER_LIMIT: () => "it's larger than allowed",
      ERR_FILE_TYPE: () => "that file type isn't accepted",
      ERR_WAPP_DOWNLOAD_MEDIA: () => "WhatsApp didn't deliver it",
    },
  },
})
type Words = (typeof messageFailureTexts)['es']

/** Parses `word` or `word:number`; the number is the vendor's error number. */
export function parseMessageError(error: string | null): { word: string; code: string } {
  const [word = '', code = ''] = (error ?? '').split(':')
  return { word, code }
}

/** The text of a failure; null when its text loads later (cloud-failure-reason.tsx). */
export const describeFailure = (words: Words, error: string | null, line: string): string | null =>
  error ? (words.why[parseMessageError(error).word]?.(line) ?? null) : words.otherwise
