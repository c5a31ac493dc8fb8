import { z } from 'zod'
import { Announcement } from './announcements.ts'
import { Company } from './companies.ts'
import { Connection, LineSession } from './connections.ts'
import { Contact } from './contacts.ts'
import { FileList } from './files.ts'
import { Help } from './helps.ts'
import { Holiday } from './hours.ts'
import { endReasons, type RecordTopic, type TopicName, type Topics, topics } from './live.ts'
import { Message } from './messages.ts'
import { Plan } from './plans.ts'
import { Queue } from './queues.ts'
import { QuickMessage } from './quick-messages.ts'
import { Setting } from './settings.ts'
import { Tag } from './tags.ts'
import { Note, Ticket } from './tickets.ts'
import { SessionUser } from './users.ts'

/** The row of every record topic. */
export const rowShapes = {
  user: SessionUser,
  contact: Contact,
  tag: Tag,
  quickMessage: QuickMessage,
  fileList: FileList,
  announcement: Announcement,
  help: Help,
  plan: Plan,
  company: Company,
  queue: Queue,
  connection: Connection,
} satisfies { [K in TopicName as Topics[K] extends RecordTopic ? K : never]: z.ZodType }

const record = (name: keyof typeof rowShapes) =>
  z.union([
    z.object({ action: z.enum(['create', 'update']), [topics[name].one]: rowShapes[name] }),
    z.object({ action: z.literal('delete'), [topics[name].gone]: z.number() }),
  ])

/** What may leave under each name. The server passes everything it says through it: what is not in here stays. */
export const shapes: Record<TopicName, z.ZodType> = {
  user: record('user'),
  contact: record('contact'),
  tag: record('tag'),
  quickMessage: record('quickMessage'),
  fileList: record('fileList'),
  announcement: record('announcement'),
  help: record('help'),
  plan: record('plan'),
  company: record('company'),
  queue: record('queue'),
  connection: record('connection'),
  lineSession: z.object({ action: z.literal('update'), session: LineSession }),
  sandbox: z.object({ action: z.literal('update'), whatsappId: z.number(), chat: z.string() }),
  setting: z.object({ action: z.literal('update'), setting: Setting }),
  holidays: z.object({ action: z.literal('update'), holidays: z.array(Holiday) }),
  ownCompany: z.object({ action: z.literal('update'), company: z.object({ id: z.number() }) }),
  ticket: z.union([
    z.object({ action: z.enum(['create', 'update']), ticket: Ticket }),
    z.object({ action: z.enum(['delete', 'updateUnread']), ticketId: z.number() }),
  ]),
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
  typing: z.object({ ticketId: z.number(), typing: z.boolean() }),
  watching: z.object({
    ticketId: z.number(),
    people: z.array(z.object({ id: z.number(), name: z.string(), typing: z.boolean() })),
  }),
  auth: z.object({
    action: z.literal('update'),
    reason: z.enum(endReasons),
    user: z.object({ id: z.number(), email: z.string(), companyId: z.number() }),
  }),
}

const names = new Map<object, TopicName>(Object.entries(topics).map(([name, topic]) => [topic, name as TopicName]))
export const shapeOf = (topic: object): z.ZodType => shapes[names.get(topic) as TopicName]
