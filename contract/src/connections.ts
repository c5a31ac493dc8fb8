import { z } from 'zod'
import { CloudAccount, CloudAccountWrite } from './cloud.ts'
import {
  bodyLimitBytes,
  defineRecord,
  del,
  flag,
  get,
  idParams,
  isoDateTime,
  messageReply,
  nullableRef,
  optionalText,
  post,
  put,
  ref,
  requiredName,
  requiredText,
} from './endpoint.ts'

/** What a line can be (spec, section 4). */
export const lineStatuses = ['OPENING', 'qrcode', 'PAIRING', 'CONNECTED', 'DISCONNECTED', 'TIMEOUT'] as const
export type LineStatus = (typeof lineStatuses)[number]
/** Who carries it: `beta` is a linked phone, `cloud` the official API, `sandbox` the test phone. */
export const lineProviders = ['beta', 'cloud', 'sandbox'] as const
export type LineProvider = (typeof lineProviders)[number]
/** Why a line is not connected. `off`: a person disconnected it. */
export const lineDownReasons = [
  'off',
  'qr-timeout',
  'unlinked',
  'network',
  'unreachable',
  'start-failed',
  'provider-missing',
  // A linked phone: what WhatsApp says of it.
  'replaced',
  'banned',
  'banned-for-now',
  'outdated',
  'passkey',
  'refused',
  'pairing-failed',
  // The official API: what its account lacks, or why Meta refuses it.
  'cloud-incomplete',
  'token-expired',
  'number-not-found',
  'no-permission',
  'account-locked',
  'meta-down',
] as const

/** What a line may be unable to do: screens show it greyed out. */
export const abilities = [
  'edit',
  'revoke',
  'reaction',
  'typing',
  'location',
  'contact',
  'groups',
  'profilePicture',
  'contacts',
  'history',
] as const
export type Ability = (typeof abilities)[number]

/**
 * How fast a linked phone writes to people who did not write to it within a day: whoever writes to many at once is taken
 * for a machine, and loses the number. `auto` goes by the age of the line, `own` by the two numbers, `off` by nothing.
 */
export const paceModes = ['auto', 'own', 'off'] as const
export type PaceMode = (typeof paceModes)[number]
const Pacing = z.object({
  mode: z.enum(paceModes),
  /** What is in force now; null: no limit. */
  perMinute: z.number().nullable(),
  dailyCap: z.number().nullable(),
  /** Within the last 24 hours. */
  sentToday: z.number(),
  waiting: z.number(),
  /** When the next of those that wait may leave. */
  nextAt: isoDateTime.nullable(),
  /** Full days since the line has had its number. */
  age: z.number(),
})
export type Pacing = z.infer<typeof Pacing>
/** Why a message still waits, in its `error`: its turn comes within minutes, or when the day's number is not full. */
export const pacingWaitReasons = ['paced', 'paced-day'] as const

/** How asking a phone for older messages ended. `silent`: the phone did not answer, it may be switched off. */
export const historyImportStates = ['running', 'done', 'stopped', 'silent'] as const
const HistoryImportProgress = z.object({
  state: z.enum(historyImportStates),
  /** Conversations that are asked about; 0 until the phone has told which. */
  chats: z.number(),
  done: z.number(),
  /** Older messages that came and were not here before. */
  messages: z.number(),
  startedAt: isoDateTime,
})
export type HistoryImportProgress = z.infer<typeof HistoryImportProgress>

/** A connection as browsers see it. `token` and `qrcode` are filled for those who manage lines, empty for others. */
export const Connection = z.object({
  id: z.number(),
  name: z.string(),
  status: z.enum(lineStatuses),
  /** Why it is not connected, as a word the screen translates; empty while nothing is wrong. */
  reason: z.string(),
  isDefault: z.boolean(),
  provider: z.enum(lineProviders),
  number: z.string(),
  qrcode: z.string(),
  /** The eight characters to type on the phone instead of scanning; shown to whom the QR is shown. */
  pairingCode: z.string(),
  retries: z.number(),
  token: z.string(),
  greetingMessage: z.string(),
  complationMessage: z.string(),
  outOfHoursMessage: z.string(),
  ratingMessage: z.string(),
  expiresTicket: z.number(),
  expiresInactiveMessage: z.string(),
  timeToTransfer: z.number().nullable(),
  transferQueueId: z.number().nullable(),
  promptId: z.number().nullable(),
  integrationId: z.number().nullable(),
  timeUseBotQueues: z.number(),
  maxUseBotQueues: z.number(),
  queues: z.array(z.object({ id: z.number(), name: z.string(), color: z.string() })),
  /** What its provider cannot do. */
  cannot: z.array(z.enum(abilities)),
  /** The account at Meta, of a line on the official API and for those who manage lines; null otherwise. */
  cloud: CloudAccount.nullable(),
  /** Of a linked phone and for those who manage lines; null otherwise. */
  pacing: Pacing.nullable(),
  /** The last time older messages were asked for, for those who manage lines; null otherwise. */
  history: HistoryImportProgress.nullable(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type Connection = z.infer<typeof Connection>

/** Text inputs send "10", untouched ones 10, emptied ones "". */
const minutes = (fallback: number) =>
  z.preprocess(
    (v) => (v === '' || v === null || v === undefined ? fallback : v),
    z.coerce.number().int().min(0).max(525_600),
  )

export const ConnectionWrite = z.object({
  name: requiredName(2, 50),
  /** Absent: as it is. */
  isDefault: flag.optional(),
  /** Absent or unknown: as it is, and a linked phone for a new one. */
  provider: z.enum(lineProviders).optional().catch(undefined),
  /** Empty: the server makes one, or keeps the one it has. Whoever knows it sends in the company's name. */
  token: z.preprocess((v) => v ?? '', z.union([z.literal(''), requiredText(8, 100)])),
  greetingMessage: optionalText(4096),
  complationMessage: optionalText(4096),
  outOfHoursMessage: optionalText(4096),
  ratingMessage: optionalText(4096),
  expiresTicket: minutes(0),
  expiresInactiveMessage: optionalText(4096),
  timeToTransfer: z.preprocess(
    (v) => (v === '' || v === undefined ? null : v),
    z.coerce.number().int().min(0).max(525_600).nullable(),
  ),
  transferQueueId: nullableRef('queue'),
  promptId: nullableRef('prompt'),
  /** Absent: as it is. */
  integrationId: nullableRef('integration').optional(),
  timeUseBotQueues: minutes(0),
  maxUseBotQueues: minutes(3),
  /** Absent: as they are. */
  queueIds: z.array(ref('queue')).max(500).optional(),
  /** Of a line on the official API. Absent: as it is. Clients that send back what they read send null for none. */
  cloud: z.preprocess((v) => v ?? undefined, CloudAccountWrite.optional()),
  /** Of a linked phone. Absent: as it is. The two numbers count with `own` alone. */
  pacing: z.preprocess(
    (v) => v ?? undefined,
    z
      .object({
        mode: z.enum(paceModes),
        perMinute: z.preprocess((v) => v ?? undefined, z.coerce.number().int().min(1).max(600).optional()),
        /** Null or empty: no cap. */
        dailyCap: z
          .preprocess((v) => (v === '' ? null : v), z.coerce.number().int().min(1).max(100_000).nullable())
          .optional(),
      })
      .optional(),
  ),
})
export type ConnectionWrite = z.output<typeof ConnectionWrite>

/** What changes while a line connects. */
export const LineSession = z.object({
  id: z.number(),
  status: z.enum(lineStatuses),
  reason: z.string(),
  updatedAt: isoDateTime,
  qrcode: z.string(),
  pairingCode: z.string(),
  retries: z.number(),
})
export type LineSession = z.infer<typeof LineSession>

const example = {
  name: 'Ventas',
  provider: 'sandbox' as const,
  isDefault: true,
  timeToTransfer: null,
  transferQueueId: null,
  promptId: null,
  expiresTicket: 0,
  timeUseBotQueues: 0,
  maxUseBotQueues: 3,
  queueIds: [],
}
const manage = 'connections-page:editOrDeleteConnection' as const
const act = 'connections-page:actionButtons' as const
const lineId = z.object({ whatsappId: ref('connection') })

export const connectionsApi = {
  ...defineRecord({
    entity: 'connection',
    row: Connection,
    search: ['name'],
    missing: 'ERR_NO_WAPP_FOUND',
    topic: { name: (c) => `company-${c}-whatsapp`, one: 'whatsapp', gone: 'whatsappId' },
  }),
  list: get('/whatsapp', { about: 'Every line of the company', access: 'session', reply: z.array(Connection) }),
  show: get('/whatsapp/:id', {
    about: 'One line',
    access: 'session',
    params: idParams('connection'),
    reply: Connection,
  }),
  create: post('/whatsapp', {
    bytes: bodyLimitBytes.longForm,
    about: 'Add a line',
    access: 'connections-page:addConnection',
    body: ConnectionWrite,
    example,
    reply: Connection,
  }),
  update: put('/whatsapp/:id', {
    bytes: bodyLimitBytes.longForm,
    about: 'Change a line',
    access: manage,
    params: idParams('connection'),
    body: ConnectionWrite,
    example,
    reply: Connection,
  }),
  remove: del('/whatsapp/:id', {
    about: 'Delete a line',
    access: manage,
    params: idParams('connection'),
    reply: messageReply,
  }),
  restart: post('/whatsappsession/:whatsappId', {
    about: 'Connect again with what is stored',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
  renew: put('/whatsappsession/:whatsappId', {
    about: 'Forget the phone and show a new QR',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
  code: post('/whatsappsession/:whatsappId/code', {
    about: 'Link by a code that is typed on the phone; it follows in the session',
    access: act,
    params: lineId,
    body: z.object({
      /** As people write it, with its country. */
      number: z
        .string()
        .max(60)
        .transform((v) => v.replace(/\D/g, ''))
        .pipe(z.string().regex(/^[1-9]\d{7,14}$/)),
    }),
    example: { number: '+55 11 99999-0000' },
    reply: messageReply,
  }),
  askPast: post('/whatsappsession/:whatsappId/history', {
    about: 'Ask the phone for older messages of its newest conversations; how far it is stands on the line',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
  stopPast: del('/whatsappsession/:whatsappId/history', {
    about: 'Stop asking for older messages; what has come stays',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
  disconnect: del('/whatsappsession/:whatsappId', {
    about: 'Disconnect',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
}
