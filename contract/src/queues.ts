import { z } from 'zod'
import {
  bodyLimitBytes,
  capacity,
  color,
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
} from './endpoint.ts'
import { Hours, WeekHours } from './hours/hours.ts'
import { menuLeafActions } from './menu/leaf-actions.ts'
import { menuFindingKinds } from './menu/menu-finding-kinds.ts'
import { QueueOption } from './queue-options.ts'
import { skillIds, ticketWeight } from './routing/skills.ts'
import { ClosingForm, ClosingFormCreate, ClosingFormWrite } from './tickets/closing.ts'

export const routingModes = ['manual', 'roundRobin', 'fewestOpen'] as const
export type RoutingMode = (typeof routingModes)[number]

export const Queue = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  orderQueue: z.number().nullable(),
  greetingMessage: z.string(),
  complationMessage: z.string(),
  outOfHoursMessage: z.string(),
  ratingMessage: z.string(),
  integrationId: z.number().nullable(),
  promptId: z.number().nullable(),
  schedules: z.array(Hours),
  /** The queue's goals, in minutes of opening hours: first answer by a person, and resolution. Null: no goal. */
  answerGoal: z.number().nullable(),
  resolveGoal: z.number().nullable(),
  /** The goals of tickets with this priority. Null: the goal above. */
  answerGoalUrgent: z.number().nullable(),
  answerGoalHigh: z.number().nullable(),
  answerGoalLow: z.number().nullable(),
  resolveGoalUrgent: z.number().nullable(),
  resolveGoalHigh: z.number().nullable(),
  resolveGoalLow: z.number().nullable(),
  /** How tickets reach the agents: each takes some, or the server assigns them in turn or to who has fewest open. */
  routing: z.enum(routingModes),
  /** How many places the open tickets of an agent may take before the server assigns no more. Null: no limit. */
  capacity: z.number().nullable(),
  /** How many places a ticket of the queue takes. A ticket takes the largest of this and the weights of its tags. */
  weight: z.number(),
  /** The agent who last attended the customer comes first. */
  lastAgentFirst: z.boolean(),
  /** The owner of the contact comes first, before the last agent. */
  ownerFirst: z.boolean(),
  /** The skills that tickets of the queue need, beside those of their tags and menu option. */
  skillIds: z.array(z.number()),
  /** A ticket also needs the skill that stands for its customer's language. */
  asksLanguage: z.boolean(),
  /** Minutes after which a ticket for which nobody skilled came goes to anybody. Null: it waits. */
  skillTimeoutMinutes: z.number().nullable(),
  /**
   * Minutes after which the tickets of an agent who is away or offline return to the queue, if their customers wait for an
   * answer; 0: at once. Null: never.
   */
  returnAfterMinutes: z.number().nullable(),
  /** How many seconds an agent has to accept a ticket that is offered to them; 0: tickets are assigned at once. */
  offerSeconds: z.number(),
  /** The company's label for other systems that read its queues. Recado does not use it, and it is not secret. */
  token: z.string(),
  /** What agents are asked when they close a ticket of the queue. */
  closing: ClosingForm,
  /** The menu, all levels: children reference their parent, siblings are in display order. */
  options: z.array(QueueOption),
})
export type Queue = z.infer<typeof Queue>

/** The fields of a queue's goals: for all priorities, and for those with their own. */
export const goalFields = [
  ...(['answerGoal', 'answerGoalUrgent', 'answerGoalHigh', 'answerGoalLow'] as const),
  ...(['resolveGoal', 'resolveGoalUrgent', 'resolveGoalHigh', 'resolveGoalLow'] as const),
] as const

/** Minutes; at most a quarter of a year. Absent: unchanged. */
const goal = z.preprocess((v) => (v === '' ? null : v), z.coerce.number().int().min(1).max(129_600).nullish())

export const offerSecondsLimits = { min: 10, max: 300 } as const
/** Empty or 0: tickets are assigned at once. Absent: unchanged. */
const offerSeconds = z.preprocess(
  (v) => (v === '' || v === null ? 0 : v),
  z.coerce
    .number()
    .int()
    .refine((n) => n === 0 || (n >= offerSecondsLimits.min && n <= offerSecondsLimits.max)),
)

export const QueueWrite = z.object({
  name: requiredName(2, 50),
  color,
  orderQueue: z.preprocess(
    (v) => (v === '' || v === undefined ? null : v),
    z.coerce.number().int().min(0).max(100_000).nullable(),
  ),
  greetingMessage: optionalText(4096),
  complationMessage: optionalText(4096),
  outOfHoursMessage: optionalText(4096),
  ratingMessage: optionalText(4096),
  integrationId: nullableRef('integration'),
  promptId: nullableRef('prompt'),
  schedules: WeekHours.optional(),
  answerGoal: goal,
  resolveGoal: goal,
  answerGoalUrgent: goal,
  answerGoalHigh: goal,
  answerGoalLow: goal,
  resolveGoalUrgent: goal,
  resolveGoalHigh: goal,
  resolveGoalLow: goal,
  /** Absent: unchanged. */
  routing: z.enum(routingModes).optional(),
  capacity,
  weight: ticketWeight.optional(),
  lastAgentFirst: flag.optional(),
  ownerFirst: flag.optional(),
  skillIds: skillIds.optional(),
  asksLanguage: flag.optional(),
  skillTimeoutMinutes: z.preprocess((v) => (v === '' ? null : v), z.coerce.number().int().min(1).max(1440).nullish()),
  /** The own capacities of agents of the queue. Who is not named keeps theirs. */
  capacities: z
    .array(z.object({ userId: ref('user'), capacity }))
    .max(500)
    .optional(),
  returnAfterMinutes: z.preprocess((v) => (v === '' ? null : v), z.coerce.number().int().min(0).max(1440).nullish()),
  offerSeconds: offerSeconds.optional(),
  /** Absent: unchanged. */
  token: z.string().trim().max(200).nullish(),
  /** Absent: unchanged. */
  closing: ClosingFormWrite.optional(),
  /** The lines whose customers reach the queue. Absent: unchanged. */
  whatsappIds: z.array(ref('connection')).max(1000).optional(),
  /** The agents and supervisors who work in the queue; admins see every queue anyway. Absent: unchanged. */
  userIds: z.array(ref('user')).max(5000).optional(),
  /** The greeting for lines that have none and now need one, because their customers choose between queues. */
  lineGreeting: z.string().trim().max(4096).optional(),
  /** Moves the tickets that wait without a queue on these lines into the queue, at most `maxTicketsTakenAlong`. */
  takesWaiting: flag.optional(),
})

const QueueCreate = QueueWrite.extend({ closing: ClosingFormCreate.optional() })

/** How many waiting tickets a queue takes along when it is saved. */
export const maxTicketsTakenAlong = 200

/** Colours to choose from: easy to tell apart, readable as a tint in light and dark themes. */
export const queuePalette = [
  ['#1971c2', '#1098ad', '#0ca678', '#2f9e44', '#66a80f', '#f2c200', '#f08c00', '#e8590c', '#e03131', '#d6336c'],
  ['#9c36b5', '#6741d9', '#3b5bdb', '#495057', '#212529', '#4dabf7', '#3bc9db', '#38d9a9', '#69db7c', '#a9e34b'],
  ['#ffe066', '#ffc078', '#ffa94d', '#ff8787', '#f783ac', '#da77f2', '#9775fa', '#748ffc', '#adb5bd', '#868e96'],
  ['#0b4f71', '#0b7285', '#087f5b', '#2b8a3e', '#5c940d', '#a07a00', '#b35c00', '#a63c06', '#a51111', '#99154b'],
  ['#6b1d7f', '#42248f', '#243b9b', '#7c4a21', '#8d6e63', '#607d8b', '#b08d57', '#556b2f', '#2f4f4f', '#800020'],
].flat()
/** The first colour that no queue uses. */
export const pickUnusedColor = (taken: string[]): string =>
  queuePalette.find((c) => !taken.some((t) => t.toLowerCase() === c)) ?? (queuePalette[0] as string)

/** One message of the customer and all of the bot's answers to it. */
export const MenuStep = z.object({ customer: z.string().max(4096), bot: z.array(z.string().max(8192)).max(10) })
export type MenuStep = z.infer<typeof MenuStep>
/**
 * A recorded conversation used as a regression test. `passes`: the current menu gives the same answers; `now`: its
 * current answers.
 */
export const MenuTest = z.object({
  id: z.number(),
  queueId: z.number(),
  whatsappId: z.number().nullable(),
  name: z.string(),
  steps: z.array(MenuStep),
  passes: z.boolean(),
  now: z.array(z.array(z.string())),
  createdAt: isoDateTime,
})
export type MenuTest = z.infer<typeof MenuTest>

/** An option in the form, saved or not: `key` is the form's own id for it. */
const DraftMenuOptionInput = z.object({
  key: z.coerce.string().max(40),
  parentKey: z.preprocess((v) => v ?? null, z.coerce.string().max(40).nullable()),
  option: z.coerce.number().int().min(0).max(1000).catch(0),
  title: optionalText(120),
  message: optionalText(4096),
  leads: z.enum(menuLeafActions).catch('person').default('person'),
  forwardQueueId: nullableRef('queue'),
})
const MenuFindingReply = z.object({ kind: z.enum(menuFindingKinds), key: z.string().nullable() })

const menuTestsPath = '/queue/:queueId/menu-tests'
const queueParams = z.object({ queueId: ref('queue') })
const example = {
  name: 'Ventas',
  color: '#2f9e44',
  orderQueue: 1,
  integrationId: null,
  promptId: null,
  lineGreeting: '¡Hola! Elige una opción',
  closing: {
    reasonRequired: false,
    reasons: [{ name: 'Viaje confirmado' }],
    fields: [{ name: 'Personas', kind: 'number', required: false, choices: [] }],
  },
}
export const queuesApi = {
  ...defineRecord({
    entity: 'queue',
    row: Queue,
    search: ['name'],
    missing: 'ERR_QUEUE_NOT_FOUND',
    topic: { one: 'queue', gone: 'queueId' },
  }),
  list: get('/queue', {
    about: 'Every queue of the company, in menu order; the super user may name another company',
    access: 'session',
    key: 'tickets',
    across: true,
    query: z.object({ companyId: ref('company').optional().catch(undefined) }),
    reply: z.array(Queue),
  }),
  closingForms: get('/queue/closing-forms', {
    about: 'What agents are asked when they close a ticket, by queue; queues that ask nothing are left out',
    access: 'session',
    key: 'tickets',
    reply: z.array(ClosingForm.extend({ queueId: z.number() })),
  }),
  show: get('/queue/:id', {
    about: 'One queue',
    access: 'session',
    key: 'tickets',
    params: idParams('queue'),
    reply: Queue,
  }),
  create: post('/queue', {
    bytes: bodyLimitBytes.longForm,
    about: 'Create a queue',
    access: 'queues-page:edit',
    body: QueueCreate,
    example,
    reply: Queue,
  }),
  update: put('/queue/:id', {
    bytes: bodyLimitBytes.longForm,
    about: 'Change a queue',
    access: 'queues-page:edit',
    params: idParams('queue'),
    body: QueueWrite,
    example,
    reply: Queue,
    status: 201,
  }),
  order: put('/queue/order', {
    about:
      'Put the queues in this order, all or none: their positions are rewritten. Queues that are not named come last',
    access: 'queues-page:edit',
    body: z.object({ ids: z.array(ref('queue')).min(1).max(1000) }),
    example: { ids: [1] },
    reply: z.array(Queue),
  }),
  remove: del('/queue/:id', {
    about: 'Delete a queue',
    access: 'queues-page:edit',
    params: idParams('queue'),
    reply: messageReply,
  }),
  check: post('/queue/check', {
    about: 'Problems of this menu for customers: dead ends, unreachable options, no way to an agent',
    bytes: bodyLimitBytes.list,
    access: 'queues-page:edit',
    body: z.object({ options: z.array(DraftMenuOptionInput).max(500) }),
    example: { options: [{ key: 'a', parentKey: null, option: 1, title: 'Garantía', message: '', leads: 'person' }] },
    reply: z.object({ findings: z.array(MenuFindingReply) }),
  }),
  tests: get(menuTestsPath, {
    about: 'Saved test conversations with this menu, each run again with the current menu',
    access: 'queues-page:edit',
    params: queueParams,
    reply: z.array(MenuTest),
  }),
  saveTest: post(menuTestsPath, {
    bytes: bodyLimitBytes.list,
    about: 'Save a conversation as a test of the menu; with `whatsappId` it starts in the main menu of that line',
    access: 'queues-page:edit',
    params: queueParams,
    body: z.object({
      name: requiredName(1, 100),
      whatsappId: nullableRef('connection'),
      steps: z.array(MenuStep).min(1).max(100),
    }),
    example: { name: 'Hasta una persona', steps: [{ customer: 'hola', bot: [] }] },
    reply: MenuTest,
  }),
  dropTest: del(`${menuTestsPath}/:id`, {
    about: 'Delete a test of the menu',
    access: 'queues-page:edit',
    params: z.object({ queueId: ref('queue'), id: ref('menuTest') }),
    reply: messageReply,
  }),
  runTests: post(`${menuTestsPath}/run`, {
    about: 'Run the saved conversations again; `failed` is how many now take another path',
    access: 'queues-page:edit',
    params: queueParams,
    reply: z.object({ failed: z.number(), tests: z.array(MenuTest) }),
  }),
}
