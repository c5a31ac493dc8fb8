import { z } from 'zod'
import { recordTopics } from './api.ts'
import { ContactListItem, ImportProgress } from './campaigns/contact-lists.ts'
import { Chat, ChatMessage, PublishedChatMessage } from './chats.ts'
import { LineSession } from './connections.ts'
import { DryRun } from './flows/flows.ts'
import { Holiday } from './hours/hours.ts'
import { sessionEndReasons, type TopicName, topics } from './live.ts'
import { MacroRun } from './macros/macros.ts'
import { Message } from './messages.ts'
import { Notice } from './notices.ts'
import { Draft } from './schedules/drafts.ts'
import { Setting } from './settings.ts'
import { TicketBatch } from './tickets/ticket-batches.ts'
import { Note, Ticket, TicketDetail } from './tickets.ts'
import type { RecordTopic, Topic } from './topic.ts'

const recordPayloadSchema = ({ one, gone, row }: RecordTopic): z.ZodType =>
  z.union([
    z.object({ action: z.enum(['create', 'update']), [one]: row }),
    z.object({ action: z.literal('delete'), [gone]: z.number() }),
  ])

/** The schema of each topic. The server passes every event through it: fields that are not listed are dropped. */
const payloadSchemas: Record<TopicName, z.ZodType> = {
  lineSession: z.object({ action: z.literal('update'), session: LineSession }),
  sandbox: z.object({ action: z.literal('update'), whatsappId: z.number(), chat: z.string() }),
  setting: z.object({ action: z.literal('update'), setting: Setting }),
  holidays: z.object({ action: z.literal('update'), holidays: z.array(Holiday) }),
  ownCompany: z.object({ action: z.literal('update'), company: z.object({ id: z.number() }) }),
  payment: z.object({
    action: z.literal('CONCLUIDA'),
    company: z.object({ id: z.number(), dueDate: z.string() }),
  }),
  ticket: z.union([
    z.object({ action: z.enum(['create', 'update']), ticket: TicketDetail }),
    z.object({ action: z.enum(['delete', 'updateUnread']), ticketId: z.number() }),
  ]),
  figures: z.object({ action: z.literal('update') }),
  message: z.union([
    z.object({
      action: z.literal('create'),
      message: Message,
      ticket: Ticket,
      contact: z.object({ id: z.number(), name: z.string(), profilePicUrl: z.string().nullable() }),
    }),
    z.object({ action: z.literal('update'), message: Message }),
  ]),
  thread: z.object({ contactId: z.number(), whatsappId: z.number() }),
  note: z.union([
    z.object({ action: z.literal('create'), note: Note }),
    z.object({ action: z.literal('delete'), noteId: z.number(), ticketId: z.number() }),
  ]),
  draft: z.object({ action: z.literal('update'), draft: Draft }),
  pins: z.object({ action: z.literal('update'), ticketIds: z.array(z.number()) }),
  ticketViews: z.object({ action: z.literal('update') }),
  ticketViewCounts: z.object({ action: z.literal('update'), viewIds: z.array(z.number()) }),
  flows: z.object({ action: z.literal('update'), flowIds: z.array(z.number()) }),
  flowDryRun: z.object({ action: z.literal('update'), dryRun: DryRun }),
  macros: z.object({ action: z.literal('update') }),
  macroRun: z.object({ action: z.literal('update'), run: MacroRun }),
  tasks: z.object({ action: z.literal('update') }),
  notice: z.union([
    z.object({ action: z.literal('create'), notice: Notice }),
    z.object({ action: z.literal('delete'), noticeIds: z.array(z.number()) }),
  ]),
  typing: z.object({ ticketId: z.number(), typing: z.boolean() }),
  watching: z.object({
    ticketId: z.number(),
    people: z.array(z.object({ id: z.number(), name: z.string(), typing: z.boolean() })),
  }),
  offers: z.object({ action: z.literal('update'), userId: z.number() }),
  ticketBatch: z.object({ action: z.literal('update'), batch: TicketBatch }),
  listImport: z.object({ action: z.literal('update'), record: ImportProgress }),
  listReload: z.object({
    action: z.literal('reload'),
    contactListId: z.number(),
    records: z.array(ContactListItem),
  }),
  chat: z.union([
    z.object({ action: z.literal('new-message'), chat: Chat, newMessage: PublishedChatMessage }),
    z.object({ action: z.literal('update'), chat: Chat }),
    z.object({ action: z.literal('delete'), id: z.number() }),
  ]),
  chatUser: z.object({ action: z.enum(['create', 'update']), userId: z.number(), record: Chat }),
  chatMessage: z.object({ action: z.literal('update'), message: ChatMessage }),
  chatRead: z.object({ chatId: z.number(), userId: z.number(), readId: z.number() }),
  chatTyping: z.object({ chatId: z.number(), userId: z.number(), typing: z.boolean() }),
  auth: z.object({
    action: z.literal('update'),
    reason: z.enum(sessionEndReasons),
    user: z.object({ id: z.number(), companyId: z.number() }),
  }),
}

const schemaByTopic = new Map<Topic, z.ZodType>([
  ...recordTopics.map((topic) => [topic, recordPayloadSchema(topic)] as const),
  ...Object.entries(topics).map(([name, topic]) => [topic as Topic, payloadSchemas[name as TopicName]] as const),
])
/** The schema of a topic. A topic that is not in the contract cannot be published. */
export function payloadSchemaOf(topic: Topic): z.ZodType {
  const shape = schemaByTopic.get(topic)
  if (!shape) throw new Error(`${topic.name(0)} is not a topic of the contract`)
  return shape
}
