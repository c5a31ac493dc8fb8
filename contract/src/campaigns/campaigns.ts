import { z } from 'zod'
import {
  bodyLimitBytes,
  crud,
  dictionary,
  flag,
  get,
  idParams,
  isoDateTime,
  listQuery,
  mediaEndpoints,
  messageReply,
  nullableRef,
  pageReply,
  post,
  ref,
  requiredName,
  requiredText,
} from '../endpoint.ts'
import { CostEstimate, MessageCost } from '../money/message-prices.ts'
import { sendTime } from '../schedules/schedules.ts'
import { CampaignSettings } from './settings.ts'

export const campaignStates = ['INATIVA', 'PROGRAMADA', 'EM_ANDAMENTO', 'CANCELADA', 'FINALIZADA'] as const
export type CampaignState = (typeof campaignStates)[number]

/** Why a person of the contact list is skipped. */
export const skipReasons = [
  'invalid',
  'unknown',
  'doubled',
  'stopped',
  'in-conversation',
  'recent',
  'unanswered',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Why a campaign in progress does not send now. `failing` needs a restart by a user; the others end by themselves. */
export const campaignWaitReasons = [
  'failing',
  'line-gone',
  'line-down',
  'locked',
  'hours',
  'day-limit',
  'not-paid',
  'not-begun',
] as const

/** Numbers of people. Each person is in every count that applies: a person who read the message has also received it. */
export const CampaignCounts = z.object({
  /** All people of the list, and those who should get the campaign ("valid" in older clients), whatever they answered. */
  total: z.number(),
  valid: z.number(),
  skipped: z.number(),
  /** People to whom nothing was sent yet. */
  pending: z.number(),
  /** Sent messages, and their result. `delivered` is the line's ack. */
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  answered: z.number(),
  failed: z.number(),
  stopped: z.number(),
  /** With confirmation: people who were asked, and people who accepted. */
  asked: z.number(),
  confirmed: z.number(),
})
export type CampaignCounts = z.infer<typeof CampaignCounts>

const idAndName = z.object({ id: z.number(), name: z.string() })

export const Campaign = z.object({
  id: z.number(),
  companyId: z.number(),
  name: z.string(),
  status: z.enum(campaignStates),
  contactListId: z.number().nullable(),
  contactList: idAndName.nullable(),
  tagId: z.number().nullable(),
  tag: idAndName.nullable(),
  whatsappId: z.number().nullable(),
  whatsapp: idAndName.nullable(),
  /** The queue for answers that open a ticket. */
  queueId: z.number().nullable(),
  queue: idAndName.nullable(),
  fileListId: z.number().nullable(),
  confirmation: z.boolean(),
  scheduledAt: isoDateTime.nullable(),
  startedAt: isoDateTime.nullable(),
  completedAt: isoDateTime.nullable(),
  /** Why the last message failed, if a user must restart the campaign because too many failed in a row. */
  held: z.string().nullable(),
  counts: CampaignCounts,
  createdAt: isoDateTime,
})
export type Campaign = z.infer<typeof Campaign>

const campaignTextShape = {
  message1: z.string(),
  message2: z.string(),
  message3: z.string(),
  message4: z.string(),
  message5: z.string(),
  confirmationMessage1: z.string(),
  confirmationMessage2: z.string(),
  confirmationMessage3: z.string(),
  confirmationMessage4: z.string(),
  confirmationMessage5: z.string(),
}
export const campaignMessageKeys = ['message1', 'message2', 'message3', 'message4', 'message5'] as const
export const campaignConfirmationKeys = [
  'confirmationMessage1',
  'confirmationMessage2',
  'confirmationMessage3',
  'confirmationMessage4',
  'confirmationMessage5',
] as const

const Template = z.object({
  name: z.string().max(512),
  language: z.string().max(20),
  /** Values may contain campaign variables: `{nome}`, `{nombre}`, `{name}`. */
  variables: dictionary(100, z.string().max(60), z.string().max(1024)).default({}),
})

/** What can be edited now: everything, only the texts, or nothing. */
export const campaignEditScopes = ['all', 'texts', 'nothing'] as const

export const CampaignDetail = Campaign.extend({
  ...campaignTextShape,
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  /** The template that an official line sends instead of the texts. */
  template: Template.nullable(),
  editable: z.enum(campaignEditScopes),
  contactList: idAndName
    .extend({ contacts: z.array(z.object({ isWhatsappValid: z.boolean().nullable() })) })
    .nullable(),
  /** Older clients count these rows. Omitted with `lean`. */
  shipping: z.array(z.object({ deliveredAt: isoDateTime.nullable() })),
})
export type CampaignDetail = z.infer<typeof CampaignDetail>

/** An optional text; absent and empty are the same. */
const message = z.preprocess((v) => v ?? '', z.string().trim().max(4096)).default('')
const noTag = (v: unknown) => (v === 'Nenhuma' ? null : v)

/** Older clients send the whole row back, list included: fields not listed here are ignored, and so is the status. */
const campaignWriteShape = {
  name: requiredName(2, 50),
  ...(Object.fromEntries(Object.keys(campaignTextShape).map((key) => [key, message])) as Record<
    keyof typeof campaignTextShape,
    typeof message
  >),
  confirmation: z.preprocess((v) => v ?? false, flag).default(false),
  contactListId: nullableRef('contactList').default(null),
  /** The name that older clients use in writes. */
  tagListId: z.preprocess(noTag, nullableRef('tag')).optional(),
  tagId: z.preprocess(noTag, nullableRef('tag')).optional(),
  whatsappId: nullableRef('connection').default(null),
  queueId: nullableRef('queue').default(null),
  fileListId: nullableRef('file').default(null),
  scheduledAt: z.preprocess((v) => v || null, sendTime.nullable()).default(null),
  template: z.preprocess((v) => v ?? null, Template.nullable()).default(null),
  /** Whether the file is uploaded next: then a campaign with a time may have no text. Older clients do not say. */
  fileFollows: flag.optional(),
}
export const CampaignWrite = z.object(campaignWriteShape)
export type CampaignWrite = z.output<typeof CampaignWrite>

/** Groups of a plan: people who get the campaign, people who get it later because of a limit, and reasons for skipping. */
export const campaignPlanGroups = [
  'gets',
  'over-limit',
  'invalid',
  'unknown',
  'doubled',
  'stopped',
  'in-conversation',
  'recent',
] as const satisfies readonly (SkipReason | 'gets' | 'over-limit')[]
export type CampaignPlanGroup = (typeof campaignPlanGroups)[number]

/** How many people get the campaign, who does not and why, and when it is sent. */
export const CampaignPlan = z.object({
  total: z.number(),
  gets: z.number(),
  skipped: z.object({
    invalid: z.number(),
    unknown: z.number(),
    doubled: z.number(),
    stopped: z.number(),
    inConversation: z.number(),
    recent: z.number(),
  }),
  /** How many of the recipients the daily limit delays. */
  overLimit: z.number(),
  /** How many of the recipients do not get it within the days that the plan looks ahead. */
  unplanned: z.number(),
  /** Null if nobody gets the campaign, or if it may never send. */
  firstAt: isoDateTime.nullable(),
  lastAt: isoDateTime.nullable(),
  /** The counts per day, in the company's time zone. */
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  /** The input for recalculating the plan in the browser (`planSending` of campaigns/pace). */
  basis: z.object({
    from: isoDateTime,
    zone: z.string(),
    week: z.array(z.object({ weekday: z.string(), weekdayEn: z.string(), startTime: z.string(), endTime: z.string() })),
    holidays: z.array(z.object({ day: z.string(), name: z.string(), yearly: z.boolean() })),
    /** The line's own limits; null: none. */
    line: z.object({
      perMinute: z.number().nullable(),
      /** The limits of today, tomorrow, …; null: no limit from that day on. */
      caps: z.array(z.number().nullable()),
      sentToday: z.number(),
      /** Messages of other campaigns on the same line that are sent earlier or at the same time. */
      ahead: z.number(),
      /** Meta's limit of people in any 24 hours, with those already reached; absent or null: none is known. */
      rolling: z
        .object({ limit: z.number(), used: z.array(z.object({ at: isoDateTime, count: z.number() })) })
        .nullable()
        .optional(),
    }),
    /** Until when the campaign waits because WhatsApp does not let the line write to strangers; null: it does not wait. */
    lockedUntil: isoDateTime.nullable(),
  }),
  /** What the template will cost at most; null: the line has no prices, or no template is chosen. */
  cost: CostEstimate.nullable(),
})
export type CampaignPlan = z.infer<typeof CampaignPlan>

export const campaignPeopleGroups = [
  'all',
  'valid',
  'pending',
  'sent',
  'delivered',
  'read',
  'answered',
  'failed',
  'stopped',
  'skipped',
  'asked',
  'confirmed',
] as const
export type CampaignPeopleGroup = (typeof campaignPeopleGroups)[number]

export const CampaignPerson = z.object({
  id: z.number(),
  contactId: z.number().nullable(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  /** Which of the five texts was sent, counted from 1; null if no text was chosen. */
  variant: z.number().nullable(),
  body: z.string(),
  state: z.enum(['pending', 'asked', 'confirmed', 'sent', 'failed', 'skipped']),
  /** Why the message failed or was skipped, as a code; the vendor's number may follow after a colon. */
  reason: z.string().nullable(),
  /** Whether a retry makes sense. */
  retryable: z.boolean(),
  sentAt: isoDateTime.nullable(),
  deliveredAt: isoDateTime.nullable(),
  readAt: isoDateTime.nullable(),
  answeredAt: isoDateTime.nullable(),
  stoppedAt: isoDateTime.nullable(),
})
export type CampaignPerson = z.infer<typeof CampaignPerson>

export const CampaignReport = z.object({
  campaign: Campaign,
  /** Why nothing is sent now, and until when if known. */
  waits: z.object({ why: z.enum(campaignWaitReasons), until: isoDateTime.nullable() }).nullable(),
  /** When the campaign may send, from its start to the end of the chart; the gaps are nights, closed hours and days off. */
  open: z.array(z.object({ from: isoDateTime, until: isoDateTime })),
  /** The plan at the start: each count is evenly distributed between two moments. */
  plan: z.array(z.object({ from: isoDateTime, until: isoDateTime, count: z.number() })),
  /** Cumulative counts at each moment. `planned` is the plan at the start. */
  curve: z.array(
    z.object({
      at: isoDateTime,
      planned: z.number(),
      sent: z.number(),
      delivered: z.number(),
      read: z.number(),
      answered: z.number(),
    }),
  ),
  variants: z.array(
    z.object({
      variant: z.number(),
      text: z.string(),
      sent: z.number(),
      delivered: z.number(),
      read: z.number(),
      answered: z.number(),
      stopped: z.number(),
    }),
  ),
  failures: z.array(z.object({ reason: z.string(), count: z.number(), retryable: z.boolean() })),
  skipped: z.array(z.object({ reason: z.enum(skipReasons), count: z.number() })),
  /** What Meta charges for the messages delivered so far; null: it reported no prices. */
  cost: MessageCost.nullable(),
})
export type CampaignReport = z.infer<typeof CampaignReport>

const path = '/campaigns'
const plan = 'useCampaigns'
const access = 'campaigns-page:manage'
const params = idParams('campaign')
const { upload, detach } = mediaEndpoints(path, 'campaign', access)
const example = {
  name: 'Promoción de mayo',
  message1: 'Hola {nombre}, tenemos novedades',
  status: 'INATIVA',
  scheduledAt: null,
  whatsappId: null,
  contactListId: null,
  tagListId: 'Nenhuma',
}
const groupQuery = {
  group: z.enum(campaignPeopleGroups).default('all').catch('all'),
  /** Only people for whom the message failed or was skipped for this reason. */
  reason: z.string().max(120).optional(),
}
/**
 * The body limit: older clients send back all people of the list, and a hundred thousand people are twenty megabytes.
 */
const bytes = 20 * 1024 * 1024

/** A campaign draft to be planned; fields may still be empty. */
const campaignPlanInput = {
  /** The saved campaign, if any: its own recipients do not count as having received a campaign recently. */
  id: nullableRef('campaign').default(null),
  contactListId: campaignWriteShape.contactListId,
  tagId: campaignWriteShape.tagId,
  whatsappId: campaignWriteShape.whatsappId,
  scheduledAt: campaignWriteShape.scheduledAt,
  confirmation: campaignWriteShape.confirmation,
  /** The template of an official line, for the cost. */
  template: z.preprocess((v) => v ?? null, Template.pick({ name: true, language: true }).nullable()).default(null),
  settings: CampaignSettings.partial().optional(),
}
const campaignPlanExample = { contactListId: null, tagId: null, whatsappId: null, scheduledAt: null }

const plain = crud({
  bytes: bodyLimitBytes.longText,
  path,
  entity: 'campaign',
  plural: 'records',
  row: Campaign,
  search: ['name'],
  newestFirst: true,
  write: CampaignWrite,
  example,
  read: access,
  edit: access,
  plan,
})
export const campaignsApi = {
  ...plain,
  show: get(`${path}/:id`, {
    about: 'One campaign with its texts; `lean` leaves out fields that only older clients use',
    access,
    plan,
    params,
    query: z.object({ lean: flag.default(false) }),
    reply: CampaignDetail,
  }),
  create: { ...plain.create, reply: CampaignDetail },
  update: { ...plain.update, reply: CampaignDetail, bytes },
  upload: { ...upload, plan } as typeof upload & { plan: typeof plan },
  detach: { ...detach, plan } as typeof detach & { plan: typeof plan },
  plan: post(`${path}/plan`, {
    bytes: bodyLimitBytes.longText,
    about:
      'Preview a campaign: how many recipients get it, who does not and why, and when it is sent. `settings` tries settings other than the saved ones',
    access,
    plan,
    body: z.object(campaignPlanInput),
    example: campaignPlanExample,
    reply: CampaignPlan,
  }),
  planPeople: post(`${path}/plan/people`, {
    bytes: bodyLimitBytes.longText,
    about: 'The people behind a number of the plan, in the order of the list',
    access,
    plan,
    body: z.object({
      ...campaignPlanInput,
      reason: z.enum(campaignPlanGroups).default('gets'),
      pageNumber: listQuery.shape.pageNumber,
    }),
    example: { ...campaignPlanExample, reason: 'gets', pageNumber: 1 },
    reply: pageReply('people', z.object({ contactId: z.number().nullable(), name: z.string(), number: z.string() })),
  }),
  preview: post(`${path}/preview`, {
    bytes: bodyLimitBytes.longForm,
    about:
      'The first people of the list, with each text as each of them will read it, and the variables without a value',
    access,
    plan,
    body: z.object({
      contactListId: campaignWriteShape.contactListId,
      tagId: campaignWriteShape.tagId,
      texts: z.array(message).max(10),
    }),
    example: { contactListId: null, tagId: null, texts: ['Hola {nombre}'] },
    reply: z.object({
      people: z.array(z.object({ name: z.string(), number: z.string(), texts: z.array(z.string()) })),
      unknown: z.array(z.string()),
    }),
  }),
  test: post(`${path}/:id/test`, {
    about: 'Send a test: each text of the campaign, to this number, through its line',
    access,
    plan,
    params,
    body: z.object({ number: z.preprocess((v) => String(v ?? '').replace(/\D/g, ''), z.string().min(8).max(20)) }),
    example: { number: '5491155550000' },
    reply: z.object({ sent: z.number() }),
  }),
  start: post(`${path}/:id/start`, {
    about:
      'Confirm the plan: it starts now, or at its time. `gets` is the planned number of recipients; another number is refused',
    access,
    plan,
    params,
    body: z.object({ gets: z.coerce.number().int().min(0).optional() }),
    example: {},
    reply: Campaign,
  }),
  cancel: post(`${path}/:id/cancel`, {
    about: 'Stop sending; messages already sent are not affected',
    access,
    plan,
    params,
    reply: Campaign,
  }),
  restart: post(`${path}/:id/restart`, {
    about: 'Resume a campaign that was cancelled, or that is paused because too many messages failed',
    access,
    plan,
    params,
    reply: Campaign,
  }),
  retry: post(`${path}/:id/retry`, {
    about: 'Retry failed recipients: all that can be retried, or those with one reason',
    access,
    plan,
    params,
    body: z.object({ reason: z.string().max(120).optional() }),
    example: {},
    reply: z.object({ count: z.number() }),
  }),
  report: get(`${path}/:id/report`, {
    about: 'The report of a campaign: numbers, curve, texts, reasons',
    access,
    plan,
    params,
    reply: CampaignReport,
  }),
  people: get(`${path}/:id/people`, {
    about: 'The people behind a number of the report',
    access,
    plan,
    params,
    query: listQuery.extend(groupQuery),
    reply: pageReply('people', CampaignPerson),
  }),
  export: get(`${path}/:id/export`, {
    about: 'The same people as a spreadsheet file',
    access,
    plan,
    params,
    query: z.object(groupQuery),
    reply: z.string(),
    file: 'campana.csv',
  }),
  exportSheet: get(`${path}/:id/export-sheet`, {
    about: 'The same as a workbook (.xlsx)',
    access,
    plan,
    params,
    query: z.object(groupQuery),
    reply: z.unknown(),
    file: 'campana.xlsx',
  }),
}

/** A person who opted out of campaigns. */
export const CampaignStop = z.object({
  id: z.number(),
  contactId: z.number().nullable(),
  name: z.string(),
  number: z.string(),
  at: isoDateTime,
  /** The text the person wrote; empty if an agent recorded the opt-out. */
  word: z.string(),
  whatsapp: idAndName.nullable(),
  campaign: idAndName.nullable(),
  user: idAndName.nullable(),
})
export type CampaignStop = z.infer<typeof CampaignStop>

/** The words with which the customer allowed campaigns again. */
export const CampaignConsent = z.object({ words: z.string(), at: isoDateTime, user: idAndName.nullable() })
export type CampaignConsent = z.infer<typeof CampaignConsent>
export const CampaignStopUndo = z.object({
  contactId: ref('contact'),
  /** The customer's exact words. */
  words: requiredText(3, 500),
})

export const campaignStopsApi = {
  list: get('/campaign-stops', {
    about:
      'Contacts that opted out of campaigns, newest first; with `contactId`, whether this contact did, and their last renewed consent',
    access: 'session',
    plan,
    query: listQuery.extend({ contactId: nullableRef('contact') }),
    reply: pageReply('stops', CampaignStop).extend({ consent: CampaignConsent.nullable() }),
  }),
  create: post('/campaign-stops', {
    about: 'Record manually that a contact opted out of campaigns',
    access: 'session',
    plan,
    body: z.object({ contactId: ref('contact') }),
    example: { contactId: 1 },
    reply: CampaignStop,
  }),
  remove: post('/campaign-stops/undo', {
    about: 'Record that a contact wants campaigns again: `words` is the text of their consent. The audit keeps it',
    access: 'campaign-stops:undo',
    plan,
    body: CampaignStopUndo,
    example: { contactId: 1, words: 'Sí, quiero recibir las ofertas otra vez' },
    reply: messageReply,
  }),
}
