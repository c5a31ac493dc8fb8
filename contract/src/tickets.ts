import { z } from 'zod'
import { ExtraInfo, optionalDay } from './contacts.ts'
import { del, get, idParams, isoDateTime, messageReply, nullableRef, post, put, ref, requiredText } from './endpoint.ts'
import { ticketPriorities, ticketStatuses } from './ticket-statuses.ts'
import { closingShape, TicketClosing } from './tickets/closing.ts'

export const TicketContact = z.object({
  id: z.number(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  profilePicUrl: z.string().nullable(),
  /** The user who looks after the contact. */
  ownerId: z.number().nullable(),
})
/** The newest message of the ticket, in the form that a list row shows. */
const LastMessage = z.object({ id: z.string(), fromMe: z.boolean(), ack: z.number(), mediaType: z.string().nullable() })
const TicketTag = z.object({ id: z.number(), name: z.string(), color: z.string(), kanban: z.number() })

/** A goal of the ticket's queue: when to warn, and when it is due. */
export const TicketGoal = z.object({ kind: z.enum(['answer', 'resolve']), warnAt: isoDateTime, dueAt: isoDateTime })
export type TicketGoal = z.infer<typeof TicketGoal>

/** The message that matched a search, in three parts; the middle one is the match. */
const SearchHit = z.object({ messageId: z.string(), before: z.string(), words: z.string(), after: z.string() })
export type SearchHit = z.infer<typeof SearchHit>

/** A ticket is complete in every list, detail and event, so that screens can replace their copy. Nulls are always present. */
export const Ticket = z.object({
  id: z.number(),
  /** The ticket number shown to people: each company counts from 1. `id` is for programs. */
  number: z.number(),
  /** The ticket number as text, as in the specification. */
  code: z.string(),
  uuid: z.string(),
  status: z.enum(ticketStatuses),
  priority: z.enum(ticketPriorities),
  lastMessage: z.string(),
  last: LastMessage.nullable(),
  /** If the newest message is automatic: the beginning of the customer's last message before it. */
  heard: z.object({ body: z.string(), mediaType: z.string().nullable() }).nullable(),
  /** Since when the customer has waited for an answer by a person; null if not waiting. */
  waitingSince: isoDateTime.nullable(),
  /** Set while the ticket is snoozed. `until` null: until the customer writes. `wakesOnMessage`: their words end it sooner. */
  snooze: z
    .object({ since: isoDateTime, until: isoDateTime.nullable(), wakesOnMessage: z.boolean(), note: z.string() })
    .nullable(),
  /** Set after a snooze has ended by itself, until somebody opens the ticket. */
  returned: z.object({ at: isoDateTime, note: z.string() }).nullable(),
  /** Why it was closed, if a person said so; null while it is open. */
  closingReason: z.object({ id: z.number(), name: z.string() }).nullable(),
  unreadMessages: z.number(),
  isGroup: z.boolean(),
  chatbot: z.boolean(),
  companyId: z.number(),
  userId: z.number().nullable(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  contactId: z.number(),
  contact: TicketContact,
  queueId: z.number().nullable(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
  whatsappId: z.number().nullable(),
  whatsapp: z.object({ id: z.number(), name: z.string() }).nullable(),
  tags: z.array(TicketTag),
  /** The board tag that decides the ticket's lane; the ticket may have other tags. */
  laneId: z.number().nullable(),
  /** The ad or post that last brought the customer. */
  adId: z.number().nullable(),
  useIntegration: z.boolean(),
  promptId: z.number().nullable(),
  integrationId: z.number().nullable(),
  /** Official API: end of the 24 hours after the customer's last message, in which free text is allowed; null: no limit. */
  windowEndsAt: isoDateTime.nullable(),
  /** Goals not met yet, soonest first. */
  goals: z.array(TicketGoal),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
  /** Only in results that a search found by message. */
  hit: SearchHit.optional(),
})
export type Ticket = z.infer<typeof Ticket>
/** A ticket with the complete contact: the format of a single ticket and of its live events. */
export const TicketDetail = Ticket.extend({ contact: TicketContact.extend({ extraInfo: z.array(ExtraInfo) }) })
export type TicketDetail = z.infer<typeof TicketDetail>
/** `byMention`: the user does not see the ticket, and may read it because a note mentions them. */
export const ReadableTicket = TicketDetail.extend({ byMention: z.literal(true).optional() })
export type ReadableTicket = z.infer<typeof ReadableTicket>

/** `[1,2]` as text in the query, or a list in a body; any other value is treated as absent. */
export const idList = (entity: string) =>
  z
    .preprocess(
      (v) => {
        if (Array.isArray(v)) return v
        if (typeof v !== 'string') return undefined
        try {
          return JSON.parse(v)
        } catch {
          return undefined
        }
      },
      z.array(ref(entity)).max(500).optional().catch(undefined),
    )
    .meta({ entity })
const trueFlag = z.preprocess((v) => v === 'true' || v === true, z.boolean()).default(false)

export const TicketQuery = z.object({
  searchParam: z.string().trim().max(200).default(''),
  pageNumber: z.coerce.number().int().min(1).max(100_000).default(1),
  status: z.enum(ticketStatuses).optional().catch(undefined),
  date: optionalDay,
  updatedAt: optionalDay,
  showAll: trueFlag,
  withUnreadMessages: trueFlag,
  /**
   * Sorted by last change; `waiting`: the customer who has waited longest for an answer comes first; `priority`: urgent
   * tickets first, and those of one priority as in `waiting`. Lists with closed tickets are not sorted by priority.
   */
  order: z.enum(['newest', 'oldest', 'waiting', 'priority']).catch('newest').default('newest'),
  /** `only`: snoozed tickets, soonest return first; `without`: the others. Absent: both. */
  snoozed: z.enum(['only', 'without']).optional().catch(undefined),
  queueIds: idList('queue'),
  tags: idList('tag'),
  users: idList('user'),
  ads: idList('ad'),
  /** The tickets of a saved view: all filters above except the search are ignored. */
  viewId: ref('ticketView').optional(),
})
export type TicketQuery = z.output<typeof TicketQuery>

/** One call for several transitions: the server derives the transition from the fields. */
export const TicketWrite = z.object({
  status: z.enum(ticketStatuses).optional(),
  userId: nullableRef('user').optional(),
  queueId: nullableRef('queue').optional(),
  whatsappId: nullableRef('connection').optional(),
  useIntegration: z.preprocess((v) => (v === undefined ? undefined : Boolean(v)), z.boolean().optional()),
  promptId: nullableRef('prompt').optional(),
  integrationId: nullableRef('integration').optional(),
  /** Refused for a closed ticket, unless the same call reopens it. */
  priority: z.enum(ticketPriorities).optional(),
  /** Close without a message to the customer. */
  justClose: z.preprocess((v) => Boolean(v), z.boolean()).default(false),
  /**
   * What the ticket's queue asks of a person who closes it (`Queue.closing`). Without a required reason or field the call
   * is refused.
   */
  ...closingShape,
  /** Sent with a transfer: stored as a note and shown to the new assignee. */
  note: z.string().trim().max(4000).optional(),
  /** Users mentioned in the note: they are notified, except those who cannot see the ticket afterwards. */
  mentions: z.array(ref('user')).max(50).optional(),
})

/** At least one of `until` and `wakesOnMessage` must be set. */
export const TicketSnooze = z.object({
  until: z.iso.datetime({ offset: true }).max(40).nullable().default(null),
  wakesOnMessage: z.boolean().default(true),
  /** What the ticket is to come back for. */
  note: z.string().trim().max(200).default(''),
})

export const TicketCreate = z.object({
  contactId: ref('contact'),
  queueId: nullableRef('queue'),
  whatsappId: nullableRef('connection'),
  userId: nullableRef('user'),
  status: z.enum(['open', 'pending']).catch('open').default('open'),
})

export const Note = z.object({
  id: z.number(),
  note: z.string(),
  ticketId: z.number(),
  ticketNumber: z.number(),
  contactId: z.number(),
  user: z.object({ id: z.number(), name: z.string() }),
  /** Mentioned users, who were notified. The text has their names after an `@`. */
  mentions: z.array(z.object({ id: z.number(), name: z.string() })),
  createdAt: isoDateTime,
})
export type Note = z.infer<typeof Note>

/** One journal step, with the reason for it. `text` values are codes that the screen translates. */
export const TicketEventStep = z.object({
  step: z.string(),
  why: z.string(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type TicketEventStep = z.infer<typeof TicketEventStep>
export const TicketEvent = z.object({
  id: z.string(),
  at: isoDateTime,
  kind: z.string(),
  messageId: z.string().nullable(),
  /** The message id on the phone; for an edit, a reaction or a receipt, the id of its target message. */
  phoneId: z.string().nullable(),
  actor: z.object({ id: z.number(), name: z.string() }).nullable(),
  steps: z.array(TicketEventStep),
})
export type TicketEvent = z.infer<typeof TicketEvent>

const params = idParams('ticket')
/** `contactId` is set for known contacts. `isMe`: the member is the line itself. */
export const GroupMember = z.object({
  contactId: z.number().nullable(),
  name: z.string(),
  number: z.string(),
  profilePicUrl: z.string().nullable(),
  isAdmin: z.boolean(),
  isMe: z.boolean(),
})
export type GroupMember = z.infer<typeof GroupMember>

/** How many open and pending tickets a user may pin. */
export const maxPinsPerUser = 20
/** The ids of the pinned tickets, newest pin first. */
const TicketPins = z.object({ ticketIds: z.array(z.number()) })

/** `holiday`: the day on which it would have opened, if a holiday moved it. */
const OpeningTime = z.object({ at: isoDateTime, holiday: z.string().nullable() })

export const ticketsApi = {
  list: get('/tickets', {
    about: 'A page of the tickets the caller may see',
    access: 'session',
    whenExpired: 'read',
    key: 'tickets',
    query: TicketQuery,
    reply: z.object({ tickets: z.array(Ticket), count: z.number(), hasMore: z.boolean() }),
  }),
  counts: get('/tickets/counts', {
    about: 'How many open and pending tickets the caller sees, for the badges; snoozed ones are counted separately',
    access: 'session',
    key: 'tickets',
    query: z.object({ showAll: trueFlag, queueIds: idList('queue') }),
    reply: z.object({ open: z.number(), pending: z.number(), unread: z.number(), snoozed: z.number() }),
  }),
  withoutQueue: get('/tickets/without-queue', {
    about: 'How many tickets wait without a queue, by line; counted up to 1,000',
    access: 'queues-page:edit',
    reply: z.array(z.object({ whatsappId: z.number(), count: z.number() })),
  }),
  show: get('/tickets/:id', {
    about: 'One ticket',
    access: 'session',
    whenExpired: 'read',
    key: 'tickets',
    params,
    reply: ReadableTicket,
  }),
  byUuid: get('/tickets/u/:uuid', {
    about: 'One ticket by its uuid',
    access: 'session',
    whenExpired: 'read',
    key: 'tickets',
    params: z.object({ uuid: z.uuid().meta({ entity: 'ticket.uuid' }) }),
    reply: ReadableTicket,
  }),
  create: post('/tickets', {
    about: 'Start a conversation',
    access: 'session',
    key: 'tickets',
    body: TicketCreate,
    example: { contactId: 1, queueId: null, whatsappId: null, userId: null, status: 'open' },
    reply: TicketDetail,
  }),
  update: put('/tickets/:id', {
    about: 'Accept, return, resolve, reopen, transfer or prioritize',
    access: 'session',
    key: 'tickets',
    params,
    body: TicketWrite,
    example: { status: 'open' },
    reply: TicketDetail,
  }),
  closings: get('/tickets/:id/closings', {
    about: 'How the ticket was closed each time, newest first: reason, fields and summary; fifty at most',
    access: 'session',
    whenExpired: 'read',
    key: 'tickets',
    params,
    reply: z.object({ closings: z.array(TicketClosing) }),
  }),
  undo: post('/tickets/:id/undo', {
    about:
      'Undo the own last accept, return, resolve or transfer within six seconds, with the messages to the customer that were waiting',
    access: 'session',
    params,
    reply: TicketDetail,
  }),
  unread: put('/tickets/:id/unread', {
    about: 'Mark an own open ticket as unread, until it is opened again',
    access: 'session',
    params,
    reply: TicketDetail,
  }),
  pins: get('/tickets/pins', {
    about: 'The open and pending tickets that the caller has pinned, newest pin first',
    access: 'session',
    reply: z.object({ tickets: z.array(Ticket) }),
  }),
  pin: put('/tickets/:id/pin', {
    about: `Keep an open or pending ticket at the top of the own lists; ${maxPinsPerUser} at most`,
    access: 'session',
    params,
    reply: TicketPins,
  }),
  unpin: del('/tickets/:id/pin', {
    about: 'Unpin a ticket',
    access: 'session',
    params,
    reply: TicketPins,
  }),
  snooze: put('/tickets/:id/snooze', {
    about: 'Put an open or pending ticket aside until a time, until the customer writes, or whichever comes first',
    access: 'session',
    key: 'tickets',
    params,
    body: TicketSnooze,
    example: { until: '2027-01-04T12:00:00.000Z', wakesOnMessage: true, note: 'Llamar por la seña' },
    reply: TicketDetail,
  }),
  snoozeTimes: get('/tickets/:id/snooze-times', {
    about: 'When the queue of a ticket opens next, as times to snooze it until',
    access: 'session',
    params,
    reply: z.object({
      timezone: z.string(),
      queue: z.string().nullable(),
      tomorrow: OpeningTime,
      nextWeek: OpeningTime,
    }),
  }),
  unsnooze: del('/tickets/:id/snooze', {
    about: 'End the snooze of a ticket now',
    access: 'session',
    key: 'tickets',
    params,
    reply: TicketDetail,
  }),
  people: get('/tickets/:id/people', {
    about:
      'Users who can be mentioned in the notes of the ticket. `byNote`: they do not see it, now or waiting in another queue, and a mention lets them read it as long as the note exists',
    access: 'session',
    params,
    query: z.object({ queueId: ref('queue').optional() }),
    reply: z.array(z.object({ id: z.number(), name: z.string(), byNote: z.boolean() })),
  }),
  members: get('/tickets/:id/members', {
    about: 'The members of the group of a ticket, requested from its line; empty if it is not a group',
    access: 'session',
    params,
    reply: z.array(GroupMember),
  }),
  hold: get('/tickets/:id/hold', {
    about: 'Until when messages to this customer wait because WhatsApp does not let the line write to strangers',
    access: 'session',
    params,
    reply: z.object({ until: isoDateTime.nullable() }),
  }),
  remove: del('/tickets/:id', {
    about: 'Delete a ticket and its messages',
    access: 'ticket-options:deleteTicket',
    params,
    reply: messageReply,
  }),
  happenings: get('/tickets/:id/events', {
    about: 'The trace of processing, each step with its reason; `deeds` leaves out plain arrivals',
    access: 'session',
    whenExpired: 'read',
    key: 'tickets',
    params,
    query: z.object({ pageNumber: z.coerce.number().int().min(1).max(10_000).default(1), deeds: trueFlag }),
    reply: z.object({ events: z.array(TicketEvent), hasMore: z.boolean() }),
  }),
  kanban: get('/ticket/kanban', {
    about: 'Open and pending tickets for the board, the 500 that changed last; `hasMore` when there are more',
    access: 'session',
    plan: 'useKanban',
    query: z.object({ queueIds: idList('queue'), showAll: trueFlag }),
    reply: z.object({ tickets: z.array(Ticket), count: z.number(), hasMore: z.boolean() }),
  }),
  /** `lane0` is the lane without a tag. */
  addTag: put('/ticket-tags/:ticketId/:tagId', {
    about: 'Put a tag on a ticket; a board tag replaces the previous one',
    access: 'session',
    plan: 'useKanban',
    params: z.object({ ticketId: ref('ticket'), tagId: z.union([z.literal('lane0'), ref('tag')]) }),
    reply: Ticket,
    status: 201,
  }),
  dropTags: del('/ticket-tags/:ticketId', {
    about: 'Remove the board tags from a ticket',
    access: 'session',
    plan: 'useKanban',
    params: z.object({ ticketId: ref('ticket') }),
    reply: Ticket,
  }),
  syncTags: post('/tags/sync', {
    about: 'Replace all tags of a ticket',
    access: 'session',
    key: 'tickets',
    body: z.object({ ticketId: ref('ticket'), tags: z.array(z.object({ id: ref('tag') })).max(100) }),
    example: { ticketId: 1, tags: [] },
    reply: Ticket,
  }),
}

export const notesApi = {
  list: get('/ticket-notes/list', {
    about: 'Notes of a ticket and of its contact, newest first',
    access: 'session',
    whenExpired: 'read',
    key: 'tickets',
    query: z.object({ ticketId: ref('ticket').optional(), contactId: ref('contact').optional() }),
    reply: z.array(Note),
  }),
  create: post('/ticket-notes', {
    about: 'Write a note',
    access: 'session',
    key: 'tickets',
    body: z.object({
      note: requiredText(2, 4000),
      ticketId: ref('ticket'),
      contactId: ref('contact').optional(),
      /** Mentioned users: they are notified, and may read the ticket as long as the note exists. */
      mentions: z.array(ref('user')).max(50).default([]),
    }),
    example: { note: 'Prefiere la mañana', ticketId: 1 },
    reply: Note,
  }),
  remove: del('/ticket-notes/:id', {
    about: 'Delete a note: own ones, any for admins',
    access: 'session',
    key: 'tickets',
    params: idParams('note'),
    reply: messageReply,
  }),
}
