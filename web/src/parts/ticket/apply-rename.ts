import type { Ticket } from '@recado/contract/tickets'

type NamedRecord = { id: number; name: string }
type ColoredRecord = NamedRecord & { color: string }

/**
 * Applies a change of a referenced record to a ticket. A ticket that does not reference the record stays the same
 * object.
 */
export const applyRename = {
  contact:
    ({ id, name, number, email, profilePicUrl }: Ticket['contact']) =>
    (ticket: Ticket): Ticket =>
      ticket.contactId === id
        ? { ...ticket, contact: { ...ticket.contact, name, number, email, profilePicUrl } }
        : ticket,
  queue:
    ({ id, name, color }: ColoredRecord) =>
    (ticket: Ticket): Ticket =>
      ticket.queue?.id === id ? { ...ticket, queue: { id, name, color } } : ticket,
  line:
    ({ id, name }: NamedRecord) =>
    (ticket: Ticket): Ticket =>
      ticket.whatsapp?.id === id && ticket.whatsapp.name !== name ? { ...ticket, whatsapp: { id, name } } : ticket,
  tag:
    ({ id, name, color, kanban }: ColoredRecord & { kanban: number }) =>
    (ticket: Ticket): Ticket =>
      ticket.tags.some((tag) => tag.id === id)
        ? { ...ticket, tags: ticket.tags.map((tag) => (tag.id === id ? { id, name, color, kanban } : tag)) }
        : ticket,
  withoutTag:
    (id: number) =>
    (ticket: Ticket): Ticket =>
      ticket.tags.some((tag) => tag.id === id)
        ? { ...ticket, tags: ticket.tags.filter((tag) => tag.id !== id) }
        : ticket,
}
