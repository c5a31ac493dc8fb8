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
import { LineHealth, LineHealthEvent } from './health/line-health.ts'

/** The states of a line (spec, section 4). */
export const lineStatuses = ['OPENING', 'qrcode', 'PAIRING', 'CONNECTED', 'DISCONNECTED', 'TIMEOUT'] as const
export type LineStatus = (typeof lineStatuses)[number]
/** The provider: `beta` is a linked phone, `cloud` the official API, `sandbox` the test phone. */
export const lineProviders = ['beta', 'cloud', 'sandbox'] as const
export type LineProvider = (typeof lineProviders)[number]
/** Why a line is not connected. `off`: a user disconnected it. */
export const lineDownReasons = [
  'off',
  'qr-timeout',
  'unlinked',
  'network',
  'unreachable',
  'start-failed',
  'provider-missing',
  // Linked phone: reasons reported by WhatsApp.
  'replaced',
  'banned',
  'banned-for-now',
  'outdated',
  'passkey',
  // Linking with a passkey: what is awaited, while the line is pairing, and why it ended.
  'passkey-sign',
  'passkey-compare',
  'passkey-expired',
  'passkey-cancelled',
  'passkey-failed',
  'refused',
  'pairing-failed',
  // Official API: what the account lacks, or why Meta refuses it.
  'cloud-incomplete',
  'token-expired',
  'number-not-found',
  'no-permission',
  'account-locked',
  'meta-down',
  'webhook-refused',
] as const

/** Abilities that a line may lack: screens show them disabled. */
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
 * How fast a linked phone writes to people who did not write to it within a day: WhatsApp takes a phone that writes
 * to many at once for a bot and bans it. `auto` learns from what became of the people it wrote to, `own` uses the two
 * numbers, `off` has no limit.
 */
export const paceModes = ['auto', 'own', 'off'] as const
export type PaceMode = (typeof paceModes)[number]
const Pacing = z.object({
  mode: z.enum(paceModes),
  /** The limits in effect; null: no limit. */
  perMinute: z.number().nullable(),
  dailyCap: z.number().nullable(),
  /** The limits that the company chose; after a lock of WhatsApp only half of them is in effect. Null unless `own`. */
  own: z.object({ perMinute: z.number(), dailyCap: z.number().nullable() }).nullable(),
  /** People written to within the last 24 hours. */
  sentToday: z.number(),
  waiting: z.number(),
  /** When the next waiting message may be sent. */
  nextAt: isoDateTime.nullable(),
  /** Full days since the line got its current number. */
  age: z.number(),
})
export type Pacing = z.infer<typeof Pacing>

/**
 * Why a line in mode `auto` may write to so many people first: a lock of WhatsApp, refusals, stops and unread messages
 * make it less; `young` and `max` bound it; deliveries and answers earned it; `unproven`: it wrote to nobody yet.
 */
export const paceReasons = ['locked', 'refused', 'stopped', 'unread', 'young', 'max', 'earned', 'unproven'] as const
export type PaceReason = (typeof paceReasons)[number]
const LinePace = z.object({
  mode: z.enum(paceModes),
  /** How many people the line may write to first in 24 hours; null: no limit. */
  allowed: z.number().nullable(),
  sentToday: z.number(),
  age: z.number(),
  reasons: z.array(z.enum(paceReasons)),
  /** What became of the people of the last seven days; refusals and stops include today. */
  counts: z.object({
    written: z.number(),
    delivered: z.number(),
    read: z.number(),
    answered: z.number(),
    refused: z.number(),
    stopped: z.number(),
  }),
  /** The bounds of mode `auto`. */
  limits: z.object({ start: z.number(), max: z.number(), min: z.number() }),
  /** The last 14 days, oldest first. `allowed`: null if there was no limit or none was computed. */
  days: z.array(z.object({ day: z.string(), written: z.number(), allowed: z.number().nullable() })),
})
export type LinePace = z.infer<typeof LinePace>
/**
 * Why a message still waits, in its `error`: for its turn within minutes, because of the daily limit, or because WhatsApp
 * does not let the line write to strangers for now.
 */
export const pacingWaitReasons = ['paced', 'paced-day', 'locked'] as const

/**
 * The result of loading older messages. `silent`: the phone did not answer and may be off. `refused`: the owner of the
 * phone did not share them, or the vendor does not hand them over any more.
 */
export const historyImportStates = ['running', 'done', 'stopped', 'silent', 'refused'] as const
const HistoryImportProgress = z.object({
  state: z.enum(historyImportStates),
  /** Conversations to load; 0 until the phone has listed them. */
  chats: z.number(),
  done: z.number(),
  /** How much of the history the vendor has sent, for a line that does not load by conversation; null otherwise. */
  percent: z.number().nullable(),
  /** How many older messages were newly stored. */
  messages: z.number(),
  startedAt: isoDateTime,
})
export type HistoryImportProgress = z.infer<typeof HistoryImportProgress>

/** A connection as browsers see it. `token` and `qrcode` are only filled for users who manage lines. */
export const Connection = z.object({
  id: z.number(),
  name: z.string(),
  status: z.enum(lineStatuses),
  /** Why the line is not connected, as a code the screen translates; empty if nothing is wrong. */
  reason: z.string(),
  isDefault: z.boolean(),
  provider: z.enum(lineProviders),
  number: z.string(),
  qrcode: z.string(),
  /** The eight characters to type on the phone instead of scanning; visible to the same users as the QR code. */
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
  /** Abilities that the line's provider lacks. */
  cannot: z.array(z.enum(abilities)),
  /** The account at Meta, for a line on the official API and users who manage lines; null otherwise. */
  cloud: CloudAccount.nullable(),
  /** The pacing of a linked phone, for users who manage lines; null otherwise. */
  pacing: Pacing.nullable(),
  /** What Meta reported about a line on the official API, for users who manage lines; null otherwise. */
  health: LineHealth.nullable(),
  /** Until when WhatsApp does not let the line write to people who did not write to it; null: it does. */
  lockedUntil: isoDateTime.nullable(),
  /** Since when a linked phone gets many messages that cannot be decrypted; null: it does not. */
  unreadableSince: isoDateTime.nullable(),
  /** The last import of older messages, for users who manage lines; null otherwise. */
  history: HistoryImportProgress.nullable(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type Connection = z.infer<typeof Connection>

/** Forms send "10" for an edited input, 10 for an untouched one, and "" for an emptied one. */
const minutes = (fallback: number) =>
  z.preprocess(
    (v) => (v === '' || v === null || v === undefined ? fallback : v),
    z.coerce.number().int().min(0).max(525_600),
  )

export const ConnectionWrite = z.object({
  name: requiredName(2, 50),
  /** Absent: unchanged. */
  isDefault: flag.optional(),
  /** Absent or unknown: unchanged; a new line becomes a linked phone. */
  provider: z.enum(lineProviders).optional().catch(undefined),
  /** Empty: the server generates a token, or keeps the existing one. The token allows sending in the company's name. */
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
  /** Absent: unchanged. */
  integrationId: nullableRef('integration').optional(),
  timeUseBotQueues: minutes(0),
  maxUseBotQueues: minutes(3),
  /** Absent: unchanged. */
  queueIds: z.array(ref('queue')).max(500).optional(),
  /** For a line on the official API. Absent or null: unchanged, because clients that send back what they read send null. */
  cloud: z.preprocess((v) => v ?? undefined, CloudAccountWrite.optional()),
  /** For a linked phone. Absent: unchanged. The two numbers are used only with `own`. */
  pacing: z.preprocess(
    (v) => v ?? undefined,
    z
      .object({
        mode: z.enum(paceModes),
        perMinute: z.preprocess((v) => v ?? undefined, z.coerce.number().int().min(1).max(600).optional()),
        /** Null or empty: no limit. */
        dailyCap: z
          .preprocess((v) => (v === '' ? null : v), z.coerce.number().int().min(1).max(100_000).nullable())
          .optional(),
      })
      .optional(),
  ),
})
export type ConnectionWrite = z.output<typeof ConnectionWrite>

/** The fields that change while a line connects. */
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
  health: get('/whatsapp/:id/health', {
    about: 'What Meta reported about a line on the official API, newest first',
    access: manage,
    params: idParams('connection'),
    reply: z.object({ events: z.array(LineHealthEvent) }),
  }),
  pace: get('/whatsapp/:id/pace', {
    about: 'How many people a linked phone wrote to first in the last 14 days, and how many it may write to',
    access: manage,
    params: idParams('connection'),
    reply: LinePace,
  }),
  restart: post('/whatsappsession/:whatsappId', {
    about: 'Connect again with the stored credentials',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
  renew: put('/whatsappsession/:whatsappId', {
    about: 'Unlink the phone and show a new QR',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
  code: post('/whatsappsession/:whatsappId/code', {
    about: 'Link by a code that is typed on the phone; the code follows in the session',
    access: act,
    params: lineId,
    body: z.object({
      /** The phone number in any notation, with country code. */
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
    about: 'Request older messages of the newest conversations from the phone; the line shows the progress',
    access: act,
    params: lineId,
    reply: messageReply,
  }),
  stopPast: del('/whatsappsession/:whatsappId/history', {
    about: 'Stop requesting older messages; those already received stay',
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
