import { z } from 'zod'
import { crud, flag, get, listQuery, mediaEndpoints, optionalText, ref, requiredText } from './endpoint.ts'

export const QuickMessage = z.object({
  id: z.number(),
  shortcode: z.string(),
  message: z.string(),
  /** Visible to the whole company, not only to the author. */
  geral: z.boolean(),
  /** Off: stored, but not offered in the composer. */
  status: z.boolean(),
  isMedia: z.boolean(),
  /** A signed, short-lived URL. */
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  userId: z.number().nullable(),
  /** The queues in whose conversations it is offered; a shared one only to their users. Empty: everywhere. */
  queueIds: z.array(z.number()),
  /** Whether the current user may change the quick message. All users who receive it may see it. */
  editable: z.boolean(),
  viewable: z.boolean(),
})
export type QuickMessage = z.infer<typeof QuickMessage>

/** The text may be empty when there is a file. */
export const QuickMessageWrite = z.object({
  shortcode: requiredText(1, 50),
  message: optionalText(4096),
  geral: flag.default(false),
  status: flag.default(true),
  /** Absent: unchanged, and none for a new one. */
  queueIds: z.array(ref('queue')).max(100).optional(),
})

const path = '/quick-messages'
export const quickMessagesApi = {
  ...crud({
    path,
    entity: 'quickMessage',
    plural: 'records',
    row: QuickMessage,
    search: ['shortcode', 'message'],
    topic: { name: (c) => `company${c}-quickemessage` },
    write: QuickMessageWrite,
    example: { shortcode: 'hola', message: 'Hola {{firstName}}, ¿en qué te ayudo?', geral: true },
    read: 'session',
    edit: 'session',
  }),
  list: get(path, {
    about: 'A page of quick messages: own and shared ones',
    access: 'session',
    query: listQuery.extend({ userId: ref('user').optional().catch(undefined) }),
    reply: z.object({ records: z.array(QuickMessage), count: z.number(), hasMore: z.boolean() }),
  }),
  all: get(`${path}/list`, {
    about: 'All quick messages the composer offers',
    access: 'session',
    reply: z.array(QuickMessage),
  }),
  ...mediaEndpoints(path, 'quickMessage', 'session'),
}
