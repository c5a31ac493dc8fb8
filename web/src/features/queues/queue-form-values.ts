import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import type { QueueOption } from '@recado/contract/queue-options'
import { type MenuStep, pickUnusedColor, type Queue, type RoutingMode } from '@recado/contract/queues'
import { findInvalidDay } from '../../parts/hours/week-hours.ts'
import type { FieldProblemDetail } from '../../records/field-problems.ts'
import { type ClosingDraft, findClosingProblem, toClosingDraft } from './closing/closing-draft.ts'
import { buildMenuTree, type MenuTree, toMenuOptions } from './menu/menu-tree.ts'
import type { OrderedMenuQueue } from './preview/simulate-menu.ts'

/** A conversation to be saved as a test with the queue. */
export type NewMenuTest = { key: string; name: string; whatsappId: number | null; steps: MenuStep[] }

export type QueueFormValues = {
  name: string
  color: string
  orderQueue: number | ''
  greetingMessage: string
  complationMessage: string
  outOfHoursMessage: string
  ratingMessage: string
  integrationId: number | null
  promptId: number | null
  schedules: Hours[]
  answerGoal: number | ''
  resolveGoal: number | ''
  answerGoalUrgent: number | ''
  answerGoalHigh: number | ''
  answerGoalLow: number | ''
  resolveGoalUrgent: number | ''
  resolveGoalHigh: number | ''
  resolveGoalLow: number | ''
  routing: RoutingMode
  capacity: number | ''
  /** How many places a ticket of the queue takes. */
  weight: number
  ownerFirst: boolean
  lastAgentFirst: boolean
  skillIds: number[]
  asksLanguage: boolean
  skillTimeoutMinutes: number | ''
  /** The own capacities of users, by id; '': as the queue has it. */
  agentCapacities: Record<number, number | ''>
  returnAfterMinutes: number | ''
  closing: ClosingDraft
  offerSeconds: number | ''
  options: MenuTree
  tests: NewMenuTest[]
  /** Ids of the lines whose customers reach the queue, and of the users who work in it. */
  lineIds: string[]
  userIds: string[]
  /** A field without an input: who will see the tickets. */
  seenBy: null
  /** Whether the customers who wait without a queue on these lines move into the new queue. */
  takesWaiting: boolean
  /** The greeting of lines that have none and whose customers would now choose between queues. */
  lineGreeting: string
}

export const maxQueueMessageLength = 4096

export const toQueueFormValues = (
  row: Queue | null,
  storedOptions: QueueOption[],
  queues: Queue[],
): Omit<QueueFormValues, 'lineIds' | 'userIds' | 'agentCapacities' | 'seenBy' | 'takesWaiting' | 'lineGreeting'> => ({
  name: row?.name ?? '',
  color: row?.color ?? pickUnusedColor(queues.map((queue) => queue.color)),
  orderQueue: row ? (row.orderQueue ?? '') : nextOrder(queues),
  greetingMessage: row?.greetingMessage ?? '',
  complationMessage: row?.complationMessage ?? '',
  outOfHoursMessage: row?.outOfHoursMessage ?? '',
  ratingMessage: row?.ratingMessage ?? '',
  integrationId: row?.integrationId ?? null,
  promptId: row?.promptId ?? null,
  schedules: row && row.schedules.length > 0 ? row.schedules : defaultHours,
  answerGoal: row?.answerGoal ?? '',
  resolveGoal: row?.resolveGoal ?? '',
  answerGoalUrgent: row?.answerGoalUrgent ?? '',
  answerGoalHigh: row?.answerGoalHigh ?? '',
  answerGoalLow: row?.answerGoalLow ?? '',
  resolveGoalUrgent: row?.resolveGoalUrgent ?? '',
  resolveGoalHigh: row?.resolveGoalHigh ?? '',
  resolveGoalLow: row?.resolveGoalLow ?? '',
  routing: row?.routing ?? 'manual',
  capacity: row?.capacity ?? '',
  weight: row?.weight ?? 1,
  ownerFirst: row?.ownerFirst ?? true,
  lastAgentFirst: row?.lastAgentFirst ?? true,
  skillIds: row?.skillIds ?? [],
  asksLanguage: row?.asksLanguage ?? false,
  skillTimeoutMinutes: row?.skillTimeoutMinutes ?? '',
  returnAfterMinutes: row?.returnAfterMinutes ?? '',
  closing: toClosingDraft(row?.closing),
  offerSeconds: row?.offerSeconds || '',
  options: buildMenuTree(storedOptions),
  tests: [],
})

/** The position of a new queue, after all others. */
const nextOrder = (queues: Queue[]): number => Math.max(0, ...queues.map((queue) => queue.orderQueue ?? 0)) + 1

/** Another queue that already has this colour. */
export const findQueueWithColor = (color: string, queues: Queue[], id: number): Queue | undefined =>
  queues.find((queue) => queue.id !== id && queue.color.toLowerCase() === color.toLowerCase())

/** Checks beyond the contract's schema of a queue. */
export function findQueueProblems(
  values: QueueFormValues,
  queues: Queue[],
  id: number,
): Record<string, FieldProblemDetail> {
  const { color, options, schedules, closing } = values
  const closingProblem = findClosingProblem(closing)
  const long = options.some((node) => node.message.length > maxQueueMessageLength)
  return {
    ...(findQueueWithColor(color, queues, id) && { color: { kind: 'Invalid' as const } }),
    ...(options.some((node) => node.title.trim() === '') && { options: { kind: 'Required' as const } }),
    ...(long && { options: { kind: 'Too Long!' as const, limit: maxQueueMessageLength, of: 'text' as const } }),
    ...(closingProblem && { closing: closingProblem }),
    ...(findInvalidDay(schedules) && { schedules: { kind: 'Invalid' as const } }),
  }
}

/** The queue in the form, for the phone preview. */
export const toDraftQueue = (values: QueueFormValues, id: number): OrderedMenuQueue => ({
  id,
  name: values.name,
  greetingMessage: values.greetingMessage,
  orderQueue: values.orderQueue === '' ? null : values.orderQueue,
  options: toMenuOptions(values.options),
})
