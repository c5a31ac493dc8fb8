import { z } from 'zod'
import { get, isoDateTime, ref } from '../endpoint.ts'

export const externalCallKinds = ['prompt', 'voice', 'typebot', 'dialogflow', 'n8n', 'webhook'] as const
export type ExternalCallKind = (typeof externalCallKinds)[number]

/** One call to somebody else's machine: what was asked and what came back, without keys, cut where it is long. */
export const ExternalCall = z.object({
  id: z.number(),
  kind: z.enum(externalCallKinds),
  promptId: z.number().nullable(),
  integrationId: z.number().nullable(),
  ticketId: z.number().nullable(),
  contactName: z.string(),
  at: isoDateTime,
  ms: z.number(),
  /** What it answered with over HTTP; 0: nobody answered. */
  status: z.number(),
  ok: z.boolean(),
  tokensIn: z.number(),
  tokensOut: z.number(),
  asked: z.string(),
  answered: z.string(),
  /** Why it came to nothing: of an integration as a webhook's `reason`, of a model for admins to read; '' where it did not. */
  error: z.string(),
})
export type ExternalCall = z.infer<typeof ExternalCall>

/** Newest first; `before` is the id of the last one that was read. */
export const externalCallsQuery = z.object({
  before: z.coerce.number().int().min(1).optional(),
  failed: z.preprocess((v) => v === true || v === 'true', z.boolean()).default(false),
})
export const ExternalCallPage = z.object({ calls: z.array(ExternalCall), hasMore: z.boolean() })

export const externalCallsApi = {
  ofTicket: get('/tickets/:ticketId/machine-calls', {
    about: 'What machines were asked about a ticket, and what they answered; newest first',
    access: 'settings-page:edit',
    params: z.object({ ticketId: ref('ticket') }),
    query: externalCallsQuery,
    reply: ExternalCallPage,
  }),
}
