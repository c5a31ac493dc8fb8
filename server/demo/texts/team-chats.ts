/** Messages of the team chats, each in the language of its members. `{ticket}` is an open ticket. */
export type TeamMessage = {
  by: string
  /** Minutes before now. */
  ago: number
  text: string
  /** The earlier message it replies to, counted back. */
  answers?: number
  reactions?: { by: string; emoji: string }[]
  paper?: string
}
export type TeamChat = {
  /** Null: the one-to-one chat of the first two. */
  title: string | null
  /** The first one is the owner. */
  people: string[]
  words: TeamMessage[]
  /** How many of the last messages a member has not read. */
  unread: Record<string, number>
}

export const teamChats: TeamChat[] = [
  {
    title: 'Recepción y guías',
    people: ['Lucía Montes', 'Martín Olaya', 'Tomás Arrieta', 'Hazel Whitcombe', 'Renata Figueira', 'Bruno Valadares'],
    words: [
      { by: 'Tomás Arrieta', ago: 1530, text: 'Cerré la caja de ayer, quedó todo cargado.' },
      {
        by: 'Martín Olaya',
        ago: 96,
        text: 'La lancha de las 9:15 sale igual mañana, pero con ocho lugares. Dejo el parte del lago.',
      },
      {
        by: 'Martín Olaya',
        ago: 95,
        text: '',
        paper: 'Parte_lago_viernes.pdf',
        reactions: [
          { by: 'Lucía Montes', emoji: '👍' },
          { by: 'Tomás Arrieta', emoji: '👍' },
          { by: 'Hazel Whitcombe', emoji: '❤️' },
        ],
      },
      {
        by: 'Lucía Montes',
        ago: 92,
        text: 'Gracias. Entonces movemos a la familia del turno de las 9 al de las 11, ¿no?',
      },
      { by: 'Martín Olaya', ago: 88, text: 'Sí, ya les avisé.', answers: 1 },
      {
        by: 'Tomás Arrieta',
        ago: 21,
        text: '@Lucía ¿puedes ver la #{ticket}? Pregunta por el fogón y yo estoy con el grupo.',
        reactions: [{ by: 'Martín Olaya', emoji: '👀' }],
      },
      { by: 'Martín Olaya', ago: 17, text: 'Ahí lo veo, dame dos minutos' },
    ],
    unread: { 'Lucía Montes': 2, 'Hazel Whitcombe': 1 },
  },
  {
    title: 'Brasil',
    people: ['Bruno Valadares', 'Renata Figueira', 'Lucía Montes'],
    words: [
      { by: 'Renata Figueira', ago: 240, text: 'O grupo de Curitiba confirmou: 14 pessoas no sábado.' },
      { by: 'Bruno Valadares', ago: 236, text: 'Ótimo. Já reservei o ônibus para sexta à noite.' },
      { by: 'Renata Figueira', ago: 231, text: '@Bruno manda o contrato para eles? Pediram hoje cedo.', answers: 1 },
      {
        by: 'Bruno Valadares',
        ago: 190,
        text: 'Enviado. Ônibus confirmado para sexta.',
        reactions: [{ by: 'Renata Figueira', emoji: '🙌' }],
      },
    ],
    unread: { 'Lucía Montes': 1 },
  },
  {
    title: null,
    people: ['Martín Olaya', 'Lucía Montes'],
    words: [
      { by: 'Lucía Montes', ago: 420, text: '¿Llegas a cubrir el domingo? Hazel pidió el día.' },
      { by: 'Martín Olaya', ago: 415, text: 'Sí, desde las 8.' },
      { by: 'Lucía Montes', ago: 414, text: 'Gracias, lo anoto.', answers: 1 },
    ],
    unread: {},
  },
]
