import { z } from 'zod'
import { get, isoDateTime, put, ref } from './endpoint.ts'

/**
 * What somebody is to be told and has not seen: a ticket that was given to them or to their queue, a note that
 * names them, a scheduled message of theirs that is held because the customer wrote, words of theirs that did not leave
 * after the conversation had ended, a promise of its queue that is nearly late, or, for those who lead, an integration or
 * a webhook that rests because it did not answer, one that is gone, and events it was not told in a day.
 */
export const Notice = z.object({
  id: z.number(),
  kind: z.enum([
    ...(['assigned', 'queued', 'mention', 'held', 'unsent', 'goal'] as const),
    ...(['resting', 'hook-rests', 'hook-off', 'hook-gave-up'] as const),
  ]),
  ticketId: z.number(),
  uuid: z.string(),
  isGroup: z.boolean(),
  contact: z.object({ id: z.number(), name: z.string(), number: z.string(), profilePicUrl: z.string().nullable() }),
  /** Who did it. The name stays when they have left, the id is 0 then, as it is for a customer. */
  by: z.object({ id: z.number(), name: z.string() }),
  /** The note that names them, or that came with the ticket. */
  note: z.string().nullable(),
  createdAt: isoDateTime,
})
export type Notice = z.infer<typeof Notice>

export const noticesApi = {
  list: get('/notices', {
    about: 'What this person has not seen yet of what others gave them or wrote to them, newest first',
    access: 'session',
    reply: z.object({ notices: z.array(Notice) }),
  }),
  read: put('/notices/read', {
    about: 'They have seen it: all of it, or what is about one ticket',
    access: 'session',
    body: z.object({ ticketId: ref('ticket').optional() }),
    example: {},
    reply: z.object({ noticeIds: z.array(z.number()) }),
  }),
}
