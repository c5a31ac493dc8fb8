import type { Ticket } from '@recado/contract/tickets'
import type { TicketFilter, TicketViewer } from './ticket-filter.ts'

/** Test sample: a ticket with only the given fields set. */
export const sampleTicket = (fields: Partial<Ticket> & { id: number }): Ticket => ({
  number: fields.id,
  code: String(fields.id),
  uuid: `uuid-${fields.id}`,
  status: 'pending',
  priority: 'normal',
  lastMessage: 'Hola',
  last: null,
  heard: null,
  waitingSince: null,
  snooze: null,
  returned: null,
  closingReason: null,
  unreadMessages: 0,
  isGroup: false,
  chatbot: false,
  companyId: 1,
  userId: null,
  user: null,
  contactId: fields.id,
  contact: {
    id: fields.id,
    name: `Contact ${fields.id}`,
    number: `55110000${fields.id}`,
    email: '',
    profilePicUrl: null,
    ownerId: null,
  },
  queueId: null,
  queue: null,
  whatsappId: 1,
  whatsapp: { id: 1, name: 'Tienda' },
  tags: [],
  laneId: null,
  adId: null,
  useIntegration: false,
  promptId: null,
  integrationId: null,
  windowEndsAt: null,
  goals: [],
  createdAt: '2026-11-15T10:00:00.000Z',
  updatedAt: '2026-11-15T10:00:00.000Z',
  ...fields,
})

export const sampleTicketFilter = (fields: Partial<TicketFilter> = {}): TicketFilter => ({
  status: 'pending',
  showAll: true,
  snoozed: null,
  queueIds: null,
  order: 'newest',
  search: '',
  tags: [],
  users: [],
  ads: [],
  ...fields,
})

export const sampleViewer = (fields: Partial<TicketViewer> = {}): TicketViewer => ({
  id: 1,
  profile: 'admin',
  allTicket: 'desabled',
  queues: [],
  ...fields,
})
