import { z } from 'zod'
import { del, get, idParams, isoDateTime, messageReply, post, put, ref, requiredName } from '../endpoint.ts'
import { Ticket } from '../tickets.ts'
import { TicketConditions } from './ticket-conditions.ts'

export const viewOrders = ['newest', 'oldest', 'waiting', 'priority'] as const
/** Who sees a view. Each of them sees only the tickets that they may see anyway. */
export const viewAudiences = ['me', 'queues', 'all'] as const
export const maxViewsPerUser = 30
/** For all users together. */
export const maxViewsPerCompany = 300

export const TicketView = z.object({
  id: z.number(),
  name: z.string(),
  conditions: TicketConditions,
  order: z.enum(viewOrders),
  audience: z.enum(viewAudiences),
  /** The queues whose users see the view, if it is shared with queues. */
  queueIds: z.array(z.number()),
  /** Null: its author was deleted. */
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  editable: z.boolean(),
  updatedAt: isoDateTime,
})
export type TicketView = z.infer<typeof TicketView>

export const TicketViewWrite = z.object({
  name: requiredName(1, 60),
  conditions: TicketConditions,
  order: z.enum(viewOrders).default('newest'),
  audience: z.enum(viewAudiences).default('me'),
  queueIds: z.array(ref('queue')).max(100).default([]),
})

/** `count` is null while a new or changed view is still being counted. */
const ViewCount = z.object({ viewId: z.number(), count: z.number().nullable() })

const params = idParams('ticketView')
const path = '/ticket-views'
const example = {
  name: 'Sin respuesta',
  order: 'waiting',
  audience: 'me',
  conditions: { match: 'all', of: [{ field: 'waiting', minutes: 30 }] },
} as const
export const ticketViewsApi = {
  list: get(path, {
    about: 'The saved views of tickets that the caller may use: own and shared ones',
    access: 'session',
    reply: z.object({ views: z.array(TicketView) }),
  }),
  counts: get(`${path}/counts`, {
    about: 'How many tickets of each view the caller sees',
    access: 'session',
    reply: z.object({ counts: z.array(ViewCount) }),
  }),
  create: post(path, {
    about: 'Save a view. Only supervisors and admins share one: supervisors with their queues, admins with everybody',
    access: 'session',
    body: TicketViewWrite,
    example,
    reply: TicketView,
  }),
  update: put(`${path}/:id`, {
    about: 'Change an own view, or as an admin a shared one',
    access: 'session',
    params,
    body: TicketViewWrite,
    example,
    reply: TicketView,
  }),
  remove: del(`${path}/:id`, {
    about: 'Delete an own view, or as an admin a shared one',
    access: 'session',
    params,
    reply: messageReply,
  }),
  preview: post(`${path}/preview`, {
    about:
      'The first tickets that meet conditions which are not saved yet, among the newest 20,000 tickets that are not closed',
    access: 'session',
    body: z.object({ conditions: TicketConditions, order: z.enum(viewOrders).default('newest') }),
    example: { conditions: example.conditions },
    reply: z.object({ tickets: z.array(Ticket), count: z.number() }),
  }),
}
