import { formatNumber } from '../../../lib/format.ts'
import { defineTexts } from '../../../lib/texts.ts'

export const lineMoveTexts = defineTexts({
  es: {
    title: (name: string) => `Pasar ${name} a otra línea`,
    close: 'Cerrar',
    to: 'Línea que la reemplaza',
    pick: 'Elige una línea',
    changes: 'Qué cambia',
    toOfficial: [
      'Quien no escribió en las últimas 24 horas solo recibe plantillas aprobadas por Meta, y Meta las cobra.',
      'Los mensajes enviados no se pueden editar ni eliminar.',
      'No hay grupos: sus conversaciones quedan en esta línea.',
      'La línea nueva recibe cuando el número está registrado en la API oficial.',
    ],
    toPhone: [
      'No hay plantillas ni ventana de 24 horas, pero WhatsApp puede bloquear un número que escribe a muchos desconocidos.',
      'Hay que vincular el teléfono con el código QR.',
      'Las campañas con plantilla necesitan un texto.',
    ],
    moves: 'Qué se mueve',
    stays: 'Qué queda en esta línea',
    tickets: (n: number) => (n === 1 ? '1 conversación abierta' : `${formatNumber(n)} conversaciones abiertas`),
    waiting: (n: number) => (n === 1 ? '1 mensaje sin enviar' : `${formatNumber(n)} mensajes sin enviar`),
    campaigns: (n: number) =>
      n === 1 ? '1 campaña sin empezar, como borrador' : `${formatNumber(n)} campañas sin empezar, como borradores`,
    schedules: (n: number) => (n === 1 ? '1 mensaje programado' : `${formatNumber(n)} mensajes programados`),
    queues: (n: number) => (n === 1 ? '1 cola' : `${formatNumber(n)} colas`),
    users: (n: number) =>
      n === 1 ? '1 agente que escribe con ella' : `${formatNumber(n)} agentes que escriben con ella`,
    groups: (n: number) => (n === 1 ? '1 conversación de grupo' : `${formatNumber(n)} conversaciones de grupos`),
    doubled: (n: number) =>
      n === 1
        ? '1 conversación de alguien que ya habla por la otra línea'
        : `${formatNumber(n)} conversaciones de personas que ya hablan por la otra línea`,
    token: 'El token de su API: cámbialo en tus programas por el de la otra línea',
    history: 'Las conversaciones resueltas y su historial, que se siguen viendo',
    running: (n: number) =>
      n === 1
        ? 'Hay 1 campaña en curso: cancélala primero.'
        : `Hay ${formatNumber(n)} campañas en curso: cancélalas primero.`,
    notConnected: 'La otra línea no está conectada: no podrá enviar hasta que se conecte.',
    after: 'Esta línea se desconecta y no se elimina. Mientras exista, puedes volver atrás de la misma forma.',
    cancel: 'Cancelar',
    move: 'Pasar las conversaciones',
    moved: (name: string) => `Las conversaciones pasan a ${name}`,
  },
  pt: {
    title: (name) => `Passar ${name} para outra linha`,
    close: 'Fechar',
    to: 'Linha que a substitui',
    pick: 'Escolha uma linha',
    changes: 'O que muda',
    toOfficial: [
      'Quem não escreveu nas últimas 24 horas só recebe modelos aprovados pela Meta, e a Meta cobra por eles.',
      'As mensagens enviadas não podem ser editadas nem apagadas.',
      'Não há grupos: as conversas deles ficam nesta linha.',
      'A linha nova recebe quando o número está registrado na API oficial.',
    ],
    toPhone: [
      'Não há modelos nem janela de 24 horas, mas o WhatsApp pode bloquear um número que escreve a muitos desconhecidos.',
      'É preciso vincular o telefone com o código QR.',
      'As campanhas com modelo precisam de um texto.',
    ],
    moves: 'O que muda de linha',
    stays: 'O que fica nesta linha',
    tickets: (n) => (n === 1 ? '1 conversa aberta' : `${formatNumber(n)} conversas abertas`),
    waiting: (n) => (n === 1 ? '1 mensagem por enviar' : `${formatNumber(n)} mensagens por enviar`),
    campaigns: (n) =>
      n === 1 ? '1 campanha não iniciada, como rascunho' : `${formatNumber(n)} campanhas não iniciadas, como rascunhos`,
    schedules: (n) => (n === 1 ? '1 mensagem agendada' : `${formatNumber(n)} mensagens agendadas`),
    queues: (n) => (n === 1 ? '1 fila' : `${formatNumber(n)} filas`),
    users: (n) => (n === 1 ? '1 atendente que escreve por ela' : `${formatNumber(n)} atendentes que escrevem por ela`),
    groups: (n) => (n === 1 ? '1 conversa de grupo' : `${formatNumber(n)} conversas de grupos`),
    doubled: (n) =>
      n === 1
        ? '1 conversa de alguém que já fala pela outra linha'
        : `${formatNumber(n)} conversas de pessoas que já falam pela outra linha`,
    token: 'O token da API dela: troque nos seus programas pelo da outra linha',
    history: 'As conversas resolvidas e o histórico, que continuam visíveis',
    running: (n) =>
      n === 1
        ? 'Há 1 campanha em andamento: cancele-a primeiro.'
        : `Há ${formatNumber(n)} campanhas em andamento: cancele-as primeiro.`,
    notConnected: 'A outra linha não está conectada: não poderá enviar até se conectar.',
    after: 'Esta linha é desconectada e não é excluída. Enquanto existir, você pode voltar atrás do mesmo jeito.',
    cancel: 'Cancelar',
    move: 'Passar as conversas',
    moved: (name) => `As conversas passam para ${name}`,
  },
  en: {
    title: (name) => `Move ${name} to another line`,
    close: 'Close',
    to: 'Line that replaces it',
    pick: 'Choose a line',
    changes: 'What changes',
    toOfficial: [
      "People who haven't written in the last 24 hours only get templates approved by Meta, and Meta charges for them.",
      "Sent messages can't be edited or deleted.",
      'There are no groups: their conversations stay on this line.',
      'The new line receives once the number is registered with the official API.',
    ],
    toPhone: [
      'No templates and no 24-hour window, but WhatsApp may ban a number that writes to many strangers.',
      'The phone has to be linked with the QR code.',
      'Campaigns with a template need a text.',
    ],
    moves: 'What moves',
    stays: 'What stays on this line',
    tickets: (n) => (n === 1 ? '1 open conversation' : `${formatNumber(n)} open conversations`),
    waiting: (n) => (n === 1 ? '1 unsent message' : `${formatNumber(n)} unsent messages`),
    campaigns: (n) =>
      n === 1 ? '1 campaign not started, as a draft' : `${formatNumber(n)} campaigns not started, as drafts`,
    schedules: (n) => (n === 1 ? '1 scheduled message' : `${formatNumber(n)} scheduled messages`),
    queues: (n) => (n === 1 ? '1 queue' : `${formatNumber(n)} queues`),
    users: (n) => (n === 1 ? '1 agent who writes with it' : `${formatNumber(n)} agents who write with it`),
    groups: (n) => (n === 1 ? '1 group conversation' : `${formatNumber(n)} group conversations`),
    doubled: (n) =>
      n === 1
        ? '1 conversation with someone already talking on the other line'
        : `${formatNumber(n)} conversations with people already talking on the other line`,
    token: "Its API token: replace it in your programs with the other line's",
    history: 'Resolved conversations and their history, which remain visible',
    running: (n) =>
      n === 1
        ? '1 campaign is running: cancel it first.'
        : `${formatNumber(n)} campaigns are running: cancel them first.`,
    notConnected: "The other line isn't connected: it can't send until it is.",
    after: 'This line is disconnected, not deleted. As long as it exists, you can move back the same way.',
    cancel: 'Cancel',
    move: 'Move conversations',
    moved: (name) => `Conversations are moving to ${name}`,
  },
})
