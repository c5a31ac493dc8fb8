import type { Message } from '@recado/contract/messages'
import { seesAll } from '@recado/contract/sight'
import type { Scope } from '../../kernel/data/scope.ts'
import { allViewers, asker, maySee, roomsOfViewer, type Seen, type Viewer } from '../tickets/visibility.ts'
import type { Shown } from './view.ts'

type Telling = { message: Message; to: { rooms: string[]; except?: string[] } }

/**
 * To whom a message is told, and how: a customer may quote what was said in a ticket of another queue, and its words are
 * for who reads that ticket. Everybody else hears the message without them.
 */
export async function tellingsOf(scope: Scope, all: { message: Shown; rooms: string[] }[]): Promise<Telling[]> {
  const quoted = await quotedTickets(
    scope,
    all.map(({ message }) => message),
  )
  if (!quoted.size) return all.map(({ message, rooms }) => ({ message, to: { rooms } }))
  const viewers = await allViewers(scope)
  return all.flatMap(({ message, rooms }): Telling[] => {
    const ticket = quotedElsewhere(message) && quoted.get(message.quotedMsg?.ticketId ?? 0)
    if (!ticket || isForAll(ticket)) return [{ message, to: { rooms } }]
    const readers = viewers.filter((one) => maySee(one, ticket) && hears(one, rooms)).map(({ id }) => `user-${id}`)
    return [
      ...(readers.length ? [{ message, to: { rooms: readers } }] : []),
      { message: withoutQuote(message), to: { rooms, except: readers } },
    ]
  })
}

/** The same for who acts, as a reply. */
export async function forReader(scope: Scope, messages: Shown[]): Promise<Message[]> {
  const quoted = await quotedTickets(scope, messages)
  const viewer = scope.person && asker(scope)
  return messages.map((message) => {
    const ticket = quotedElsewhere(message) && quoted.get(message.quotedMsg?.ticketId ?? 0)
    return !ticket || isForAll(ticket) || (viewer && maySee(viewer, ticket)) ? message : withoutQuote(message)
  })
}

/** What was said in the same ticket, or in none, is read by all who read the message. */
const quotedElsewhere = ({ ticketId, quotedMsg }: Shown): boolean =>
  quotedMsg !== null && quotedMsg.ticketId !== null && quotedMsg.ticketId !== ticketId
const withoutQuote = (message: Shown): Message => ({ ...message, quotedMsg: null })
/** As `readsSql` has it. */
const isForAll = ({ queueId, status }: Seen): boolean => queueId === null && status === 'closed'

function hears(viewer: Viewer, rooms: string[]): boolean {
  const ofAll = seesAll(viewer) ? [`company-${viewer.companyId}-admin`] : []
  return [`user-${viewer.id}`, ...ofAll, ...roomsOfViewer(viewer)].some((seat) => rooms.includes(seat))
}

async function quotedTickets(scope: Scope, messages: Shown[]): Promise<Map<number, Seen>> {
  const ids = [...new Set(messages.filter(quotedElsewhere).map(({ quotedMsg }) => quotedMsg?.ticketId ?? 0))]
  if (!ids.length) return new Map()
  const rows = await scope.db
    .selectFrom('tickets')
    .select(['id', 'companyId', 'userId', 'queueId', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
