import { z } from 'zod'
import { get, isoDateTime, put, ref } from './endpoint.ts'

/**
 * An unseen notification for a user: a ticket assigned to them or to their queue, a note that mentions them, one
 * of their scheduled messages held because the customer wrote, one of their messages that was not sent before
 * the conversation ended, a queue goal that is nearly missed, or a snoozed ticket that came back (`by` is its note). For supervisors and admins also: an integration
 * or a webhook paused because it did not respond, one that was removed, events not delivered within a day, and a
 * report of Meta about a line.
 */
export const Notice = z.object({
  id: z.number(),
  kind: z.enum([
    ...(['assigned', 'queued', 'mention', 'held', 'unsent', 'goal'] as const),
    ...(['resting', 'hook-rests', 'hook-off', 'hook-gave-up', 'line-health', 'snooze'] as const),
  ]),
  ticketId: z.number(),
  uuid: z.string(),
  isGroup: z.boolean(),
  contact: z.object({ id: z.number(), name: z.string(), number: z.string(), profilePicUrl: z.string().nullable() }),
  /** The author. The name stays after the author left the company; the id is then 0, as it is for a customer. */
  by: z.object({ id: z.number(), name: z.string() }),
  /** The note with the mention, or the note sent with the ticket. */
  note: z.string().nullable(),
  createdAt: isoDateTime,
})
export type Notice = z.infer<typeof Notice>

export const noticesApi = {
  list: get('/notices', {
    about: 'Unseen notices of assignments and messages to the caller, newest first',
    access: 'session',
    reply: z.object({ notices: z.array(Notice) }),
  }),
  read: put('/notices/read', {
    about: 'Mark notices as seen: all of them, or those of one ticket',
    access: 'session',
    body: z.object({ ticketId: ref('ticket').optional() }),
    example: {},
    reply: z.object({ noticeIds: z.array(z.number()) }),
  }),
}
