import type { Message } from '@recado/contract/messages'

/** A message for tests: the `id`-th second of a morning. */
export const sampleMessage = (id: number, more: Partial<Message> = {}): Message => ({
  id: String(id),
  ticketId: 1,
  ticketNumber: 1,
  clientId: null,
  body: `m${id}`,
  fromMe: false,
  read: true,
  ack: 0,
  mediaType: 'conversation',
  mediaUrl: null,
  mediaName: null,
  mediaSize: null,
  mediaPages: null,
  mediaState: 'none',
  error: null,
  isDeleted: false,
  isEdited: false,
  bot: null,
  user: null,
  reactions: [],
  contact: { name: 'Lucía' },
  quotedMsg: null,
  createdAt: new Date(Date.UTC(2026, 10, 15, 13, 0, id)).toISOString(),
  ...more,
})
