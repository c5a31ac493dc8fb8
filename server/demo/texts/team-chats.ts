/** Messages of the team chats, each in the language of its members. `{ticket}` is an open ticket. */
export type TeamMessage = {
  by: string
  /** Minutes before now. */
  minutesAgo: number
  text: string
  /** How many messages before this one the message is that it replies to. */
  repliedOffset?: number
  reactions?: { by: string; emoji: string }[]
  document?: string
}
export type TeamChat = {
  /** Null: the one-to-one chat of the first two members. */
  title: string | null
  /** The first member is the owner. */
  members: string[]
  messages: TeamMessage[]
  /** How many of the last messages a member has not read. */
  unread: Record<string, number>
}

export const teamChats: TeamChat[] = [
  {
    title: 'Recepción y guías',
    members: ['Lucía Montes', 'Martín Olaya', 'Tomás Arrieta', 'Hazel Whitcombe', 'Renata Figueira', 'Bruno Valadares'],
    messages: [
      { by: 'Tomás Arrieta', minutesAgo: 1530, text: 'Cerré la caja de ayer, quedó todo cargado.' },
      {
        by: 'Martín Olaya',
        minutesAgo: 96,
        text: 'La lancha de las 9:15 sale igual mañana, pero con ocho lugares. Dejo el parte del lago.',
      },
      {
        by: 'Martín Olaya',
        minutesAgo: 95,
        text: '',
        document: 'Parte_lago_viernes.pdf',
        reactions: [
          { by: 'Lucía Montes', emoji: '👍' },
          { by: 'Tomás Arrieta', emoji: '👍' },
          { by: 'Hazel Whitcombe', emoji: '❤️' },
        ],
      },
      {
        by: 'Lucía Montes',
        minutesAgo: 92,
        text: 'Gracias. Entonces movemos a la familia del turno de las 9 al de las 11, ¿no?',
      },
      { by: 'Martín Olaya', minutesAgo: 88, text: 'Sí, ya les avisé.', repliedOffset: 1 },
      {
        by: 'Tomás Arrieta',
        minutesAgo: 21,
        text: '@Lucía ¿puedes ver la #{ticket}? Pregunta por el fogón y yo estoy con el grupo.',
        reactions: [{ by: 'Martín Olaya', emoji: '👀' }],
      },
      { by: 'Martín Olaya', minutesAgo: 17, text: 'Ahí lo veo, dame dos minutos' },
    ],
    unread: { 'Lucía Montes': 2, 'Hazel Whitcombe': 1 },
  },
  {
    title: 'Brasil',
    members: ['Bruno Valadares', 'Renata Figueira', 'Lucía Montes'],
    messages: [
      { by: 'Renata Figueira', minutesAgo: 240, text: 'O grupo de Curitiba confirmou: 14 pessoas no sábado.' },
      { by: 'Bruno Valadares', minutesAgo: 236, text: 'Ótimo. Já reservei o ônibus para sexta à noite.' },
      {
        by: 'Renata Figueira',
        minutesAgo: 231,
        text: '@Bruno manda o contrato para eles? Pediram hoje cedo.',
        repliedOffset: 1,
      },
      {
        by: 'Bruno Valadares',
        minutesAgo: 190,
        text: 'Enviado. Ônibus confirmado para sexta.',
        reactions: [{ by: 'Renata Figueira', emoji: '🙌' }],
      },
    ],
    unread: { 'Lucía Montes': 1 },
  },
  {
    title: null,
    members: ['Martín Olaya', 'Lucía Montes'],
    messages: [
      { by: 'Lucía Montes', minutesAgo: 420, text: '¿Llegas a cubrir el domingo? Hazel pidió el día.' },
      { by: 'Martín Olaya', minutesAgo: 415, text: 'Sí, desde las 8.' },
      { by: 'Lucía Montes', minutesAgo: 414, text: 'Gracias, lo anoto.', repliedOffset: 1 },
    ],
    unread: {},
  },
]
