import { z } from 'zod'
import { Announcement } from './announcements.ts'
import { Company } from './companies.ts'
import { Connection, LineSession } from './connections.ts'
import { Contact } from './contacts.ts'
import { FileList } from './files.ts'
import { Help } from './helps.ts'
import { Message } from './messages.ts'
import { Plan } from './plans.ts'
import { Queue } from './queues.ts'
import { QuickMessage } from './quick-messages.ts'
import { Setting } from './settings.ts'
import { Tag } from './tags.ts'
import { Note, Ticket } from './tickets.ts'
import { SessionUser } from './users.ts'

/**
 * Everything the server says by itself: the name on the wire and what it carries. Names and keys are those that
 * existing clients of this family listen to. Who hears it is decided where it is said (see kernel/live).
 */
export type Topic<P extends z.ZodType = z.ZodType> = {
  name: (companyId: number) => string
  payload: P
  /** The same news under the name and key an older client knows. Returns null for what would break it. */
  alias?: (companyId: number, payload: z.output<P>) => { name: string; payload: object } | null
}

/** News of one row in a list: create, update or delete, under the key names of its screen. */
export type RecordTopic<R = unknown> = Topic & { one: string; gone: string; row: z.ZodType<R> }
export type RecordNews<R> = { action: 'create' | 'update'; row: R } | { action: 'delete'; id: number }

function recordTopic<R extends z.ZodType>(
  row: R,
  o: { name: (companyId: number) => string; one?: string; gone?: string; alias?: { name: (companyId: number) => string; one: string } },
): RecordTopic<z.output<R>> {
  const one = o.one ?? 'record'
  const gone = o.gone ?? 'id'
  const payload = z.union([
    z.object({ action: z.enum(['create', 'update']), [one]: row }),
    z.object({ action: z.literal('delete'), [gone]: z.number() }),
  ])
  const { alias } = o
  return {
    name: o.name,
    row: row as never,
    one,
    gone,
    payload,
    ...(alias && {
      // The pages behind these two aliases break on a delete and read the list again by themselves: they hear none.
      alias: (companyId: number, news: Record<string, unknown>) =>
        news.action === 'delete' ? null : { name: alias.name(companyId), payload: { action: news.action, [alias.one]: news[one] } },
    }),
  } as RecordTopic<z.output<R>>
}

/** Puts record news into the keys of its topic. */
export const pack = <R>(topic: RecordTopic<R>, news: RecordNews<R>): Record<string, unknown> =>
  news.action === 'delete' ? { action: 'delete', [topic.gone]: news.id } : { action: news.action, [topic.one]: news.row }

/** And out of them again. */
export function unpack<R>(topic: RecordTopic<R>, payload: Record<string, unknown>): RecordNews<R> {
  if (payload.action === 'delete') return { action: 'delete', id: Number(payload[topic.gone]) }
  return { action: payload.action as 'create' | 'update', row: payload[topic.one] as R }
}

export const topics = {
  user: recordTopic(SessionUser, { name: (c) => `company-${c}-user`, one: 'user', gone: 'userId' }),
  contact: recordTopic(Contact, { name: (c) => `company-${c}-contact`, one: 'contact', gone: 'contactId' }),
  tag: recordTopic(Tag, { name: (c) => `company-${c}-tag`, one: 'tag', gone: 'tagId', alias: { name: () => 'user', one: 'tags' } }),
  quickMessage: recordTopic(QuickMessage, { name: (c) => `company${c}-quickemessage` }),
  fileList: recordTopic(FileList, { name: (c) => `company-${c}-fileList`, alias: { name: (c) => `company-${c}-file`, one: 'files' } }),
  announcement: recordTopic(Announcement, { name: () => 'company-announcement' }),
  help: recordTopic(Help, { name: () => 'company-help' }),
  plan: recordTopic(Plan, { name: () => 'platform-plan' }),
  company: recordTopic(Company, { name: () => 'platform-company' }),
  queue: recordTopic(Queue, { name: (c) => `company-${c}-queue`, one: 'queue', gone: 'queueId' }),
  connection: recordTopic(Connection, { name: (c) => `company-${c}-whatsapp`, one: 'whatsapp', gone: 'whatsappId' }),
  lineSession: { name: (c: number) => `company-${c}-whatsappSession`, payload: z.object({ action: z.literal('update'), session: LineSession }) },
  /** Something changed on a customer's phone of a test line. */
  sandbox: { name: (c: number) => `company-${c}-sandbox`, payload: z.object({ action: z.literal('update'), whatsappId: z.number(), chat: z.string() }) },
  setting: { name: (c: number) => `company-${c}-settings`, payload: z.object({ action: z.literal('update'), setting: Setting }) },
  /** Plan, due date or name of the own company changed: what the shell shows must be read again. */
  ownCompany: { name: (c: number) => `company-${c}-company`, payload: z.object({ action: z.literal('update'), company: z.object({ id: z.number() }) }) },
  /** A status or owner change is a delete to who saw it, then an update to who sees it now. */
  ticket: {
    name: (c: number) => `company-${c}-ticket`,
    payload: z.union([
      z.object({ action: z.enum(['create', 'update']), ticket: Ticket }),
      z.object({ action: z.literal('delete'), ticketId: z.number() }),
      z.object({ action: z.literal('updateUnread'), ticketId: z.number() }),
    ]),
  },
  message: {
    name: (c: number) => `company-${c}-appMessage`,
    payload: z.union([
      z.object({ action: z.literal('create'), message: Message, ticket: Ticket, contact: z.object({ id: z.number(), name: z.string(), profilePicUrl: z.string().nullable() }) }),
      z.object({ action: z.literal('update'), message: Message }),
    ]),
  },
  note: {
    name: (c: number) => `company-${c}-note`,
    payload: z.union([z.object({ action: z.literal('create'), note: Note }), z.object({ action: z.literal('delete'), noteId: z.number(), ticketId: z.number() })]),
  },
  /** This account was opened elsewhere, or its session was ended. */
  auth: {
    name: (c: number) => `company-${c}-auth`,
    payload: z.object({ action: z.literal('update'), user: z.object({ id: z.number(), email: z.string(), companyId: z.number() }) }),
  },
}
export type Topics = typeof topics

/** What a browser may say. Ticket ids arrive as text. */
export const joins = ['joinChatBox', 'joinNotification', 'joinTickets', 'leaveChatBox', 'leaveNotification', 'leaveTickets', 'userStatus'] as const
