import type { MessageSteps } from '@recado/contract/macros/macro-steps'
import type { Message } from '@recado/contract/messages'
import type { LocationOrCard } from '../../message/attach/location-or-card.ts'

export type OutgoingFile = { name: string; type: string; size: number; preview: string | null }

/** `waiting` for its turn or the network, `flying` while being sent, `stored` on the server but still shown, `failed`. */
export type OutboxPhase = 'waiting' | 'flying' | 'stored' | 'failed'

export type OutboxEntry = {
  clientId: string
  ticketId: number
  /** The text as the agent typed it, so that it can be restored to the composer. */
  text: string
  /** The text as sent: signed, or a file's caption. */
  body: string
  quotedMsg: Message['quotedMsg']
  file: OutgoingFile | null
  thing: LocationOrCard | null
  /** For how many seconds the message can be taken back once the server has it. */
  undoSeconds: number
  /** Steps of a macro, which the server runs once the message is sent. */
  macro?: MessageSteps | undefined
  progress: number | null
  phase: OutboxPhase
  /**
   * Whether an attempt got no response, so that the server may have the message. A retry is recognized as the same
   * message; retyped text is not.
   */
  unsure: boolean
  error: unknown
  createdAt: string
}

export type OutboxAction =
  | { do: 'add'; entries: OutboxEntry[] }
  | { do: 'fly'; clientId: string }
  | { do: 'progress'; clientId: string; share: number }
  | { do: 'stored'; clientId: string }
  /** Waits after a network failure: unlike a refused message, the message keeps its position. */
  | { do: 'wait'; clientId: string; error: unknown }
  | { do: 'fail'; clientId: string; error: unknown }
  | { do: 'retry'; clientId: string; at: string }
  | { do: 'drop'; clientId: string }

/** Computes the next state of the queue. It is pure: nothing here sends, stores or renders. */
export function reduceOutbox(queue: OutboxEntry[], action: OutboxAction): OutboxEntry[] {
  switch (action.do) {
    case 'add': {
      const known = new Set(queue.map(({ clientId }) => clientId))
      const fresh = action.entries.filter(({ clientId }) => !known.has(clientId) && known.add(clientId))
      return fresh.length > 0 ? [...queue, ...fresh] : queue
    }
    case 'fly':
      return updateEntry(queue, action.clientId, ['waiting'], (entry) => ({
        phase: 'flying',
        error: null,
        progress: entry.file ? 0 : null,
      }))
    case 'progress':
      return updateEntry(queue, action.clientId, ['flying'], () => ({ progress: action.share }))
    case 'stored':
      return updateEntry(queue, action.clientId, ['waiting', 'flying', 'failed'], () => ({
        phase: 'stored',
        progress: null,
        error: null,
      }))
    case 'wait':
      return updateEntry(queue, action.clientId, ['flying'], () => ({
        phase: 'waiting',
        progress: null,
        unsure: true,
        error: action.error,
      }))
    case 'fail':
      return updateEntry(queue, action.clientId, ['flying'], () => ({
        phase: 'failed',
        progress: null,
        unsure: false,
        error: action.error,
      }))
    case 'retry':
      return requeueFailed(queue, action.clientId, action.at)
    case 'drop':
      return queue.some(({ clientId }) => clientId === action.clientId)
        ? queue.filter(({ clientId }) => clientId !== action.clientId)
        : queue
  }
}

function updateEntry(
  queue: OutboxEntry[],
  clientId: string,
  from: OutboxPhase[],
  change: (entry: OutboxEntry) => Partial<OutboxEntry>,
): OutboxEntry[] {
  const at = queue.findIndex((entry) => entry.clientId === clientId && from.includes(entry.phase))
  const entry = queue[at]
  return entry ? queue.with(at, { ...entry, ...change(entry) }) : queue
}

/**
 * Puts a retried message at the end, where it will be when stored, because other messages were sent in the meantime.
 */
function requeueFailed(queue: OutboxEntry[], clientId: string, at: string): OutboxEntry[] {
  const entry = queue.find((one) => one.clientId === clientId && one.phase === 'failed')
  if (!entry) return queue
  const others = queue.filter((one) => one !== entry)
  return [...others, { ...entry, phase: 'waiting', error: null, createdAt: at }]
}

/** The messages to send now: the first waiting message of each ticket that has no message in flight. */
export function entriesReadyToSend(queue: OutboxEntry[]): OutboxEntry[] {
  const busy = new Set(queue.filter(({ phase }) => phase === 'flying').map(({ ticketId }) => ticketId))
  const leaving: OutboxEntry[] = []
  for (const entry of queue) {
    if (entry.phase !== 'waiting' || busy.has(entry.ticketId)) continue
    busy.add(entry.ticketId)
    leaving.push(entry)
  }
  return leaving
}

/** Whether the text may return to the composer: only if the customer certainly cannot get it twice. */
export const canReturnToComposer = ({ phase, unsure }: OutboxEntry): boolean =>
  phase === 'failed' || (phase === 'waiting' && !unsure)
