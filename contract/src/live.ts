import type { ContactListItem, ImportProgress } from './campaigns/contact-lists.ts'
import type { Chat, ChatMessage } from './chats.ts'
import type { LineSession } from './connections.ts'
import type { Holiday } from './hours/hours.ts'
import type { Message } from './messages.ts'
import type { Notice } from './notices.ts'
import type { Setting } from './settings.ts'
import type { Note, Ticket, TicketDetail } from './tickets.ts'
import type { Topic } from './topic.ts'

const topic = <P>(name: (companyId: number) => string): Topic<P> => ({ name })

/** A status or owner change is a delete to who saw it, then an update to who sees it now. */
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
/** Told to the one person it is for. */
export type NoticeNews = { action: 'create'; notice: Notice } | { action: 'delete'; noticeIds: number[] }
export type NoteNews = { action: 'create'; note: Note } | { action: 'delete'; noteId: number; ticketId: number }

/** All of it goes to the people of that chat alone. Who was taken out, or lost it, hears the last: `delete`. */
export type ChatNews =
  | { action: 'new-message'; chat: Chat; newMessage: ChatMessage & { chat: { users: { userId: number }[] } } }
  | { action: 'update'; chat: Chat }
  | { action: 'delete'; id: number }
/** Older clients know the chat they have open by names of its own, with the company in it or without. */
const chat: Topic<ChatNews> = {
  name: (c) => `company-${c}-chat`,
  alias: (c, payload) => {
    const { chat } = payload as { chat?: Chat }
    return chat ? [`company-${c}-chat-${chat.id}`, `chat-${chat.id}`].map((name) => ({ name, payload })) : null
  },
}
/** One more chat in somebody's list, or another title or people of one: to each by a name of their own. */
const chatUser: Topic<{ action: 'create' | 'update'; userId: number; record: Chat }> = {
  name: (c, payload) => `company-${c}-chat-user-${payload?.userId}`,
  alias: (_, payload) => ({ name: `chat-user-${payload.userId}`, payload }),
}

/** Why a session ended before its time. */
export const sessionEndReasons = [
  'opened-elsewhere',
  'logged-out',
  'password-changed',
  'account-closed',
  'two-factor-asked',
  'sign-in-changed',
] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** After an import: the first page of the list as it is now, and no more of it however long it is. */
const listReload: Topic<{ action: 'reload'; contactListId: number; records: ContactListItem[] }> = {
  name: (c, payload) => `company-${c}-ContactListItem-${payload?.contactListId}`,
}

type SessionEndPayload = { action: 'update'; reason: SessionEndReason; user: { id: number; companyId: number } }
/**
 * Older clients know one reason, a login elsewhere. They take every word of it for that, and empty the browser's whole
 * storage, the to-do list with it: of a logout or a new password they hear nothing here.
 */
const auth: Topic<SessionEndPayload> = {
  name: (c) => `company-${c}-session`,
  alias: (c, ended) => (ended.reason === 'opened-elsewhere' ? { name: `company-${c}-auth`, payload: ended } : null),
}

/**
 * Everything the server says by itself, beside the news of records: those are carried by their endpoints
 * (`tagsApi.topic`). The shapes that hold the server to it stand in live-shapes: browsers need the names alone.
 */
export const topics = {
  lineSession: topic<{ action: 'update'; session: LineSession }>((c) => `company-${c}-whatsappSession`),
  /** Something changed on a customer's phone of a test line. */
  sandbox: topic<{ action: 'update'; whatsappId: number; chat: string }>((c) => `company-${c}-sandbox`),
  setting: topic<{ action: 'update'; setting: Setting }>((c) => `company-${c}-settings`),
  /** The days on which the company does not work, all of them. */
  holidays: topic<{ action: 'update'; holidays: Holiday[] }>((c) => `company-${c}-holidays`),
  /** Plan, due date or name of the own company changed: what the shell shows must be read again. */
  ownCompany: {
    ...topic<{ action: 'update'; company: { id: number } }>((c) => `company-${c}-company`),
    whenExpired: true as const,
  },
  /** An invoice was paid: until when the company is now. */
  payment: {
    ...topic<{ action: 'CONCLUIDA'; company: { id: number; dueDate: string } }>((c) => `company-${c}-payment`),
    whenExpired: true as const,
  },
  ticket: topic<TicketNews>((c) => `company-${c}-ticket`),
  /** The figures of the desk are others now: at most once a second, and it does not say which. */
  figures: topic<{ action: 'update' }>((c) => `company-${c}-figures`),
  message: topic<MessageNews>((c) => `company-${c}-appMessage`),
  /** Older messages came into a conversation, or some went: who has it open reads it again. */
  thread: topic<{ contactId: number; whatsappId: number }>((c) => `company-${c}-thread`),
  note: topic<NoteNews>((c) => `company-${c}-note`),
  notice: topic<NoticeNews>((c) => `company-${c}-notice`),
  /** The customer of a ticket is typing, or stopped. */
  typing: topic<{ ticketId: number; typing: boolean }>((c) => `company-${c}-typing`),
  /** Who of the team has this ticket's conversation open, and who of them is writing. Told to those who have it open. */
  watching: topic<{ ticketId: number; people: { id: number; name: string; typing: boolean }[] }>(
    (c) => `company-${c}-watching`,
  ),
  /** How far an import into a contact list has come. */
  listImport: topic<{ action: 'update'; record: ImportProgress }>((c) => `company-${c}-ContactListImport`),
  listReload,
  chat,
  chatUser,
  /** Edited, deleted, reacted to. */
  chatMessage: topic<{ action: 'update'; message: ChatMessage }>((c) => `company-${c}-chatMessage`),
  /** Somebody has read a chat up to here. */
  chatRead: topic<{ chatId: number; userId: number; readId: number }>((c) => `company-${c}-chatRead`),
  /** Somebody writes in a chat, or stopped. */
  chatTyping: topic<{ chatId: number; userId: number; typing: boolean }>((c) => `company-${c}-chatTyping`),
  /** This account was opened elsewhere, or its session was ended: why. */
  auth,
}
export type Topics = typeof topics
export type TopicName = keyof Topics

/** What a browser may say. Ticket ids arrive as text. */
export const clientEvents = [
  'joinChatBox',
  'joinNotification',
  'joinTickets',
  'leaveChatBox',
  'leaveNotification',
  'leaveTickets',
  'userStatus',
  /** I am writing in this ticket, or stopped: (ticketId, boolean). */
  'agentTyping',
  /** I am writing in this chat of the team, or stopped: (chatId, boolean). */
  'chatTyping',
] as const
