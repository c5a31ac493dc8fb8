import { z } from 'zod'
import { get, ref } from '../kit.ts'

export const paperFormats = ['pdf', 'html', 'text'] as const
export type PaperFormat = (typeof paperFormats)[number]

/** What leaves the house as a file: a conversation on paper. */
export const papersApi = {
  conversation: get('/tickets/:ticketId/export', {
    about:
      'The conversation of a ticket as this person sees it, as a file: `pdf`, `html` (one page with its pictures in it) or `text`. Of a very long one the newest part, which says so',
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    query: z.object({ format: z.enum(paperFormats).default('pdf') }),
    reply: z.string(),
    stream: ['application/pdf', 'text/html', 'text/plain'],
  }),
}
