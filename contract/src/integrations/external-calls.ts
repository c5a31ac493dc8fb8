import { z } from 'zod'
import { beforeId, get, isoDateTime, ref } from '../endpoint.ts'

export const externalCallKinds = ['prompt', 'voice', 'typebot', 'dialogflow', 'n8n', 'webhook'] as const
export type ExternalCallKind = (typeof externalCallKinds)[number]

/** One call to an external API: the request and the response, without keys and with long bodies truncated. */
export const ExternalCall = z.object({
  id: z.number(),
  kind: z.enum(externalCallKinds),
  promptId: z.number().nullable(),
  integrationId: z.number().nullable(),
  ticketId: z.number().nullable(),
  contactName: z.string(),
  at: isoDateTime,
  ms: z.number(),
  /** HTTP status of the response; 0 when there was no response. */
  status: z.number(),
  ok: z.boolean(),
  tokensIn: z.number(),
  tokensOut: z.number(),
  asked: z.string(),
  answered: z.string(),
  /** Reason of a failure: for integrations the same codes as a webhook's `reason`, for models a text for admins; '' on success. */
  error: z.string(),
})
export type ExternalCall = z.infer<typeof ExternalCall>

/** Newest first; `before` is the id of the last call already read. */
export const externalCallsQuery = z.object({
  before: beforeId,
  failed: z.preprocess((v) => v === true || v === 'true', z.boolean()).default(false),
})
export const ExternalCallPage = z.object({ calls: z.array(ExternalCall), hasMore: z.boolean() })

export const externalCallsApi = {
  ofTicket: get('/tickets/:ticketId/machine-calls', {
    about: 'Requests to AI models and integrations about a ticket, with their answers; newest first',
    access: 'settings-page:edit',
    params: z.object({ ticketId: ref('ticket') }),
    query: externalCallsQuery,
    reply: ExternalCallPage,
  }),
}
