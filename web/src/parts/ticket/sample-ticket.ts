import type { Ticket } from '@recado/contract/tickets'
import type { TicketFilter, TicketViewer } from './ticket-filter.ts'

/** Test sample: a ticket with only the given fields set. */
export const sampleTicket = (given: Partial<Ticket> & { id: number }): Ticket => ({
  number: given.id,
  code: String(given.id),
  uuid: `uuid-${given.id}`,
  status: 'pending',
  lastMessage: 'Hola',
  last: null,
  heard: null,
  waitingSince: null,
  unreadMessages: 0,
  isGroup: false,
  chatbot: false,
  companyId: 1,
  userId: null,
  user: null,
  contactId: given.id,
  contact: { id: given.id, name: `Contact ${given.id}`, number: `55110000${given.id}`, email: '', profilePicUrl: null },
  queueId: null,
  queue: null,
  whatsappId: 1,
  whatsapp: { id: 1, name: 'Tienda' },
  tags: [],
  laneId: null,
  useIntegration: false,
  promptId: null,
  integrationId: null,
  windowEndsAt: null,
  goals: [],
  createdAt: '2026-11-15T10:00:00.000Z',
  updatedAt: '2026-11-15T10:00:00.000Z',
  ...given,
})

export const sampleTicketFilter = (given: Partial<TicketFilter> = {}): TicketFilter => ({
  status: 'pending',
  showAll: true,
  queueIds: null,
  order: 'newest',
  search: '',
  tags: [],
  users: [],
  ...given,
})

export const sampleViewer = (given: Partial<TicketViewer> = {}): TicketViewer => ({
  id: 1,
  profile: 'admin',
  allTicket: 'desabled',
  queues: [],
  ...given,
})
