import { z } from 'zod'
import { billingShape } from './billing.ts'
import {
  capacity,
  crud,
  email,
  flag,
  get,
  idParams,
  isoDateTime,
  messageReply,
  nullableRef,
  post,
  put,
  ref,
  requiredName,
  undoSeconds,
} from './endpoint.ts'
import { Hours, WeekHours } from './hours/hours.ts'
import { optionalPassword } from './passwords/passwords.ts'
import { skillIds } from './routing/skills.ts'
import { profiles } from './rules.ts'
import { isTimeZone, Setting } from './settings.ts'

export const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

const QueueOfUser = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  UserQueue: z.object({ queueId: z.number() }),
})

/** What users say about themselves. Users without an open browser are offline, whatever they said. */
export const availabilities = ['available', 'break', 'away'] as const
export type Availability = (typeof availabilities)[number]
/** What changed the availability: a person, n minutes without any activity, or two offers without an answer. */
export const availabilityCauses = ['person', 'inactivity', 'missedOffers'] as const
export type AvailabilityCause = (typeof availabilityCauses)[number]

export const User = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  profile: z.enum(profiles),
  super: z.boolean(),
  companyId: z.number(),
  allTicket: z.enum(['enabled', 'desabled']),
  whatsappId: z.number().nullable(),
  queues: z.array(QueueOfUser),
  language: z.enum(languages).nullable(),
  /** The user's zone if set, else the company's: forms of older clients cannot be saved without a zone. */
  timeZone: z.string(),
  /** Whether the user has set the zone. */
  hasTimeZone: z.boolean(),
  /** A deactivated user keeps their history but cannot log in. */
  active: z.boolean(),
  /** Invited, but has not chosen a password yet. */
  invited: z.boolean(),
  /** Logs in with two-factor authentication. */
  twoFactor: z.boolean(),
  online: z.boolean(),
  /** Whether the server may assign tickets to the user. */
  availability: z.enum(availabilities),
  availabilityReason: z.string(),
  availabilitySince: isoDateTime,
  availabilityCause: z.enum(availabilityCauses),
  /** How many places the user's open tickets may take before the server assigns no more. Null: as the queue says. */
  capacity: z.number().nullable(),
  skillIds: z.array(z.number()),
  /** The weekly plan of the user's shifts, like opening hours. Empty: without a plan. */
  shifts: z.array(Hours),
  /** Outside of their shifts the server assigns users no tickets. Always true without a plan. */
  onShift: z.boolean(),
  /** Whether the user was ever connected. */
  hasLoggedIn: z.boolean(),
  /** Receives last week's report by mail on Mondays. */
  weeklyMail: z.boolean(),
  /** Has hidden the getting-started guide. */
  hidesGuide: z.boolean(),
  /** For how many seconds the user's messages can be taken back after sending; 0: not at all. */
  undoSeconds: z.number(),
  createdAt: isoDateTime,
})
export type User = z.infer<typeof User>

/** The company, as its own users see it. */
export const OwnCompany = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  /** The end of the last paid day in the company's time zone; far in the future if it never expires. */
  dueDate: isoDateTime,
  /** The last paid day is over: only payment is possible. */
  expired: z.boolean(),
  trialExpiration: isoDateTime.nullable(),
  planId: z.number().nullable(),
  settings: z.array(Setting),
  ...billingShape,
})
export type OwnCompany = z.infer<typeof OwnCompany>

/** The logged-in user, as sent by login, refresh and their own live updates. */
export const SessionUser = User.extend({ company: OwnCompany })
export type SessionUser = z.infer<typeof SessionUser>

/** How long an invitation link works. It works once. */
export const invitationValidDays = 7

/** `url` is the link to pass on if the server cannot send mail; if the link was mailed, it is not shown. */
export const Invitation = z.object({ delivery: z.enum(['mail', 'folder']), url: z.string().nullable() })
export type Invitation = z.infer<typeof Invitation>

export const UserWrite = z.object({
  name: requiredName(2, 50),
  email,
  password: optionalPassword,
  /** Required when users change their own email address or password. */
  currentPassword: z.string().max(200).nullish(),
  profile: z.enum(profiles).default('user'),
  allTicket: z.enum(['enabled', 'desabled']).default('desabled'),
  /** Absent or invalid: unchanged. Empty, or equal to the company's zone: the user has no zone of their own. */
  timeZone: z
    .string()
    .max(60)
    .refine((zone) => zone === '' || isTimeZone(zone))
    .nullable()
    .optional()
    .catch(undefined),
  active: flag.default(true),
  /** Can only be changed by the user themselves. Absent: unchanged. */
  weeklyMail: flag.optional(),
  /** Can only be changed by the user themselves. Absent: unchanged. */
  hidesGuide: flag.optional(),
  /** Can only be changed by the user themselves. Absent: unchanged. */
  undoSeconds: undoSeconds.optional(),
  /** Absent: unchanged. */
  whatsappId: nullableRef('connection').optional(),
  queueIds: z.array(ref('queue')).max(500).optional(),
  capacity,
  /** Absent: unchanged. */
  skillIds: skillIds.optional(),
  shifts: WeekHours.optional(),
  /** Only the super user may set another company. */
  companyId: ref('company').nullish(),
})
export type UserWrite = z.output<typeof UserWrite>

const userCrud = crud({
  path: '/users',
  entity: 'user',
  plural: 'users',
  row: User,
  search: ['name', 'email'],
  newestFirst: true,
  // Browsers replace their session user with this payload, so it is always complete.
  topic: { one: 'user', gone: 'userId', row: SessionUser },
  write: UserWrite,
  example: {
    name: 'Ana Torres',
    email: 'ana@desk.example',
    password: 'a-good-password',
    profile: 'user',
    whatsappId: null,
    queueIds: [],
  },
  read: 'session',
  edit: 'users-page:manage',
  across: true,
})

export const usersApi = {
  ...userCrud,
  /** Without a password the user is invited to choose one. */
  create: { ...userCrud.create, reply: User.extend({ invitation: Invitation.optional() }) },
  invite: post('/users/:id/invitation', {
    about: 'Invite a user again who has not chosen a password yet; the previous link becomes invalid',
    access: 'users-page:manage',
    across: true,
    params: idParams('user'),
    reply: Invitation,
  }),
  everyone: get('/users/list', {
    about: 'All users of the company, oldest first; the super user may name another company',
    access: 'session',
    key: 'tickets',
    across: true,
    query: z.object({ companyId: ref('company').optional() }),
    reply: z.array(User),
  }),
  /** Users may change themselves; fields they may not change are ignored (profile, queues, connection). */
  update: { ...userCrud.update, access: 'session' as const },
  setAvailability: put('/users/:id/availability', {
    about: 'Say whether a user takes tickets; users for themselves, supervisors and admins for everybody',
    access: 'session',
    params: idParams('user'),
    body: z.object({ availability: z.enum(availabilities), reason: z.string().trim().max(60).default('') }),
    example: { availability: 'break', reason: 'Almuerzo' },
    reply: User,
  }),
  setLanguage: post('/users/set-language/:lang', {
    about: 'Set the language of the caller; ignored without a session',
    access: 'public',
    params: z.object({ lang: z.enum(languages) }),
    reply: messageReply,
  }),
}
