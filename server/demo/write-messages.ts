import type { MessageKind } from '@recado/contract/messages'
import { generateWid } from '../src/desk/messages/store.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { splitIntoBatches } from './batches.ts'
import type { DemoCustomer } from './customers.ts'
import type { DemoFixtures } from './fixtures.ts'
import { type StoredDemoFile, storeDemoFile } from './media/store-file.ts'
import { messageContent } from './message-content.ts'
import { authorOfMessage } from './segments.ts'
import type { StoryMessage } from './story.ts'
import { type DemoTicket, unreadMessages } from './write-tickets.ts'

const textKinds = { text: 'conversation', place: 'locationMessage', card: 'contactMessage', call: 'call_log' } as const

/** A message with everything that the desk, the phone and the journal store about it. */
export type DemoMessage = {
  ticket: DemoTicket
  message: StoryMessage
  wid: string
  quotedWid: string | null
  senderId: number | null
  ack: number
  read: boolean
  file: StoredDemoFile | null
}

/** All messages of all tickets in order of time, so that the ids are in order of time too. */
export async function makeDemoMessages(
  scope: Scope,
  tickets: DemoTicket[],
  people: Map<DemoCustomer, number>,
): Promise<DemoMessage[]> {
  const all: DemoMessage[] = []
  let seed = 0
  for (const ticket of tickets) {
    const unread = unreadMessages(ticket.story)
    const wids: string[] = []
    const { messages, status } = ticket.story
    for (const message of messages) {
      const wid = generateWid()
      wids.push(wid)
      const quotedWid = message.quotedOffset === null ? null : (wids.at(-1 - message.quotedOffset) ?? null)
      const senderId = message.member ? (people.get(message.member) ?? null) : null
      const seen = status === 'closed' || message !== messages.at(-1)
      const ack = message.by === 'customer' ? 0 : message.fate === 'failed' ? 0 : seen ? 4 : 3
      const read = message.by !== 'customer' || !unread.includes(message)
      all.push({
        ticket,
        message: message,
        wid,
        quotedWid,
        senderId,
        ack,
        read,
        file: await storeDemoFile(scope, message, ++seed),
      })
    }
  }
  return all.sort((a, b) => a.message.at.getTime() - b.message.at.getTime())
}

const demoMessageBody = ({ message, ticket }: DemoMessage): string => {
  const { body } = messageContent(message)
  const agent = authorOfMessage(ticket.story, message)
  return message.by === 'agent' && message.kind === 'text' && agent?.signsMessages ? `*${agent.name}:*\n${body}` : body
}
const demoMessageKind = ({ message, file }: DemoMessage): MessageKind =>
  file?.kind ?? textKinds[message.kind as keyof typeof textKinds] ?? 'conversation'

export async function writeMessages(scope: Scope, messages: DemoMessage[], { staff }: DemoFixtures): Promise<void> {
  const { companyId } = scope
  const rows = messages.map((one) => {
    const { ticket, message, file } = one
    const ours = message.by !== 'customer'
    const reaction = message.reaction && {
      emoji: message.reaction,
      fromMe: !ours,
      name: ours ? ticket.story.customer.name : '',
      from: ours ? ticket.story.customer.number : 'desk',
    }
    return {
      ...{ companyId, ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId },
      ...{ senderId: one.senderId, wid: one.wid, clientId: null, fromMe: ours, quotedWid: one.quotedWid },
      userId: message.by === 'agent' ? (staff.get(authorOfMessage(ticket.story, message)?.name ?? '') ?? null) : null,
      ...{ body: demoMessageBody(one), mediaType: demoMessageKind(one), ack: one.ack, read: one.read },
      ...{ mediaPath: file?.desk.mediaPath ?? null, mediaName: file?.desk.mediaName ?? null },
      ...{ mediaSize: file?.size ?? null, mediaPages: file?.pages ?? null },
      ...{ mediaState: file ? ('ready' as const) : ('none' as const), mediaKey: null },
      state: !ours ? ('received' as const) : message.fate === 'failed' ? ('failed' as const) : ('sent' as const),
      error: message.fate === 'failed' ? 'no-whatsapp' : null,
      ...{ isDeleted: message.fate === 'deleted', isEdited: message.fate === 'edited' },
      bot: message.bot,
      reactions: JSON.stringify(reaction ? [reaction] : []),
      ...{ createdAt: message.at, storedAt: message.at },
    }
  })
  for (const batch of splitIntoBatches(rows)) await scope.db.insertInto('messages').values(batch).execute()
}
