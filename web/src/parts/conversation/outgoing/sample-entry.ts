import type { Message } from '@recado/contract/messages'
import type { OutboxEntry } from './outbox-queue.ts'

/** A test sample: a text message being sent. */
export const sampleEntry = (clientId: string, ticketId = 1, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  clientId,
  ticketId,
  text: `text of ${clientId}`,
  body: `text of ${clientId}`,
  quotedMsg: null,
  file: null,
  thing: null,
  undoSeconds: 0,
  progress: null,
  phase: 'waiting',
  unsure: false,
  error: null,
  createdAt: '2026-11-15T10:00:00.000Z',
  ...more,
})

export const sampleStoredMessage = ({ clientId, ticketId, body }: OutboxEntry): Message =>
  ({ id: `stored-${clientId}`, clientId, ticketId, body }) as Message
