import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import type { QueueOption } from '@recado/contract/queue-options'
import { freeColor, type MenuStep, type Queue } from '@recado/contract/queues'
import { wrongDay } from '../../parts/hours/week.ts'
import type { Problem } from '../../records/problems.ts'
import { menuOptionsOf, type Tree, treeOf } from './menu/menu-tree.ts'
import type { Placed } from './preview/rehearsal.ts'

/** A conversation to be kept as a test, with the queue. */
export type NewTest = { key: string; name: string; whatsappId: number | null; steps: MenuStep[] }

export type Values = {
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
  options: Tree
  tests: NewTest[]
}

export const messageLimit = 4096

export const valuesOf = (row: Queue | null, stored: QueueOption[], queues: Queue[]): Values => ({
  name: row?.name ?? '',
  color: row?.color ?? freeColor(queues.map((queue) => queue.color)),
  orderQueue: row ? (row.orderQueue ?? '') : nextPlace(queues),
  greetingMessage: row?.greetingMessage ?? '',
  complationMessage: row?.complationMessage ?? '',
  outOfHoursMessage: row?.outOfHoursMessage ?? '',
  ratingMessage: row?.ratingMessage ?? '',
  integrationId: row?.integrationId ?? null,
  promptId: row?.promptId ?? null,
  schedules: row && row.schedules.length > 0 ? row.schedules : defaultHours,
  answerGoal: row?.answerGoal ?? '',
  resolveGoal: row?.resolveGoal ?? '',
  options: treeOf(stored),
  tests: [],
})

/** After all that have one. */
const nextPlace = (queues: Queue[]): number => Math.max(0, ...queues.map((queue) => queue.orderQueue ?? 0)) + 1

/** The other queue that has this colour. */
export const holderOf = (color: string, queues: Queue[], id: number): Queue | undefined =>
  queues.find((queue) => queue.id !== id && queue.color.toLowerCase() === color.toLowerCase())

/** What the contract's shape of a queue does not know. */
export function problemsIn(values: Values, queues: Queue[], id: number): Record<string, Problem> {
  const { color, options, schedules } = values
  const long = options.some((node) => node.message.length > messageLimit)
  return {
    ...(holderOf(color, queues, id) && { color: { kind: 'Invalid' as const } }),
    ...(options.some((node) => node.title.trim() === '') && { options: { kind: 'Required' as const } }),
    ...(long && { options: { kind: 'Too Long!' as const, limit: messageLimit, of: 'text' as const } }),
    ...(wrongDay(schedules) && { schedules: { kind: 'Invalid' as const } }),
  }
}

/** The queue in the form, as the phone beside it plays it. */
export const draftQueue = (values: Values, id: number): Placed => ({
  id,
  name: values.name,
  greetingMessage: values.greetingMessage,
  orderQueue: values.orderQueue === '' ? null : values.orderQueue,
  options: menuOptionsOf(values.options),
})
