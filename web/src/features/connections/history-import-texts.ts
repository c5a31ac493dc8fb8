import { defineTexts } from '../../lib/texts.ts'

export const historyImportTexts = defineTexts({
  es: {
    ask: 'Traer mensajes anteriores',
    stop: 'Dejar de traer mensajes',
    stopOf: (name: string) => `Detener los mensajes anteriores de ${name}`,
    stopShort: 'Detener',
    asked: 'Le pedimos al teléfono lo que se habló antes. Puedes seguir trabajando.',
    connectFirst: 'Conecta la línea primero.',
    looking: 'Buscando conversaciones en el teléfono',
    share: (done: string, chats: string) => `${done} de ${chats}`,
    running: (done: string, chats: string) => `Trayendo: ${done} de ${chats} conversaciones`,
    came: (n: number, many: string) =>
      n === 0 ? 'sin mensajes nuevos' : n === 1 ? '1 mensaje anterior' : `${many} mensajes anteriores`,
    ended: {
      done: (came: string) => `Listo: ${came}`,
      stopped: (came: string) => `Detenido: ${came}`,
      silent: (came: string) => `El teléfono no respondió: ${came}`,
    },
  },
  pt: {
    ask: 'Trazer mensagens anteriores',
    stop: 'Parar de trazer mensagens',
    stopOf: (name) => `Parar as mensagens anteriores de ${name}`,
    stopShort: 'Parar',
    asked: 'Pedimos ao telefone o que foi conversado antes. Você pode continuar trabalhando.',
    connectFirst: 'Conecte a linha primeiro.',
    looking: 'Procurando conversas no telefone',
    share: (done, chats) => `${done} de ${chats}`,
    running: (done, chats) => `Trazendo: ${done} de ${chats} conversas`,
    came: (n, many) =>
      n === 0 ? 'sem mensagens novas' : n === 1 ? '1 mensagem anterior' : `${many} mensagens anteriores`,
    ended: {
      done: (came) => `Pronto: ${came}`,
      stopped: (came) => `Parado: ${came}`,
      silent: (came) => `O telefone não respondeu: ${came}`,
    },
  },
  en: {
    ask: 'Bring earlier messages',
    stop: 'Stop bringing messages',
    stopOf: (name) => `Stop the earlier messages of ${name}`,
    stopShort: 'Stop',
    asked: 'We asked the phone for what was said before. You can go on working.',
    connectFirst: 'Connect the line first.',
    looking: 'Looking for conversations on the phone',
    share: (done, chats) => `${done} of ${chats}`,
    running: (done, chats) => `Bringing: ${done} of ${chats} conversations`,
    came: (n, many) => (n === 0 ? 'nothing new' : n === 1 ? '1 earlier message' : `${many} earlier messages`),
    ended: {
      done: (came) => `Done: ${came}`,
      stopped: (came) => `Stopped: ${came}`,
      silent: (came) => `The phone did not answer: ${came}`,
    },
  },
})
