import { z } from 'zod'
import { get, isoDateTime, post, ref } from '../endpoint.ts'

export const conversationExportFormats = ['pdf', 'html', 'text'] as const
export type ConversationExportFormat = (typeof conversationExportFormats)[number]

/** File exports: a conversation as a document. */
export const exportsApi = {
  conversation: get('/tickets/:ticketId/export', {
    about:
      'Export the conversation of a ticket, as the caller sees it: `pdf`, `html` (one page with its pictures embedded) or `text`. A very long one is cut to its newest part, and the file says so',
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    query: z.object({ format: z.enum(conversationExportFormats).default('pdf') }),
    reply: z.string(),
    stream: ['application/pdf', 'text/html', 'text/plain'],
  }),
}

/** How much data is stored about a contact. */
export const ContactDataSummary = z.object({
  tickets: z.number(),
  messages: z.number(),
  files: z.number(),
  notes: z.number(),
  schedules: z.number(),
  /** Campaign messages, sent or pending. */
  campaigns: z.number(),
  lists: z.number(),
})
export type ContactDataSummary = z.infer<typeof ContactDataSummary>

export const ContactErasure = z.object({
  id: z.number(),
  contactId: z.number(),
  state: z.enum(['running', 'done']),
  /** The number of messages, and how many of them are deleted so far. */
  total: z.number(),
  done: z.number(),
  createdAt: isoDateTime,
  endedAt: isoDateTime.nullable(),
})
export type ContactErasure = z.infer<typeof ContactErasure>

const access = 'contacts-page:erase'
const params = z.object({ id: ref('contact') })

/** Privacy rights: a copy of all data of a person, and its erasure. */
export const contactErasureApi = {
  holdings: get('/contacts/:id/holdings', {
    about: 'How much data is stored about a person',
    access,
    params,
    reply: ContactDataSummary,
  }),
  take: get('/contacts/:id/export', {
    about:
      'Export all data of a person as a zip: JSON lines for each table, and their files. The audit records who exported it',
    access,
    params,
    reply: z.string(),
    stream: ['application/zip'],
  }),
  erase: post('/contacts/:id/erase', {
    about:
      'Erase a person: card, tickets, messages, files and every trace in lists, campaigns and journals. The audit keeps who erased which id; campaigns keep a mark of the phone number. Long histories take a while: `GET /contacts/erasures/{id}` returns the progress',
    access,
    params,
    reply: ContactErasure,
  }),
  erasure: get('/contacts/erasures/:id', {
    about: 'The progress of an erasure',
    access,
    params: z.object({ id: ref('contactErasure') }),
    reply: ContactErasure,
  }),
}
