import type { Message } from '@recado/contract/messages'
import type { Entry } from './queue.ts'

/** For the tests: a text on its way. */
export const entryOf = (clientId: string, ticketId = 1, more: Partial<Entry> = {}): Entry => ({
  clientId,
  ticketId,
  text: `text of ${clientId}`,
  body: `text of ${clientId}`,
  quotedMsg: null,
  file: null,
  thing: null,
  progress: null,
  phase: 'waiting',
  unsure: false,
  error: null,
  createdAt: '2026-11-15T10:00:00.000Z',
  ...more,
})

export const storedOf = ({ clientId, ticketId, body }: Entry): Message =>
  ({ id: `stored-${clientId}`, clientId, ticketId, body }) as Message
