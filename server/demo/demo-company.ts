import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import type { Profile } from '@recado/contract/rules'
import type { Language } from '@recado/contract/users'
import type { DemoQueueName } from './script.ts'

/** A fictional travel agency in a fictional valley. */
export const demoCompany = { name: 'Valle Bruma Viajes', email: 'hola@vallebruma.example', zone: 'America/Montevideo' }

export type StaffMember = {
  name: string
  email: string
  profile: Profile
  language: Language
  queues: DemoQueueName[]
  /** The languages of the customers whom this agent answers. */
  spokenLanguages: Language[]
  /** The agent's messages begin with their name. */
  signsMessages: boolean
}
const emailOf = (name: string) => `${name}@vallebruma.example`
const allQueues: DemoQueueName[] = ['reservas', 'excursiones', 'pagos', 'viajeros']
export const demoStaff: StaffMember[] = [
  {
    name: 'Lucía Montes',
    email: emailOf('lucia'),
    profile: 'admin',
    language: 'es',
    queues: allQueues,
    spokenLanguages: ['es', 'pt', 'en'],
    signsMessages: false,
  },
  {
    name: 'Bruno Valadares',
    email: emailOf('bruno'),
    profile: 'supervisor',
    language: 'pt',
    queues: allQueues,
    spokenLanguages: ['pt'],
    signsMessages: false,
  },
  {
    name: 'Tomás Arrieta',
    email: emailOf('tomas'),
    profile: 'user',
    language: 'es',
    queues: ['reservas', 'pagos'],
    spokenLanguages: ['es'],
    signsMessages: true,
  },
  {
    name: 'Renata Figueira',
    email: emailOf('renata'),
    profile: 'user',
    language: 'pt',
    queues: ['reservas', 'excursiones'],
    spokenLanguages: ['pt'],
    signsMessages: true,
  },
  {
    name: 'Hazel Whitcombe',
    email: emailOf('hazel'),
    profile: 'user',
    language: 'en',
    queues: ['excursiones', 'viajeros'],
    spokenLanguages: ['en'],
    signsMessages: false,
  },
  {
    name: 'Martín Olaya',
    email: emailOf('martin'),
    profile: 'user',
    language: 'es',
    queues: ['excursiones', 'viajeros'],
    spokenLanguages: ['es', 'en'],
    signsMessages: true,
  },
]

type DemoOption = { title: string; message: string; leads?: 'person' | 'queue' | 'end'; targetQueue?: DemoQueueName }
type DemoQueue = {
  name: string
  color: string
  greeting: string
  options: DemoOption[]
  /** Opening hours, and the message to customers outside them. */
  hours: Hours[]
  closedMessage: string
  /** SLA goals, in minutes of opening hours. */
  goals: { answer: number; resolve: number }
}
/** Opening hours from `startTime` to `endTime`, on all days except `off`. */
const openingHours = (startTime: string, endTime: string, off: Hours['weekdayEn'][] = []): Hours[] =>
  defaultHours.map((day) => ({
    ...day,
    ...(off.includes(day.weekdayEn) ? { startTime: '00:00', endTime: '00:00' } : { startTime, endTime }),
  }))
export const demoQueues: Record<DemoQueueName, DemoQueue> = {
  reservas: {
    name: 'Reservas',
    color: '#1971c2',
    greeting: 'Reservas de cabañas y habitaciones. ¿Qué necesitas?',
    hours: openingHours('07:00', '23:00'),
    closedMessage: 'Ahora dormimos. Déjanos fechas y cuántas personas son, y te respondemos desde las 7.',
    goals: { answer: 7, resolve: 480 },
    options: [
      { title: 'Reservar', message: 'Dinos fechas y cuántas personas son, y te respondemos con lo que hay.' },
      { title: 'Cambiar o cancelar', message: 'Escríbenos el código de tu reserva y la fecha nueva.' },
      {
        title: 'Horarios de entrada y salida',
        message: 'Se entra desde las 15:00 y se sale hasta las 11:00. Guardamos equipaje sin costo.',
        leads: 'end',
      },
    ],
  },
  excursiones: {
    name: 'Excursiones',
    color: '#2f9e44',
    greeting: 'Excursiones por el valle, todos los días del año.',
    hours: openingHours('06:00', '23:00'),
    closedMessage: 'Los guías ya duermen. Cuéntanos qué día vienes y te respondemos desde las 6.',
    goals: { answer: 6, resolve: 2160 },
    options: [
      { title: 'Ver salidas', message: 'Cuéntanos qué día vienes y qué te gusta: caminar, remar o mirar aves.' },
      { title: 'El tiempo y los caminos', message: 'El parte sale cada mañana a las 8. Ahora te lo contamos.' },
      { title: 'Pagar una excursión', message: 'Te pasamos con Pagos.', leads: 'queue', targetQueue: 'pagos' },
    ],
  },
  pagos: {
    name: 'Pagos',
    color: '#f08c00',
    greeting: 'Pagos y facturas. Si tienes un comprobante, puedes enviarlo aquí.',
    hours: openingHours('08:00', '20:00', ['sunday']),
    closedMessage: 'Administración atiende de lunes a sábado, de 8 a 20. Puedes dejar aquí tu comprobante.',
    goals: { answer: 15, resolve: 1440 },
    options: [],
  },
  viajeros: {
    name: 'Atención al viajero',
    color: '#9c36b5',
    greeting: '¿Estás de viaje con nosotros? Cuéntanos qué pasa y te ayudamos.',
    hours: openingHours('00:00', '23:59'),
    closedMessage: '',
    goals: { answer: 6, resolve: 120 },
    options: [],
  },
}

export const demoTags = [
  { name: 'Familia', color: '#0ca678', kanban: 0 },
  { name: 'Grupo', color: '#3b5bdb', kanban: 0 },
  { name: 'Vuelve cada año', color: '#9c36b5', kanban: 0 },
  { name: 'Factura', color: '#a07a00', kanban: 0 },
  { name: 'Urgente', color: '#e03131', kanban: 0 },
  { name: 'Presupuesto enviado', color: '#1098ad', kanban: 1 },
  { name: 'Espera seña', color: '#f08c00', kanban: 1 },
  { name: 'Confirmado', color: '#2f9e44', kanban: 1 },
]

export const demoQuickReplies = [
  ['hola', 'Hola {{firstName}}, gracias por escribir a Valle Bruma. ¿En qué te ayudo?'],
  ['horario', 'Se entra desde las 15:00 y se sale hasta las 11:00. El equipaje lo guardamos sin costo.'],
  ['seña', 'Para confirmar pedimos el 30 %. Puedes pagar con tarjeta o por transferencia.'],
  ['llegar', 'Desde la terminal son 20 minutos por la ruta del lago. Si avisas a qué hora llegas, te vamos a buscar.'],
  ['abrigo', 'Trae abrigo, impermeable y calzado cerrado. Bastones y polainas los prestamos.'],
  ['mascotas', 'Las mascotas son bienvenidas en las cabañas, sin costo.'],
  ['oi', 'Oi {{firstName}}, obrigado por escrever para a Valle Bruma. Como posso te ajudar?'],
  ['sinal', 'Para confirmar pedimos 30 %. Dá para pagar por Pix, cartão ou transferência.'],
  ['hello', 'Hi {{firstName}}, thanks for writing to Valle Bruma. How can I help?'],
  ['deposit', 'We ask for 30 % to confirm. You can pay by card or bank transfer.'],
] as const

export const demoLines = {
  recepcion: {
    name: 'Recepción',
    greeting: 'Hola, somos Valle Bruma. Elige una opción y te atiende una persona.',
    completion: 'Gracias por escribirnos. Que tengas un lindo día.',
    rating: '¿Cómo te atendimos?',
  },
  brasil: {
    name: 'Brasil',
    greeting: 'Oi, aqui é a Valle Bruma. Escolha uma opção e uma pessoa vai te atender.',
    completion: 'Obrigado por escrever. Tenha um ótimo dia.',
    rating: 'Como foi o atendimento?',
  },
} as const
export type DemoLineName = keyof typeof demoLines
/** Customers from Brazil write to the Brazilian number. */
export const lineForLanguage = (language: Language): DemoLineName => (language === 'pt' ? 'brasil' : 'recepcion')
