import type { Message } from '@recado/contract/messages'
import type { Note } from '@recado/contract/tickets'
import { formatDay } from '../../../lib/format.ts'
import type { SystemLine } from './system-lines.ts'

/** The items of a thread, from top to bottom. */
export type ThreadItem =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'cut'; key: string; ended: TicketEdge; started: TicketEdge }
  | { kind: 'new'; key: string }
  | { kind: 'message'; key: string; message: Message; isSameSender: boolean }
  | { kind: 'note'; key: string; note: Note }
  | { kind: 'system'; key: string; lines: SystemLine[] }
/** `number`: the ticket number shown to users. */
type TicketEdge = { ticketId: number; number: number; at: string }

type ThreadContent = {
  messages: Message[]
  notes: Note[]
  lines: SystemLine[]
  /** The ticket of the system lines. */
  ticket: { id: number; number: number }
  /** The message below the "new" divider. */
  unread: string | null
  /** Whether there are older pages: items older than the first loaded message are not shown yet. */
  hasMore: boolean
}
/** `ticketId` and `number` are null for a message that belongs to no ticket. */
type ThreadEntry = { at: string; ticketId: number | null; number: number | null } & (
  | { kind: 'message'; message: Message }
  | { kind: 'note'; note: Note }
  | { kind: 'system'; line: SystemLine }
)

/** From this many consecutive changes on, they are folded into one row (design 7). */
const minLinesToFold = 3

export function buildThreadItems(content: ThreadContent): ThreadItem[] {
  const items: ThreadItem[] = []
  let lastDay = ''
  let last: TicketEdge | null = null
  for (const entry of sortEntries(content)) {
    const edge = toTicketEdge(entry)
    if (last && edge && last.ticketId !== edge.ticketId)
      items.push({ kind: 'cut', key: `cut-${last.ticketId}-${edge.ticketId}`, ended: last, started: edge })
    last = edge ?? last
    const today = formatDay(entry.at)
    if (today !== lastDay) items.push({ kind: 'day', key: `day-${today}`, day: today })
    lastDay = today
    if (entry.kind === 'message' && entry.message.id === content.unread) items.push({ kind: 'new', key: 'new' })
    items.push(toThreadItem(entry, items.at(-1)))
  }
  return foldSystemLines(items)
}

/** Where a ticket may end or begin; null for a note and for a message without a ticket. */
const toTicketEdge = ({ kind, ticketId, number, at }: ThreadEntry): TicketEdge | null =>
  kind === 'note' || ticketId === null || number === null ? null : { ticketId, number, at }

function toThreadItem(entry: ThreadEntry, before: ThreadItem | undefined): ThreadItem {
  if (entry.kind === 'note') return { kind: 'note', key: `note-${entry.note.id}`, note: entry.note }
  if (entry.kind === 'system') return { kind: 'system', key: `system-${entry.line.id}`, lines: [entry.line] }
  const { message } = entry
  const follows = before?.kind === 'message' && speakerKey(before.message) === speakerKey(message)
  return { kind: 'message', key: `message-${message.id}`, message, isSameSender: follows }
}

/** Identifies the sender: consecutive messages of one sender are grouped. */
export const speakerKey = ({
  fromMe,
  bot,
  user,
  contact,
}: Pick<Message, 'fromMe' | 'bot' | 'user' | 'contact'>): string =>
  fromMe ? (bot ? 'bot' : `agent-${user?.id ?? ''}`) : `contact-${contact?.name ?? ''}`

function sortEntries({ messages, notes, lines, ticket, hasMore }: ThreadContent): ThreadEntry[] {
  const first = messages[0]?.createdAt ?? ''
  const isBelow = (at: string) => !hasMore || at >= first
  const messageEntries = messages.map((message): ThreadEntry => {
    const { ticketId, ticketNumber: number, createdAt: at } = message
    return { kind: 'message', at, ticketId, number, message }
  })
  const otherEntries = [
    ...notes.map((note): ThreadEntry => {
      const { ticketId, ticketNumber: number, createdAt: at } = note
      return { kind: 'note', at, ticketId, number, note }
    }),
    ...lines.map(
      (line): ThreadEntry => ({ kind: 'system', at: line.at, ticketId: ticket.id, number: ticket.number, line }),
    ),
  ].filter((entry) => isBelow(entry.at))
  // The sort is stable: messages keep the server's order.
  return otherEntries.length === 0
    ? messageEntries
    : [...messageEntries, ...otherEntries].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function foldSystemLines(items: ThreadItem[]): ThreadItem[] {
  const result: ThreadItem[] = []
  let run: Extract<ThreadItem, { kind: 'system' }>[] = []
  const close = () => {
    const [first] = run
    if (first && run.length >= minLinesToFold) result.push({ ...first, lines: run.flatMap((one) => one.lines) })
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
