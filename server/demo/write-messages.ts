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

/** One message with everything the desk, the phone and the journal store of it. */
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

/** All messages of all tickets, in order of time: the ids follow the clock. */
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
    const { messages: spoken, status } = ticket.story
    for (const said of spoken) {
      const wid = generateWid()
      wids.push(wid)
      const quotedWid = said.quotedOffset === null ? null : (wids.at(-1 - said.quotedOffset) ?? null)
      const senderId = said.member ? (people.get(said.member) ?? null) : null
      const seen = status === 'closed' || said !== spoken.at(-1)
      const ack = said.by === 'customer' ? 0 : said.fate === 'failed' ? 0 : seen ? 4 : 3
      const read = said.by !== 'customer' || !unread.includes(said)
      all.push({
        ticket,
        message: said,
        wid,
        quotedWid,
        senderId,
        ack,
        read,
        file: await storeDemoFile(scope, said, ++seed),
      })
    }
  }
  return all.sort((a, b) => a.message.at.getTime() - b.message.at.getTime())
}

const demoMessageBody = ({ message: said, ticket }: DemoMessage): string => {
  const { body } = messageContent(said)
  const agent = authorOfMessage(ticket.story, said)
  return said.by === 'agent' && said.kind === 'text' && agent?.signsMessages ? `*${agent.name}:*\n${body}` : body
}
const demoMessageKind = ({ message: said, file }: DemoMessage): MessageKind =>
  file?.kind ?? textKinds[said.kind as keyof typeof textKinds] ?? 'conversation'

export async function writeMessages(scope: Scope, uttered: DemoMessage[], { staff }: DemoFixtures): Promise<void> {
  const { companyId } = scope
  const rows = uttered.map((one) => {
    const { ticket, message: said, file } = one
    const ours = said.by !== 'customer'
    const reaction = said.reaction && {
      emoji: said.reaction,
      fromMe: !ours,
      name: ours ? ticket.story.customer.name : '',
      from: ours ? ticket.story.customer.number : 'desk',
    }
    return {
      ...{ companyId, ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId },
      ...{ senderId: one.senderId, wid: one.wid, clientId: null, fromMe: ours, quotedWid: one.quotedWid },
      userId: said.by === 'agent' ? (staff.get(authorOfMessage(ticket.story, said)?.name ?? '') ?? null) : null,
      ...{ body: demoMessageBody(one), mediaType: demoMessageKind(one), ack: one.ack, read: one.read },
      ...{ mediaPath: file?.desk.mediaPath ?? null, mediaName: file?.desk.mediaName ?? null },
      ...{ mediaSize: file?.size ?? null, mediaPages: file?.pages ?? null },
      ...{ mediaState: file ? ('ready' as const) : ('none' as const), mediaKey: null },
      state: !ours ? ('received' as const) : said.fate === 'failed' ? ('failed' as const) : ('sent' as const),
      error: said.fate === 'failed' ? 'no-whatsapp' : null,
      ...{ isDeleted: said.fate === 'deleted', isEdited: said.fate === 'edited' },
      bot: said.bot,
      reactions: JSON.stringify(reaction ? [reaction] : []),
      ...{ createdAt: said.at, storedAt: said.at },
    }
  })
  for (const portion of splitIntoBatches(rows)) await scope.db.insertInto('messages').values(portion).execute()
}
