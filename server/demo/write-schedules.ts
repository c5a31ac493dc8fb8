import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import type { Repetition } from '@recado/contract/schedules/repetition-rule'
import type { ScheduleState } from '@recado/contract/schedules/schedules'
import type { Language } from '@recado/contract/users'
import type { Insertable } from 'kysely'
import { addMs, hours } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import type { DB } from '../src/kernel/data/tables.ts'
import type { DemoCustomer } from './customers.ts'
import { demoCompany, demoStaff, lineForLanguage } from './demo-company.ts'
import type { DemoFixtures } from './fixtures.ts'

const scheduleTexts = {
  es: {
    tomorrow:
      'Hola {{firstName}}, mañana salimos a las 8:45 del muelle. Abrigo, gorro y ganas: el resto lo ponemos nosotros.',
    balance: 'Hola {{firstName}}, te recordamos que el saldo de tu reserva vence el viernes.',
    after: '¿Te gustó la caminata, {{firstName}}? Cuéntanos cómo la pasaste.',
    list: 'Lista de pasajeros del sábado: si falta alguien, avísanos antes de las 18.',
  },
  pt: {
    tomorrow: 'Oi {{firstName}}, amanhã saímos às 8h45 do píer. Traga agasalho: o resto é com a gente.',
    balance: 'Oi {{firstName}}, o saldo da sua reserva vence na sexta-feira.',
    after: 'Como foi o passeio, {{firstName}}? Conte para a gente.',
    list: 'Ainda temos dois lugares no passeio de sábado. Quer que eu guarde?',
  },
  en: {
    tomorrow: 'Hi {{firstName}}, we leave tomorrow at 8:45 from the pier. Bring something warm, we bring the rest.',
    balance: 'Hi {{firstName}}, the balance of your booking is due on Friday.',
    after: 'How was the hike, {{firstName}}? We would love to hear.',
    list: 'Your transfer is confirmed. Here is how to find us at the terminal.',
  },
} satisfies Record<Language, Record<string, string>>

type DemoSchedule = {
  /** Days from today. */
  day: number
  time: string
  language: Language
  text: keyof (typeof scheduleTexts)['es']
  status?: ScheduleState
  error?: string
  isHeld?: true
  repeat?: Partial<Repetition>
}

/** Messages of a past and a coming week, in every state that does not change automatically. */
const demoSchedules: DemoSchedule[] = [
  { day: -3, time: '09:00', language: 'pt', text: 'tomorrow', status: 'ENVIADA' },
  { day: -3, time: '16:00', language: 'es', text: 'after', status: 'ENVIADA' },
  { day: -2, time: '09:00', language: 'en', text: 'list', status: 'ENVIADA' },
  { day: -2, time: '11:00', language: 'es', text: 'balance', status: 'ERRO', error: 'too-late' },
  { day: -1, time: '09:30', language: 'es', text: 'tomorrow', status: 'ENVIADA' },
  { day: -1, time: '09:30', language: 'pt', text: 'after', status: 'ENVIADA' },
  { day: -1, time: '14:00', language: 'en', text: 'balance', status: 'ERRO', error: 'unreachable' },
  { day: 0, time: '00:15', language: 'es', text: 'balance', isHeld: true },
  { day: 1, time: '08:00', language: 'pt', text: 'list' },
  { day: 1, time: '09:00', language: 'es', text: 'list', repeat: { unit: 'week', days: [], times: 8 } },
  { day: 1, time: '10:30', language: 'es', text: 'tomorrow' },
  { day: 1, time: '10:30', language: 'pt', text: 'tomorrow' },
  { day: 1, time: '16:30', language: 'en', text: 'after' },
  { day: 2, time: '12:00', language: 'en', text: 'tomorrow' },
  { day: 2, time: '17:30', language: 'es', text: 'after' },
  { day: 3, time: '09:00', language: 'pt', text: 'balance', repeat: { unit: 'day', every: 2, times: 3 } },
  { day: 4, time: '18:00', language: 'es', text: 'tomorrow' },
  { day: 6, time: '11:00', language: 'en', text: 'balance' },
]

const dayMs = 86_400_000
const noRepetition: Repetition = {
  unit: 'day',
  every: 1,
  days: [],
  by: 'day',
  until: null,
  times: null,
  skipOff: false,
}

export async function writeSchedules(
  scope: Scope,
  { contactIds: people, fixtures }: { contactIds: Map<DemoCustomer, number>; fixtures: DemoFixtures },
): Promise<void> {
  const customers = [...people].filter(([{ isGroup }]) => !isGroup)
  const rows = demoSchedules.map((schedule, n) => toScheduleRow(scope, schedule, n, customers, fixtures))
  await scope.db.insertInto('schedules').values(rows).execute()
}

function toScheduleRow(
  scope: Scope,
  schedule: DemoSchedule,
  n: number,
  customers: [DemoCustomer, number][],
  fixtures: DemoFixtures,
): Insertable<DB['schedules']> {
  const now = scope.now()
  const { language, status = 'PENDENTE', error = null, isHeld, repeat } = schedule
  const theirs = customers.filter(([customer]) => customer.language === language)
  const author = demoStaff.find(
    (one) => one.spokenLanguages.includes(language) && (n % 3 === 0 || one.profile === 'user'),
  )
  const first = `${toWallTime(addMs(now, schedule.day * dayMs), demoCompany.zone).slice(0, 10)}T${schedule.time}`
  const sendAt = dateOfWallTime(first, demoCompany.zone)
  const savedAt = addMs(new Date(Math.min(sendAt.getTime(), now.getTime())), -hours(20))
  return {
    companyId: scope.companyId,
    contactId: theirs[(n * 5) % theirs.length]?.[1] ?? 0,
    whatsappId: fixtures.lines.get(lineForLanguage(language)) ?? null,
    userId: fixtures.staff.get(author?.name ?? '') ?? null,
    body: scheduleTexts[language][schedule.text],
    ...{ mediaPath: null, mediaName: null, file: null, sendAs: null },
    ...{ sendAt, status, error, sentAt: status === 'ENVIADA' ? addMs(sendAt, 4000) : null },
    ...{ onReply: isHeld ? ('hold' as const) : ('send' as const), heldAt: isHeld ? sendAt : null, waitsUntil: null },
    ...{ messageId: null, ticketId: null, followed: false, nth: 1, first, slot: first },
    repeat: repeat ? JSON.stringify({ ...noRepetition, ...repeat }) : null,
    ...{ savedAt, createdAt: savedAt },
  }
}
