import { z } from 'zod'
import { bodyLimitBytes, get, idParams, isoDateTime, put } from '../endpoint.ts'

/** What a draft will become. */
export const draftModes = ['reply', 'note'] as const
/** How many drafts the server stores per user; the oldest above it are deleted. */
export const maxDraftsPerUser = 200

export const Draft = z.object({
  ticketId: z.number(),
  mode: z.enum(draftModes),
  /** Empty: the draft was sent or deleted. Devices that were offline learn it from this. */
  body: z.string(),
  updatedAt: isoDateTime,
})
export type Draft = z.infer<typeof Draft>

export const draftsApi = {
  list: get('/drafts', {
    about: "The caller's drafts of replies and notes, also those that were sent or deleted recently, which are empty",
    access: 'session',
    reply: z.object({ drafts: z.array(Draft) }),
  }),
  write: put('/tickets/:id/draft', {
    about:
      'Store what the caller has typed in a ticket and not sent; empty deletes it. The newest text wins, and is returned',
    bytes: bodyLimitBytes.longText,
    access: 'session',
    params: idParams('ticket'),
    body: z.object({
      mode: z.enum(draftModes).default('reply'),
      // Not trimmed: the space before the next word belongs to what is being typed.
      body: z.string().max(65_536),
      /** How long ago it was typed: a device that was offline does not overwrite a newer text of another one. */
      ageMs: z.coerce.number().int().min(0).max(31_536_000_000).default(0),
    }),
    example: { mode: 'reply', body: 'Hola, te paso el' },
    reply: Draft,
  }),
}
