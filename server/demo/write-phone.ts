import { journalled, told } from '../src/automation/inbox/steps.ts'
import { step } from '../src/desk/tickets/track.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { type Extra, jidOf } from '../src/lines/sandbox/events.ts'
import { inPortions } from './portions.ts'
import type { Uttered } from './write-messages.ts'
import { queueNameOf } from './write-tickets.ts'
import { cardOf, placeOf, written } from './written.ts'

const kinds = { text: 'text', place: 'location', card: 'contact', call: 'call', paper: 'application' } as const
const kindOf = ({ said }: Uttered): string => kinds[said.kind as keyof typeof kinds] ?? said.kind

function extraOf({ said, ticket }: Uttered): Extra {
  const { latitude, longitude } = placeOf(said.thing)
  return {
    ...(ticket.story.customer.isGroup && { group: true }),
    ...(said.kind === 'place' && { latitude, longitude }),
    ...(said.kind === 'card' && { cards: [cardOf(said.thing, said.text)] }),
  }
}

/** What the customers' own telephones show. */
export async function writePhones(scope: Scope, uttered: Uttered[]): Promise<void> {
  const rows = uttered
    .filter(({ said }) => said.fate !== 'failed')
    .map((one) => {
      const { said, ticket, file } = one
      return {
        ...{ companyId: scope.companyId, whatsappId: ticket.whatsappId, chat: ticket.story.customer.number },
        ...{ id: one.wid, fromCustomer: said.by === 'customer', author: said.member?.number ?? null },
        ...{ kind: kindOf(one), body: said.kind === 'place' ? said.thing : said.kind === 'card' ? '' : said.text },
        content: JSON.stringify(extraOf(one)),
        ...(file?.phone ?? { mediaPath: null, mediaName: null, mediaType: null }),
        ...{ quotedId: one.quotedWid, reaction: said.reaction },
        ...{ isDeleted: said.fate === 'deleted', isEdited: said.fate === 'edited' },
        ...{ ack: said.by === 'customer' ? (one.read ? 4 : 3) : one.ack, at: said.at, delivered: true },
      }
    })
  for (const portion of inPortions(rows)) await scope.db.insertInto('sandboxMessages').values(portion).execute()
}

/** What the lines told the desk, and what it decided: any ticket can be explained. */
export async function writeJournal(scope: Scope, uttered: Uttered[]): Promise<void> {
  const known = new Set<number>()
  const begun = new Set<number>()
  const rows = uttered
    .filter(({ said }) => said.by === 'customer')
    .map(({ said, ticket, wid }) => {
      const { customer, agent, status } = ticket.story
      const steps = [
        journalled,
        step('contact', known.has(ticket.contactId) ? 'known' : 'new', { by: 'phone', name: customer.name }),
        step('ticket', begun.has(ticket.id) ? 'joined' : 'no-living-ticket', {
          ticket: ticket.id,
          number: ticket.number,
          status,
        }),
        told({ user: agent && { id: 0, name: agent.name }, queue: queueIn(ticket.story), status }),
      ]
      known.add(ticket.contactId)
      begun.add(ticket.id)
      const chat = jidOf(customer.number, { group: customer.isGroup })
      const kind = said.kind === 'call' ? 'call' : 'message'
      return {
        ...{ companyId: scope.companyId, whatsappId: ticket.whatsappId, eventId: `${kind}:${wid}`, chat, kind },
        event: JSON.stringify({ kind, id: wid, chat, at: said.at.toISOString(), body: written(said).body }),
        ...{ receivedAt: said.at, processedAt: said.at, error: null, ticketId: ticket.id, waitsFor: null },
        steps: JSON.stringify(steps),
      }
    })
  for (const portion of inPortions(rows)) await scope.db.insertInto('journal').values(portion).execute()
}

const queueIn = (story: Parameters<typeof queueNameOf>[0]) => {
  const name = queueNameOf(story)
  return name === null ? null : { id: 0, name, color: '' }
}
