import type { Message } from '@recado/contract/messages'
import type { Note } from '@recado/contract/tickets'
import { day } from '../../../lib/format.ts'
import type { SystemLine } from './system-lines.ts'

/** What stands in a thread, from top to bottom. */
export type Item =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'cut'; key: string; ended: Edge; started: Edge }
  | { kind: 'new'; key: string }
  | { kind: 'message'; key: string; message: Message; follows: boolean }
  | { kind: 'note'; key: string; note: Note }
  | { kind: 'system'; key: string; lines: SystemLine[] }
/** `number`: what people call that ticket. */
type Edge = { ticketId: number; number: number; at: string }

type Given = {
  messages: Message[]
  notes: Note[]
  lines: SystemLine[]
  /** The ticket that the system lines are of. */
  ticket: { id: number; number: number }
  /** The line "new" stands above this message. */
  unread: string | null
  /** There is more above: what is older than the first message waits for its neighbours. */
  hasMore: boolean
}
/** `number` is null where the ticket is: it was said in none. */
type Entry = { at: string; ticketId: number | null; number: number | null } & (
  | { kind: 'message'; message: Message }
  | { kind: 'note'; note: Note }
  | { kind: 'system'; line: SystemLine }
)

/** Changes that follow one another are one line from here on (design 7). */
const foldFrom = 3

export function itemsOf(given: Given): Item[] {
  const items: Item[] = []
  let lastDay = ''
  let last: Edge | null = null
  for (const entry of entriesOf(given)) {
    const edge = edgeOf(entry)
    if (last && edge && last.ticketId !== edge.ticketId)
      items.push({ kind: 'cut', key: `cut-${last.ticketId}-${edge.ticketId}`, ended: last, started: edge })
    last = edge ?? last
    const today = day(entry.at)
    if (today !== lastDay) items.push({ kind: 'day', key: `day-${today}`, day: today })
    lastDay = today
    if (entry.kind === 'message' && entry.message.id === given.unread) items.push({ kind: 'new', key: 'new' })
    items.push(itemOf(entry, items.at(-1)))
  }
  return folded(items)
}

/** Where a ticket may end or begin: not at a note, nor at what was said in none. */
const edgeOf = ({ kind, ticketId, number, at }: Entry): Edge | null =>
  kind === 'note' || ticketId === null || number === null ? null : { ticketId, number, at }

function itemOf(entry: Entry, before: Item | undefined): Item {
  if (entry.kind === 'note') return { kind: 'note', key: `note-${entry.note.id}`, note: entry.note }
  if (entry.kind === 'system') return { kind: 'system', key: `system-${entry.line.id}`, lines: [entry.line] }
  const { message } = entry
  const follows = before?.kind === 'message' && speaker(before.message) === speaker(message)
  return { kind: 'message', key: `message-${message.id}`, message, follows }
}

/** Two messages in a row of one speaker stand together. */
export const speaker = ({
  fromMe,
  bot,
  user,
  contact,
}: Pick<Message, 'fromMe' | 'bot' | 'user' | 'contact'>): string =>
  fromMe ? (bot ? 'bot' : `agent-${user?.id ?? ''}`) : `contact-${contact?.name ?? ''}`

function entriesOf({ messages, notes, lines, ticket, hasMore }: Given): Entry[] {
  const first = messages[0]?.createdAt ?? ''
  const isBelow = (at: string) => !hasMore || at >= first
  const said = messages.map((message): Entry => {
    const { ticketId, ticketNumber: number, createdAt: at } = message
    return { kind: 'message', at, ticketId, number, message }
  })
  const around = [
    ...notes.map((note): Entry => {
      const { ticketId, ticketNumber: number, createdAt: at } = note
      return { kind: 'note', at, ticketId, number, note }
    }),
    ...lines.map((line): Entry => ({ kind: 'system', at: line.at, ticketId: ticket.id, number: ticket.number, line })),
  ].filter((entry) => isBelow(entry.at))
  // A stable sort: messages keep the server's order among themselves.
  return around.length === 0 ? said : [...said, ...around].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function folded(items: Item[]): Item[] {
  const result: Item[] = []
  let run: Extract<Item, { kind: 'system' }>[] = []
  const close = () => {
    const [first] = run
    if (first && run.length >= foldFrom) result.push({ ...first, lines: run.flatMap((one) => one.lines) })
    else result.push(...run)
    run = []
  }
  for (const item of items) {
    if (item.kind === 'system') {
      run.push(item)
      continue
    }
    close()
    result.push(item)
  }
  close()
  return result
}
