import { journalledStep, publishedStep } from '../src/automation/inbox/steps.ts'
import { makeStep } from '../src/desk/tickets/base/tracking.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { type SandboxExtra, toSandboxJid } from '../src/lines/sandbox/events.ts'
import { splitIntoBatches } from './batches.ts'
import { makeContactCard, makeLocation, messageContent } from './message-content.ts'
import type { DemoMessage } from './write-messages.ts'
import { queueNameOfStory } from './write-tickets.ts'

const phoneKinds = { text: 'text', place: 'location', card: 'contact', call: 'call', paper: 'application' } as const
const phoneKindOf = ({ message: said }: DemoMessage): string =>
  phoneKinds[said.kind as keyof typeof phoneKinds] ?? said.kind

function phoneExtra({ message: said, ticket }: DemoMessage): SandboxExtra {
  const { latitude, longitude } = makeLocation(said.attachment)
  return {
    ...(ticket.story.customer.isGroup && { group: true }),
    ...(said.kind === 'place' && { latitude, longitude }),
    ...(said.kind === 'card' && { cards: [makeContactCard(said.attachment, said.text)] }),
  }
}

/** What the customers' own phones show. */
export async function writeSandboxPhones(scope: Scope, uttered: DemoMessage[]): Promise<void> {
  const rows = uttered
    .filter(({ message: said }) => said.fate !== 'failed')
    .map((one) => {
      const { message: said, ticket, file } = one
      return {
        ...{ companyId: scope.companyId, whatsappId: ticket.whatsappId, chat: ticket.story.customer.number },
        ...{ id: one.wid, fromCustomer: said.by === 'customer', author: said.member?.number ?? null },
        ...{
          kind: phoneKindOf(one),
          body: said.kind === 'place' ? said.attachment : said.kind === 'card' ? '' : said.text,
        },
        content: JSON.stringify(phoneExtra(one)),
        ...(file?.phone ?? { mediaPath: null, mediaName: null, mediaType: null }),
        ...{ quotedId: one.quotedWid, reaction: said.reaction },
        ...{ isDeleted: said.fate === 'deleted', isEdited: said.fate === 'edited' },
        ...{ ack: said.by === 'customer' ? (one.read ? 4 : 3) : one.ack, at: said.at, delivered: true },
      }
    })
  for (const portion of splitIntoBatches(rows)) await scope.db.insertInto('sandboxMessages').values(portion).execute()
}

/** The lines' events and the decisions on them, so that any ticket can be explained. */
export async function writeDemoJournal(scope: Scope, uttered: DemoMessage[]): Promise<void> {
  const known = new Set<number>()
  const begun = new Set<number>()
  const rows = uttered
    .filter(({ message: said }) => said.by === 'customer')
    .map(({ message: said, ticket, wid }) => {
      const { customer, agent, status } = ticket.story
      const steps = [
        journalledStep,
        makeStep('contact', known.has(ticket.contactId) ? 'known' : 'new', { by: 'phone', name: customer.name }),
        makeStep('ticket', begun.has(ticket.id) ? 'joined' : 'no-living-ticket', {
          ticket: ticket.id,
          number: ticket.number,
          status,
        }),
        publishedStep({ user: agent && { id: 0, name: agent.name }, queue: queueOfStory(ticket.story), status }),
      ]
      known.add(ticket.contactId)
      begun.add(ticket.id)
      const chat = toSandboxJid(customer.number, { group: customer.isGroup })
      const kind = said.kind === 'call' ? 'call' : 'message'
      return {
        ...{ companyId: scope.companyId, whatsappId: ticket.whatsappId, eventId: `${kind}:${wid}`, chat, kind },
        event: JSON.stringify({ kind, id: wid, chat, at: said.at.toISOString(), body: messageContent(said).body }),
        ...{ receivedAt: said.at, processedAt: said.at, error: null, ticketId: ticket.id, waitsFor: null },
        steps: JSON.stringify(steps),
      }
    })
  for (const portion of splitIntoBatches(rows)) await scope.db.insertInto('journal').values(portion).execute()
}

const queueOfStory = (story: Parameters<typeof queueNameOfStory>[0]) => {
  const name = queueNameOfStory(story)
  return name === null ? null : { id: 0, name, color: '' }
}
