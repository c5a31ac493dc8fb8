import { defineTexts } from '../../lib/texts.ts'

export const historyImportTexts = defineTexts({
  es: {
    ask: 'Importar mensajes anteriores',
    stop: 'Dejar de importar mensajes',
    stopOf: (name: string) => `Detener la importación de mensajes anteriores de ${name}`,
    stopShort: 'Detener',
    asked: 'Le pedimos al teléfono las conversaciones anteriores. Puedes seguir trabajando.',
    onceTitle: 'Importar del WhatsApp Business del teléfono',
    onceText: (name: string) =>
      `Si el número de ${name} también se usa en la app WhatsApp Business, Meta entrega sus contactos y hasta seis meses de conversaciones. Solo se puede pedir una vez, en las 24 horas después de conectar el número, y quien tiene el teléfono debe haber aceptado compartirlas. La app sigue funcionando, y las conversaciones llegan como tickets cerrados.`,
    onceAsk: 'Pedir ahora',
    waiting: 'Esperando lo que entregue WhatsApp',
    percent: (n: string) => `Importando: ${n} %`,
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
      refused: () => 'WhatsApp no entregó los mensajes anteriores',
    },
  },
  pt: {
    ask: 'Importar mensagens anteriores',
    stop: 'Parar de importar mensagens',
    stopOf: (name) => `Parar a importação de mensagens anteriores de ${name}`,
    stopShort: 'Parar',
    asked: 'Pedimos ao telefone as conversas anteriores. Você pode continuar trabalhando.',
    onceTitle: 'Importar do WhatsApp Business do telefone',
    onceText: (name) =>
      `Se o número de ${name} também é usado no app WhatsApp Business, a Meta entrega os contatos e até seis meses de conversas. Só dá para pedir uma vez, nas 24 horas depois de conectar o número, e quem está com o telefone precisa ter aceitado compartilhá-las. O app continua funcionando, e as conversas chegam como tickets fechados.`,
    onceAsk: 'Pedir agora',
    waiting: 'Aguardando o que o WhatsApp entregar',
    percent: (n) => `Importando: ${n} %`,
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
      refused: () => 'O WhatsApp não entregou as mensagens anteriores',
    },
  },
  en: {
    ask: 'Import earlier messages',
    stop: 'Stop importing',
    stopOf: (name) => `Stop importing earlier messages from ${name}`,
    stopShort: 'Stop',
    asked: "We've asked the phone for earlier conversations. You can keep working.",
    onceTitle: 'Import from the WhatsApp Business app',
    onceText: (name) =>
      `If ${name}'s number is also used in the WhatsApp Business app, Meta hands over its contacts and up to six months of conversations. You can ask only once, within 24 hours after connecting the number, and the owner of the phone must have agreed to share them. The app keeps working, and the conversations arrive as closed tickets.`,
    onceAsk: 'Ask now',
    waiting: 'Waiting for WhatsApp to hand them over',
    percent: (n) => `Importing: ${n}%`,
    connectFirst: 'Connect the line first.',
    looking: 'Looking for conversations on the phone',
    share: (done, chats) => `${done} of ${chats}`,
    running: (done, chats) => `Importing: ${done} of ${chats} conversations`,
    came: (n, many) => (n === 0 ? 'nothing new' : n === 1 ? '1 earlier message' : `${many} earlier messages`),
    ended: {
      done: (came) => `Done: ${came}`,
      stopped: (came) => `Stopped: ${came}`,
      silent: (came) => `The phone didn't respond: ${came}`,
      refused: () => "WhatsApp didn't hand over earlier messages",
    },
  },
})
