import { z } from 'zod'
import {
  bodyLimitBytes,
  crud,
  del,
  dictionary,
  flag,
  get,
  idParams,
  isoDateTime,
  listQuery,
  mediaEndpoints,
  nullableRef,
  pageReply,
  post,
  put,
  ref,
  requiredText,
} from '../endpoint.ts'
import { Repetition } from './repetition-rule.ts'

/** PENDENTE: not due yet. AGENDADA: sending, or waiting for its line. ENVIADA: sent. ERRO: failed, with a reason. */
export const scheduleStates = ['PENDENTE', 'AGENDADA', 'ENVIADA', 'ERRO'] as const
export type ScheduleState = (typeof scheduleStates)[number]

/** Why the message was not sent or is delayed. Other values are the failure reason of the sent message. */
export const scheduleReasons = [
  'line-down',
  'line-gone',
  'too-late',
  'window-closed',
  'not-paid',
  /** The ticket is in a queue that the author of the scheduled message no longer belongs to. */
  'no-access',
] as const

export const Schedule = z.object({
  id: z.number(),
  body: z.string(),
  contactId: z.number(),
  contact: z.object({ id: z.number(), name: z.string(), number: z.string() }),
  sendAt: isoDateTime,
  sentAt: isoDateTime.nullable(),
  status: z.enum(scheduleStates),
  /** The reason of an ERRO, or of a delay. */
  error: z.string().nullable(),
  /** The customer wrote in the meantime, and the message is held until a user decides whether to send it. */
  heldAt: isoDateTime.nullable(),
  /** When the customer wrote after the message was saved; set only if that holds the message. */
  wroteAt: isoDateTime.nullable(),
  onReply: z.enum(['send', 'hold']),
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  userId: z.number().nullable(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** Null when the line was deleted. */
  whatsappId: z.number().nullable(),
  whatsapp: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** The template that is sent; its text is in `body`. */
  template: z.object({ name: z.string(), language: z.string() }).nullable(),
  repeat: Repetition.nullable(),
  /** The position of this message in the series. */
  nth: z.number(),
  /** The ticket that contains the message, once it was sent. */
  ticketUuid: z.string().nullable(),
  createdAt: isoDateTime,
})
export type Schedule = z.infer<typeof Schedule>

/** Whether the day exists: the 31st of a month with 30 days does not. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

/** `2026-11-19T09:30` is in the company's time zone; with an offset it is an absolute moment. */
export const sendTime = z
  .string()
  .trim()
  .regex(/^[12]\d{3}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/)
  .refine((v) => isDay(v.slice(0, 10)) && !Number.isNaN(Date.parse(v.replace(' ', 'T'))))
  .transform((v) => v.replace(' ', 'T'))

/** Older clients send the whole row back: fields not listed here are ignored, because the server sets them. */
export const ScheduleWrite = z.object({
  body: requiredText(5, 4096),
  contactId: ref('contact'),
  sendAt: sendTime,
  /** Whether a file is uploaded next. Older clients do not say: a message of this minute then waits for one. */
  fileFollows: flag.optional(),
  /** Absent: the line of the contact's last conversation, else the default line. */
  whatsappId: nullableRef('connection'),
  onReply: z.enum(['send', 'hold']).default('send').catch('send'),
  repeat: z.preprocess((v) => v ?? null, Repetition.nullable()).default(null),
  template: z
    .preprocess(
      (v) => v ?? null,
      z
        .object({
          name: z.string().max(512),
          language: z.string().max(20),
          variables: dictionary(100, z.string().max(60), z.string().max(1024)).default({}),
        })
        .nullable(),
    )
    .default(null),
})
export type ScheduleWrite = z.output<typeof ScheduleWrite>

const path = '/schedules'
const plan = 'useSchedules'
const params = idParams('schedule')
const { upload, detach } = mediaEndpoints(path, 'schedule', 'session')
const example = {
  body: 'Hola {{firstName}}, mañana salimos a las 9',
  contactId: 1,
  sendAt: '2099-01-15T10:00',
  whatsappId: null,
}
export const schedulesApi = {
  ...crud({
    bytes: bodyLimitBytes.longText,
    path,
    entity: 'schedule',
    plural: 'schedules',
    row: Schedule,
    search: ['body'],
    newestFirst: true,
    topic: { name: (c) => `company${c}-schedule`, one: 'schedule', gone: 'scheduleId' },
    write: ScheduleWrite,
    example,
    read: 'session',
    edit: 'session',
    plan,
  }),
  list: get(path, {
    about:
      'A page of scheduled messages: own ones and those of chats with a ticket the caller sees; admins see all. `held`: only those that wait for a decision, or without them. With `from` and `until`, all of that period, at most 2000',
    access: 'session',
    plan,
    query: listQuery.extend({
      contactId: ref('contact').optional().catch(undefined),
      userId: ref('user').optional().catch(undefined),
      status: z.enum(scheduleStates).optional().catch(undefined),
      held: flag.optional(),
      from: sendTime.optional(),
      until: sendTime.optional(),
    }),
    reply: pageReply('schedules', Schedule),
  }),
  place: get(`${path}/place`, {
    about: 'The line and chat a message for this contact would be sent to, and until when free text is allowed there',
    access: 'session',
    plan,
    query: z.object({ contactId: ref('contact'), whatsappId: nullableRef('connection') }),
    reply: z.object({
      whatsappId: z.number(),
      name: z.string(),
      /** On official lines: the moment after which only a template can be sent. */
      windowEndsAt: isoDateTime.nullable(),
    }),
  }),
  remove: del(`${path}/:id`, {
    about: 'Delete a scheduled message and the rest of its series; `only`: just this occurrence',
    access: 'session',
    plan,
    params,
    query: z.object({ only: flag.default(false) }),
    reply: z.object({ message: z.string() }),
  }),
  move: put(`${path}/:id/move`, {
    about: 'Reschedule a message; of a series, only this occurrence',
    access: 'session',
    plan,
    params,
    body: z.object({ sendAt: sendTime }),
    example: { sendAt: '2099-01-15T10:00' },
    reply: Schedule,
  }),
  retry: post(`${path}/:id/retry`, {
    about: 'Send a message now: one that was not sent, or one that was held because the customer wrote',
    access: 'session',
    plan,
    params,
    reply: Schedule,
  }),
  upload: { ...upload, plan } as typeof upload & { plan: typeof plan },
  detach: { ...detach, plan } as typeof detach & { plan: typeof plan },
}
