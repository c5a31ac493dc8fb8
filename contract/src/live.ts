import type { Announcement } from './announcements.ts'
import type { Company } from './companies.ts'
import type { Connection, LineSession } from './connections.ts'
import type { Contact } from './contacts.ts'
import type { FileList } from './files.ts'
import type { Help } from './helps.ts'
import type { Holiday } from './hours.ts'
import type { Message } from './messages.ts'
import type { Plan } from './plans.ts'
import type { Queue } from './queues.ts'
import type { QuickMessage } from './quick-messages.ts'
import type { Setting } from './settings.ts'
import type { Tag } from './tags.ts'
import type { Note, Ticket } from './tickets.ts'
import type { SessionUser } from './users.ts'

/**
 * Everything the server says by itself: the name on the wire and what it carries. Names and keys are those that
 * existing clients of this family listen to. Who hears it is decided where it is said (see kernel/live). The shapes
 * that hold the server to it stand in live-shapes: browsers need the names alone.
 */
export type Topic<P = unknown> = {
  name: (companyId: number) => string
  /** The same news under the name and key an older client knows. Returns null for what would break it. */
  alias?: (companyId: number, payload: Record<string, unknown>) => { name: string; payload: object } | null
  /** For the compiler only: what it carries. */
  readonly carries?: P
}

/** News of one row in a list: create, update or delete, under the key names of its screen. */
export type RecordTopic<R = unknown> = Topic<Record<string, unknown>> & { one: string; gone: string; readonly row?: R }
export type RecordNews<R> = { action: 'create' | 'update'; row: R } | { action: 'delete'; id: number }

type Keys = {
  name: (companyId: number) => string
  one?: string
  gone?: string
  alias?: { name: (companyId: number) => string; one: string }
}

const record = <R>({ name, one = 'record', gone = 'id', alias }: Keys): RecordTopic<R> => ({
  name,
  one,
  gone,
  ...(alias && {
    // The pages behind these aliases break on a delete and read the list again by themselves: they hear none.
    alias: (companyId, news) =>
      news.action === 'delete'
        ? null
        : { name: alias.name(companyId), payload: { action: news.action, [alias.one]: news[one] } },
  }),
})
const topic = <P>(name: (companyId: number) => string): Topic<P> => ({ name })

/** Puts record news into the keys of its topic. */
export const pack = <R>(of: RecordTopic<R>, news: RecordNews<R>): Record<string, unknown> =>
  news.action === 'delete' ? { action: 'delete', [of.gone]: news.id } : { action: news.action, [of.one]: news.row }

/** And out of them again. */
export function unpack<R>(of: RecordTopic<R>, payload: Record<string, unknown>): RecordNews<R> {
  if (payload.action === 'delete') return { action: 'delete', id: Number(payload[of.gone]) }
  return { action: payload.action as 'create' | 'update', row: payload[of.one] as R }
}

/** A status or owner change is a delete to who saw it, then an update to who sees it now. */
export type TicketNews =
  | { action: 'create' | 'update'; ticket: Ticket }
  | { action: 'delete' | 'updateUnread'; ticketId: number }
export type MessageNews =
  | {
      action: 'create'
      message: Message
      ticket: Ticket
      contact: { id: number; name: string; profilePicUrl: string | null }
    }
  | { action: 'update'; message: Message }
export type NoteNews = { action: 'create'; note: Note } | { action: 'delete'; noteId: number; ticketId: number }

/** Why a session ended before its time. */
export const endReasons = ['opened-elsewhere', 'logged-out', 'password-changed', 'account-closed'] as const
export type EndReason = (typeof endReasons)[number]

type Ended = { action: 'update'; reason: EndReason; user: { id: number; email: string; companyId: number } }
/**
 * Older clients know one reason, a login elsewhere. They take every word of it for that, and empty the browser's whole
 * storage, the to-do list with it: of a logout or a new password they hear nothing here.
 */
const auth: Topic<Ended> = {
  name: (c) => `company-${c}-session`,
  alias: (c, ended) => (ended.reason === 'opened-elsewhere' ? { name: `company-${c}-auth`, payload: ended } : null),
}

export const topics = {
  user: record<SessionUser>({ name: (c) => `company-${c}-user`, one: 'user', gone: 'userId' }),
  contact: record<Contact>({ name: (c) => `company-${c}-contact`, one: 'contact', gone: 'contactId' }),
  tag: record<Tag>({
    name: (c) => `company-${c}-tag`,
    one: 'tag',
    gone: 'tagId',
    alias: { name: () => 'user', one: 'tags' },
  }),
  quickMessage: record<QuickMessage>({ name: (c) => `company${c}-quickemessage` }),
  fileList: record<FileList>({
    name: (c) => `company-${c}-fileList`,
    alias: { name: (c) => `company-${c}-file`, one: 'files' },
  }),
  announcement: record<Announcement>({ name: () => 'company-announcement' }),
  help: record<Help>({ name: () => 'company-help' }),
  plan: record<Plan>({ name: () => 'platform-plan' }),
  company: record<Company>({ name: () => 'platform-company' }),
  queue: record<Queue>({ name: (c) => `company-${c}-queue`, one: 'queue', gone: 'queueId' }),
  connection: record<Connection>({ name: (c) => `company-${c}-whatsapp`, one: 'whatsapp', gone: 'whatsappId' }),
  lineSession: topic<{ action: 'update'; session: LineSession }>((c) => `company-${c}-whatsappSession`),
  /** Something changed on a customer's phone of a test line. */
  sandbox: topic<{ action: 'update'; whatsappId: number; chat: string }>((c) => `company-${c}-sandbox`),
  setting: topic<{ action: 'update'; setting: Setting }>((c) => `company-${c}-settings`),
  /** The days on which the company does not work, all of them. */
  holidays: topic<{ action: 'update'; holidays: Holiday[] }>((c) => `company-${c}-holidays`),
  /** Plan, due date or name of the own company changed: what the shell shows must be read again. */
  ownCompany: topic<{ action: 'update'; company: { id: number } }>((c) => `company-${c}-company`),
  ticket: topic<TicketNews>((c) => `company-${c}-ticket`),
  message: topic<MessageNews>((c) => `company-${c}-appMessage`),
  /** Older messages came into a conversation, or some went: who has it open reads it again. */
  thread: topic<{ contactId: number; whatsappId: number }>((c) => `company-${c}-thread`),
  note: topic<NoteNews>((c) => `company-${c}-note`),
  /** The customer of a ticket is typing, or stopped. */
  typing: topic<{ ticketId: number; typing: boolean }>((c) => `company-${c}-typing`),
  /** Who of the team has this ticket's conversation open, and who of them is writing. Told to those who have it open. */
  watching: topic<{ ticketId: number; people: { id: number; name: string; typing: boolean }[] }>(
    (c) => `company-${c}-watching`,
  ),
  /** This account was opened elsewhere, or its session was ended: why. */
  auth,
}
export type Topics = typeof topics
export type TopicName = keyof Topics

/** What a browser may say. Ticket ids arrive as text. */
export const joins = [
  'joinChatBox',
  'joinNotification',
  'joinTickets',
  'leaveChatBox',
  'leaveNotification',
  'leaveTickets',
  'userStatus',
  /** I am writing in this ticket, or stopped: (ticketId, boolean). */
  'agentTyping',
] as const
