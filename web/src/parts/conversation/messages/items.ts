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
type Edge = { ticketId: number; at: string }

type Given = {
  messages: Message[]
  notes: Note[]
  lines: SystemLine[]
  /** The ticket that the system lines are of. */
  ticketId: number
  /** The line "new" stands above this message. */
  unread: string | null
  /** There is more above: what is older than the first message waits for its neighbours. */
  hasMore: boolean
}
type Entry = { at: string; ticketId: number } & (
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
    if (entry.kind !== 'note') {
      if (last && last.ticketId !== entry.ticketId) {
        const started = { ticketId: entry.ticketId, at: entry.at }
        items.push({ kind: 'cut', key: `cut-${last.ticketId}-${entry.ticketId}`, ended: last, started })
      }
      last = { ticketId: entry.ticketId, at: entry.at }
    }
    const today = day(entry.at)
    if (today !== lastDay) items.push({ kind: 'day', key: `day-${today}`, day: today })
    lastDay = today
    if (entry.kind === 'message' && entry.message.id === given.unread) items.push({ kind: 'new', key: 'new' })
    items.push(itemOf(entry, items.at(-1)))
  }
  return folded(items)
}

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

function entriesOf({ messages, notes, lines, ticketId, hasMore }: Given): Entry[] {
  const first = messages[0]?.createdAt ?? ''
  const isBelow = (at: string) => !hasMore || at >= first
  const said = messages.map((message): Entry => {
    return { kind: 'message', at: message.createdAt, ticketId: message.ticketId, message }
  })
  const around = [
    ...notes.map((note): Entry => ({ kind: 'note', at: note.createdAt, ticketId: note.ticketId, note })),
    ...lines.map((line): Entry => ({ kind: 'system', at: line.at, ticketId, line })),
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
