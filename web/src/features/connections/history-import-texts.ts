import { defineTexts } from '../../lib/texts.ts'

export const historyImportTexts = defineTexts({
  es: {
    ask: 'Importar mensajes anteriores',
    stop: 'Dejar de importar mensajes',
    stopOf: (name: string) => `Detener la importación de mensajes anteriores de ${name}`,
    stopShort: 'Detener',
    asked: 'Le pedimos al teléfono las conversaciones anteriores. Puedes seguir trabajando.',
    connectFirst: 'Conecta la línea primero.',
    looking: 'Buscando conversaciones en el teléfono',
    share: (done: string, chats: string) => `${done} de ${chats}`,
    running: (done: string, chats: string) => `Importando: ${done} de ${chats} conversaciones`,
    came: (n: number, many: string) =>
      n === 0 ? 'sin mensajes nuevos' : n === 1 ? '1 mensaje anterior' : `${many} mensajes anteriores`,
    ended: {
      done: (came: string) => `Listo: ${came}`,
      stopped: (came: string) => `Detenido: ${came}`,
      silent: (came: string) => `El teléfono no respondió: ${came}`,
    },
  },
  pt: {
    ask: 'Importar mensagens anteriores',
    stop: 'Parar de importar mensagens',
    stopOf: (name) => `Parar a importação de mensagens anteriores de ${name}`,
    stopShort: 'Parar',
    asked: 'Pedimos ao telefone as conversas anteriores. Você pode continuar trabalhando.',
    connectFirst: 'Conecte a linha primeiro.',
    looking: 'Procurando conversas no telefone',
    share: (done, chats) => `${done} de ${chats}`,
    running: (done, chats) => `Importando: ${done} de ${chats} conversas`,
    came: (n, many) =>
      n === 0 ? 'sem mensagens novas' : n === 1 ? '1 mensagem anterior' : `${many} mensagens anteriores`,
    ended: {
      done: (came) => `Pronto: ${came}`,
      stopped: (came) => `Parado: ${came}`,
      silent: (came) => `O telefone não respondeu: ${came}`,
    },
  },
  en: {
    ask: 'Import earlier messages',
    stop: 'Stop importing',
    stopOf: (name) => `Stop importing earlier messages from ${name}`,
    stopShort: 'Stop',
    asked: "We've asked the phone for earlier conversations. You can keep working.",
    connectFirst: 'Connect the line first.',
    looking: 'Looking for conversations on the phone',
    share: (done, chats) => `${done} of ${chats}`,
    running: (done, chats) => `Importing: ${done} of ${chats} conversations`,
    came: (n, many) => (n === 0 ? 'nothing new' : n === 1 ? '1 earlier message' : `${many} earlier messages`),
    ended: {
      done: (came) => `Done: ${came}`,
      stopped: (came) => `Stopped: ${came}`,
      silent: (came) => `The phone didn't respond: ${came}`,
    },
  },
})
