import type { ContactListItem, ImportProgress } from './campaigns/contact-lists.ts'
import type { Chat, ChatMessage } from './chats.ts'
import type { LineSession } from './connections.ts'
import type { DryRun } from './flows/flows.ts'
import type { Holiday } from './hours/hours.ts'
import type { MacroRun } from './macros/macros.ts'
import type { Message } from './messages.ts'
import type { Notice } from './notices.ts'
import type { Draft } from './schedules/drafts.ts'
import type { Setting } from './settings.ts'
import type { TicketBatch } from './tickets/ticket-batches.ts'
import type { Note, Ticket, TicketDetail } from './tickets.ts'
import type { Topic } from './topic.ts'

const topic = <P>(name: (companyId: number) => string): Topic<P> => ({ name })

/** A status or owner change is published as a delete to users who saw the ticket, and an update to users who see it now. */
export type TicketNews =
  | { action: 'create' | 'update'; ticket: TicketDetail }
  | { action: 'delete' | 'updateUnread'; ticketId: number }
export type MessageNews =
  | {
      action: 'create'
      message: Message
      ticket: Ticket
      contact: { id: number; name: string; profilePicUrl: string | null }
    }
  | { action: 'update'; message: Message }
/** Published only to the recipient of the notice. */
export type NoticeNews = { action: 'create'; notice: Notice } | { action: 'delete'; noticeIds: number[] }
export type NoteNews = { action: 'create'; note: Note } | { action: 'delete'; noteId: number; ticketId: number }

/** Published only to the members of that chat. A removed member gets a last `delete`. */
export type ChatNews =
  | { action: 'new-message'; chat: Chat; newMessage: ChatMessage & { chat: { users: { userId: number }[] } } }
  | { action: 'update'; chat: Chat }
  | { action: 'delete'; id: number }
/** Older clients use separate event names for the open chat, with or without the company in the name. */
const chat: Topic<ChatNews> = {
  name: (c) => `company-${c}-chat`,
  alias: (c, payload) => {
    const { chat } = payload as { chat?: Chat }
    return chat ? [`company-${c}-chat-${chat.id}`, `chat-${chat.id}`].map((name) => ({ name, payload })) : null
  },
}
/** A new chat in a user's list, or a changed title or members: each user has their own event name. */
const chatUser: Topic<{ action: 'create' | 'update'; userId: number; record: Chat }> = {
  name: (c, payload) => `company-${c}-chat-user-${payload?.userId}`,
  alias: (_, payload) => ({ name: `chat-user-${payload.userId}`, payload }),
}

/** Why a session ended early. */
export const sessionEndReasons = [
  'opened-elsewhere',
  'logged-out',
  'password-changed',
  'account-closed',
  'two-factor-asked',
  'sign-in-changed',
] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** After an import: the first page of the list, however long the list is. */
const listReload: Topic<{ action: 'reload'; contactListId: number; records: ContactListItem[] }> = {
  name: (c, payload) => `company-${c}-ContactListItem-${payload?.contactListId}`,
}

type SessionEndPayload = { action: 'update'; reason: SessionEndReason; user: { id: number; companyId: number } }
/**
 * Older clients know only one reason, a login elsewhere. They handle every event as that reason and clear the browser's
 * whole storage, including the to-do list. Therefore a logout or a new password is not published to them.
 */
const auth: Topic<SessionEndPayload> = {
  name: (c) => `company-${c}-session`,
  alias: (c, ended) => (ended.reason === 'opened-elsewhere' ? { name: `company-${c}-auth`, payload: ended } : null),
}

/**
 * All live topics except those of records, which are part of their endpoints (`tagsApi.topic`). The schemas are in
 * live-payload-schemas, because browsers need only the names.
 */
export const topics = {
  lineSession: topic<{ action: 'update'; session: LineSession }>((c) => `company-${c}-whatsappSession`),
  /** Something changed on the sandbox phone of a test line. */
  sandbox: topic<{ action: 'update'; whatsappId: number; chat: string }>((c) => `company-${c}-sandbox`),
  setting: topic<{ action: 'update'; setting: Setting }>((c) => `company-${c}-settings`),
  /** All holidays of the company. */
  holidays: topic<{ action: 'update'; holidays: Holiday[] }>((c) => `company-${c}-holidays`),
  /** Plan, due date or name of the user's own company changed: the app shell must reload it. */
  ownCompany: {
    ...topic<{ action: 'update'; company: { id: number } }>((c) => `company-${c}-company`),
    whenExpired: true as const,
  },
  /** An invoice was paid. The payload has the new due date. */
  payment: {
    ...topic<{ action: 'CONCLUIDA'; company: { id: number; dueDate: string } }>((c) => `company-${c}-payment`),
    whenExpired: true as const,
  },
  ticket: topic<TicketNews>((c) => `company-${c}-ticket`),
  /** Some report has changed. Published at most once a second, without naming the report. */
  figures: topic<{ action: 'update' }>((c) => `company-${c}-figures`),
  message: topic<MessageNews>((c) => `company-${c}-appMessage`),
  /** Older messages were added to a conversation, or messages were deleted: clients that show it reload it. */
  thread: topic<{ contactId: number; whatsappId: number }>((c) => `company-${c}-thread`),
  note: topic<NoteNews>((c) => `company-${c}-note`),
  /** The pinned tickets of the user, newest pin first. Published to that user only. */
  pins: topic<{ action: 'update'; ticketIds: number[] }>((c) => `company-${c}-pins`),
  /** A draft of the user was changed, possibly on another device. Published to that user only. */
  draft: topic<{ action: 'update'; draft: Draft }>((c) => `company-${c}-draft`),
  /** Saved views changed: each user reads their own ones again. */
  ticketViews: topic<{ action: 'update' }>((c) => `company-${c}-ticketViews`),
  /** The counts of these saved views may have changed. */
  ticketViewCounts: topic<{ action: 'update'; viewIds: number[] }>((c) => `company-${c}-ticketViewCounts`),
  /** The tickets offered to this user changed. Published to that user and to those who see the live page of the queue. */
  offers: topic<{ action: 'update'; userId: number }>((c) => `company-${c}-offers`),
  /** Progress of a change of many tickets. Published to the user who makes it. */
  ticketBatch: topic<{ action: 'update'; batch: TicketBatch }>((c) => `company-${c}-ticketBatch`),
  /** Rules, sequences or flows changed: admins read their lists again. */
  flows: topic<{ action: 'update'; flowIds: number[] }>((c) => `company-${c}-flows`),
  /** Progress of a dry run. Published to the user who makes it. */
  flowDryRun: topic<{ action: 'update'; dryRun: DryRun }>((c) => `company-${c}-flowDryRun`),
  /** Macros changed: each user reads their own ones again. */
  macros: topic<{ action: 'update' }>((c) => `company-${c}-macros`),
  /** The steps of a macro were run or undone. Published to the user who runs it. */
  macroRun: topic<{ action: 'update'; run: MacroRun }>((c) => `company-${c}-macroRun`),
  /** The tasks of the user changed. Published to that user only. */
  tasks: topic<{ action: 'update' }>((c) => `company-${c}-tasks`),
  notice: topic<NoticeNews>((c) => `company-${c}-notice`),
  /** The customer of a ticket is typing, or stopped. */
  typing: topic<{ ticketId: number; typing: boolean }>((c) => `company-${c}-typing`),
  /** The users who have this ticket's conversation open, and who of them is typing. Published to those users. */
  watching: topic<{ ticketId: number; people: { id: number; name: string; typing: boolean }[] }>(
    (c) => `company-${c}-watching`,
  ),
  /** Progress of an import into a contact list. */
  listImport: topic<{ action: 'update'; record: ImportProgress }>((c) => `company-${c}-ContactListImport`),
  listReload,
  chat,
  chatUser,
  /** A message was edited, deleted or reacted to. */
  chatMessage: topic<{ action: 'update'; message: ChatMessage }>((c) => `company-${c}-chatMessage`),
  /** A user has read a chat up to this message. */
  chatRead: topic<{ chatId: number; userId: number; readId: number }>((c) => `company-${c}-chatRead`),
  /** A user types in a chat, or stopped. */
  chatTyping: topic<{ chatId: number; userId: number; typing: boolean }>((c) => `company-${c}-chatTyping`),
  /** This account was logged in elsewhere, or its session was ended; with the reason. */
  auth,
}
export type Topics = typeof topics
export type TopicName = keyof Topics

/** Events that a browser may send. Ticket ids arrive as text. */
export const clientEvents = [
  'joinChatBox',
  'joinNotification',
  'joinTickets',
  'leaveChatBox',
  'leaveNotification',
  'leaveTickets',
  'userStatus',
  /** The user has typed, clicked or scrolled; sent at most twice a minute. */
  'userActive',
  /** The user types in this ticket, or stopped: (ticketId, boolean). */
  'agentTyping',
  /** The user types in this team chat, or stopped: (chatId, boolean). */
  'chatTyping',
] as const
