import { journalledStep, publishedStep } from '../src/automation/inbox/steps.ts'
import { makeStep } from '../src/desk/tickets/base/tracking.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { type SandboxExtra, toSandboxJid } from '../src/lines/sandbox/events.ts'
import { splitIntoBatches } from './batches.ts'
import { makeContactCard, makeLocation, messageContent } from './message-content.ts'
import type { DemoMessage } from './write-messages.ts'
import { queueNameOfStory } from './write-tickets.ts'

const phoneKinds = { text: 'text', place: 'location', card: 'contact', call: 'call', paper: 'application' } as const
const phoneKindOf = ({ message }: DemoMessage): string =>
  phoneKinds[message.kind as keyof typeof phoneKinds] ?? message.kind

function phoneExtra({ message, ticket }: DemoMessage): SandboxExtra {
  const { latitude, longitude } = makeLocation(message.attachment)
  return {
    ...(ticket.story.customer.isGroup && { group: true }),
    ...(message.kind === 'place' && { latitude, longitude }),
    ...(message.kind === 'card' && { cards: [makeContactCard(message.attachment, message.text)] }),
  }
}

/** Writes what the customers' phones show. */
export async function writeSandboxPhones(scope: Scope, uttered: DemoMessage[]): Promise<void> {
  const rows = uttered
    .filter(({ message }) => message.fate !== 'failed')
    .map((one) => {
      const { message, ticket, file } = one
      return {
        ...{ companyId: scope.companyId, whatsappId: ticket.whatsappId, chat: ticket.story.customer.number },
        ...{ id: one.wid, fromCustomer: message.by === 'customer', author: message.member?.number ?? null },
        ...{
          kind: phoneKindOf(one),
          body: message.kind === 'place' ? message.attachment : message.kind === 'card' ? '' : message.text,
        },
        content: JSON.stringify(phoneExtra(one)),
        ...(file?.phone ?? { mediaPath: null, mediaName: null, mediaType: null }),
        ...{ quotedId: one.quotedWid, reaction: message.reaction },
        ...{ isDeleted: message.fate === 'deleted', isEdited: message.fate === 'edited' },
        ...{ ack: message.by === 'customer' ? (one.read ? 4 : 3) : one.ack, at: message.at, delivered: true },
      }
    })
  for (const batch of splitIntoBatches(rows)) await scope.db.insertInto('sandboxMessages').values(batch).execute()
}

/** Writes the lines' events and the decisions on them, so that the journal can explain any ticket. */
export async function writeDemoJournal(scope: Scope, uttered: DemoMessage[]): Promise<void> {
  const known = new Set<number>()
  const begun = new Set<number>()
  const rows = uttered
    .filter(({ message }) => message.by === 'customer')
    .map(({ message, ticket, wid }) => {
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
      const kind = message.kind === 'call' ? 'call' : 'message'
      return {
        ...{ companyId: scope.companyId, whatsappId: ticket.whatsappId, eventId: `${kind}:${wid}`, chat, kind },
        event: JSON.stringify({
          kind,
          id: wid,
          chat,
          at: message.at.toISOString(),
          body: messageContent(message).body,
        }),
        ...{ receivedAt: message.at, processedAt: message.at, error: null, ticketId: ticket.id, waitsFor: null },
        steps: JSON.stringify(steps),
      }
    })
  for (const batch of splitIntoBatches(rows)) await scope.db.insertInto('journal').values(batch).execute()
}

const queueOfStory = (story: Parameters<typeof queueNameOfStory>[0]) => {
  const name = queueNameOfStory(story)
  return name === null ? null : { id: 0, name, color: '' }
}
