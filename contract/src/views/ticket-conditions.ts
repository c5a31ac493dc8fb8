import { type ZodType, z } from 'zod'
import { ref, requiredText } from '../endpoint.ts'
import { fold } from '../text/fold.ts'
import { type TicketStatus, ticketPriorities, ticketStatuses } from '../ticket-statuses.ts'
import type { Ticket } from '../tickets.ts'

/** How deeply groups nest, counting the outermost, and how many conditions they may have together. */
export const maxConditionLevels = 3
export const maxConditions = 30

const not = z.boolean().default(false)
const maxValues = 50
const minutes = z.number().int().min(0).max(525_600)

/**
 * One condition on a ticket. `in` lists values of which one must be true; `null` is "none", `me` the user who looks.
 * `not` negates the condition.
 */
export const TicketCondition = z.discriminatedUnion('field', [
  z.object({ field: z.literal('status'), in: z.array(z.enum(ticketStatuses)).min(1).max(3), not }),
  z.object({ field: z.literal('priority'), in: z.array(z.enum(ticketPriorities)).min(1).max(4), not }),
  z.object({ field: z.literal('queue'), in: z.array(ref('queue').nullable()).min(1).max(maxValues), not }),
  z.object({
    field: z.literal('user'),
    in: z
      .array(z.union([z.literal('me'), ref('user').nullable()]))
      .min(1)
      .max(maxValues),
    not,
  }),
  z.object({ field: z.literal('tag'), in: z.array(ref('tag')).min(1).max(maxValues), not }),
  z.object({ field: z.literal('connection'), in: z.array(ref('connection').nullable()).min(1).max(maxValues), not }),
  /** The ad or post that brought the customer; `null`: none. */
  z.object({ field: z.literal('ad'), in: z.array(ref('ad').nullable()).min(1).max(maxValues), not }),
  /** The user who looks after the contact; `null`: nobody. */
  z.object({ field: z.literal('owner'), in: z.array(ref('user').nullable()).min(1).max(maxValues), not }),
  /** Why a closed ticket was closed; `null`: without a reason, or not closed. */
  z.object({
    field: z.literal('closingReason'),
    in: z.array(ref('closingReason').nullable()).min(1).max(maxValues),
    not,
  }),
  z.object({ field: z.literal('unread'), not }),
  z.object({ field: z.literal('snoozed'), not }),
  /** The customer has waited at least this long for an answer by a person. */
  z.object({ field: z.literal('waiting'), minutes, not }),
  /** A goal of the ticket is due within this time; 0: overdue. */
  z.object({ field: z.literal('goal'), minutes, not }),
  /** The contact's name, number, e-mail or custom field of this name contains the text, without regard to case and accents. */
  z.object({
    field: z.literal('contact'),
    key: z.enum(['name', 'number', 'email', 'custom']),
    custom: z.string().trim().max(100).default(''),
    contains: requiredText(1, 100),
    not,
  }),
])
export type TicketCondition = z.infer<typeof TicketCondition>

/** Conditions that are met if all or any of them are. An empty group is met. */
export type ConditionGroup<C> = { match: 'all' | 'any'; of: (C | ConditionGroup<C>)[] }

export const isConditionGroup = <C extends object>(node: C | ConditionGroup<C>): node is ConditionGroup<C> =>
  'match' in node

export const listConditions = <C extends object>(group: ConditionGroup<C>): C[] =>
  group.of.flatMap((node) => (isConditionGroup(node) ? listConditions(node) : [node]))

export function meetsGroup<C extends object>(group: ConditionGroup<C>, isMet: (condition: C) => boolean): boolean {
  const isNodeMet = (node: C | ConditionGroup<C>) => (isConditionGroup(node) ? meetsGroup(node, isMet) : isMet(node))
  if (!group.of.length) return true
  return group.match === 'all' ? group.of.every(isNodeMet) : group.of.some(isNodeMet)
}

const maxPerGroup = 20
/** The schema of nested conditions, whose fixed depth the type states. */
export function conditionsSchema<S extends ZodType<object>>(condition: S) {
  const match = z.enum(['all', 'any'])
  const innermostGroup = z.object({ match, of: z.array(condition).max(maxPerGroup) })
  const middleGroup = z.object({ match, of: z.array(z.union([condition, innermostGroup])).max(maxPerGroup) })
  return z
    .object({ match, of: z.array(z.union([condition, middleGroup])).max(maxPerGroup) })
    .refine((conditions) => listConditions<object>(conditions).length <= maxConditions)
}

/** Nested conditions on a ticket. */
export const TicketConditions = conditionsSchema(TicketCondition)
export type TicketConditions = z.infer<typeof TicketConditions>
export type TicketConditionGroup = ConditionGroup<TicketCondition>

export type TicketFacts = Pick<
  Ticket,
  | 'status'
  | 'priority'
  | 'queueId'
  | 'userId'
  | 'whatsappId'
  | 'adId'
  | 'unreadMessages'
  | 'waitingSince'
  | 'snooze'
  | 'closingReason'
> & {
  tags: readonly { id: number }[]
  goals: readonly { dueAt: string }[]
  contact: {
    name: string
    number: string
    email: string
    ownerId: number | null
    extraInfo?: readonly { name: string; value: string }[]
  }
}
type Evaluation = { me: number; now: number }

/**
 * Whether a ticket meets the conditions. The server has the same rule in SQL (desk/ticket-views/conditions-sql.ts), and
 * a test keeps the two equal.
 */
export const meetsConditions = (ticket: TicketFacts, group: TicketConditionGroup, as: Evaluation): boolean =>
  meetsGroup(group, (condition) => meetsCondition(ticket, condition, as))

/** One condition, with its negation. */
export const meetsCondition = (ticket: TicketFacts, condition: TicketCondition, as: Evaluation): boolean =>
  isFieldMet(ticket, condition, as) !== condition.not

function isFieldMet(ticket: TicketFacts, condition: TicketCondition, { me, now }: Evaluation): boolean {
  switch (condition.field) {
    case 'status':
      return condition.in.includes(ticket.status)
    case 'priority':
      return condition.in.includes(ticket.priority)
    case 'queue':
      return condition.in.includes(ticket.queueId)
    case 'user':
      return condition.in.includes(ticket.userId) || (condition.in.includes('me') && ticket.userId === me)
    case 'tag':
      return ticket.tags.some(({ id }) => condition.in.includes(id))
    case 'connection':
      return condition.in.includes(ticket.whatsappId)
    case 'ad':
      return condition.in.includes(ticket.adId)
    case 'owner':
      return condition.in.includes(ticket.contact.ownerId)
    case 'closingReason':
      return condition.in.includes(ticket.closingReason?.id ?? null)
    case 'unread':
      return ticket.unreadMessages > 0
    case 'snoozed':
      return ticket.snooze !== null
    case 'waiting':
      return ticket.waitingSince !== null && Date.parse(ticket.waitingSince) <= now - condition.minutes * 60_000
    case 'goal':
      return ticket.goals.some(({ dueAt }) => Date.parse(dueAt) <= now + condition.minutes * 60_000)
    case 'contact':
      return contactValues(ticket.contact, condition).some((value) => fold(value).includes(fold(condition.contains)))
  }
}

function contactValues(
  contact: TicketFacts['contact'],
  { key, custom }: Extract<TicketCondition, { field: 'contact' }>,
): string[] {
  if (key !== 'custom') return [contact[key]]
  return (contact.extraInfo ?? []).filter(({ name }) => fold(name) === fold(custom)).map(({ value }) => value)
}

/**
 * The conditions with those that a view has without saying so: closed and snoozed tickets are shown only where a
 * condition on the status or on snoozing is set. A condition on the closing reason is about closed tickets.
 */
export function withImpliedConditions(conditions: TicketConditionGroup): TicketConditionGroup {
  const fields = new Set(listConditions(conditions).map(({ field }) => field))
  const impliedStatuses: TicketStatus[] = fields.has('closingReason') ? ['closed'] : ['open', 'pending']
  const implied: TicketCondition[] = [
    ...(fields.has('status') ? [] : [{ field: 'status', in: impliedStatuses, not: false } satisfies TicketCondition]),
    ...(fields.has('snoozed') ? [] : [{ field: 'snoozed', not: true } satisfies TicketCondition]),
  ]
  return implied.length ? { match: 'all', of: [...implied, conditions] } : conditions
}

/** Whether closed tickets may meet the conditions of a view. */
export const mayIncludeClosed = (conditions: TicketConditionGroup): boolean =>
  listConditions(conditions).some(({ field }) => field === 'status' || field === 'closingReason')
