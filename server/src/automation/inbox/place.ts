import type { Step, Ticket } from '@recado/contract/tickets'
import { addErrand } from '../../desk/messages/errands.ts'
import { momentOf } from '../../desk/moment.ts'
import { atDesk } from '../../desk/tickets/at-desk.ts'
import { joinOrOpen, type Opened } from '../../desk/tickets/open.ts'
import { tellChanged } from '../../desk/tickets/tell.ts'
import { step } from '../../desk/tickets/track.ts'
import { type Resolved, resolveContact, type Who } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { LineRow } from '../../lines/line.ts'

/** Who writes. Of somebody new the line is asked for a picture. */
export async function personOf(scope: Scope, row: LineRow, who: Omit<Who, 'whatsappId'>): Promise<Resolved> {
  const person = await resolveContact(scope, { ...who, whatsappId: row.id }, atDesk)
  if (person.how === 'new') await addErrand(scope, row.id, { kind: 'picture', contactId: person.contact.id })
  return person
}

/** Where it belongs: the person's living ticket on this line, or a new one. */
export async function placeFor(scope: Scope, row: LineRow, contactId: number, isGroup: boolean): Promise<Opened> {
  const { setting } = await momentOf(scope)
  const queueId = await onlyQueue(scope, row)
  const reuseMinutes = Number(setting('autoReopenTimeout'))
  return joinOrOpen(scope, { contactId, whatsappId: row.id, isGroup, queueId, reuseMinutes })
}

/** A line with one queue has no choice to offer: its tickets wait there from the start. */
async function onlyQueue(scope: Scope, row: LineRow): Promise<number | null> {
  const queues = await scope.db
    .selectFrom('whatsappQueues')
    .select('queueId')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .limit(2)
    .execute()
  return queues.length === 1 ? (queues[0]?.queueId ?? null) : null
}

/** A ticket that is new, or came back, is news by itself. */
export function tellPlace(scope: Scope, opened: Opened, ticket: Ticket): void {
  if (opened.how !== 'joined') tellChanged(scope, opened.before ?? null, ticket)
}

export const personStep = ({ how, by, contact }: Resolved): Step => step('contact', how, { by, name: contact.name })

const whyHere = { joined: 'joined', opened: 'no-living-ticket', reused: 'closed-a-moment-ago' } as const
export const placeStep = ({ how, id, status }: Opened): Step => step('ticket', whyHere[how], { ticket: id, status })
