import { z } from 'zod'
import { get, post, ref, requiredText } from '../endpoint.ts'

/** How a text is rewritten. */
export const rewriteStyles = ['shorter', 'friendlier', 'correct'] as const
export type RewriteStyle = (typeof rewriteStyles)[number]

/** AI text for an agent. Nothing of it is sent to a customer automatically. */
export const AssistReply = z.object({
  text: z.string(),
  /** The customer's language as detected by the AI, as ISO 639 code; null if unknown. */
  language: z.string().nullable(),
  /** The knowledge sources that the AI used. */
  sources: z.array(z.object({ knowledgeId: z.number(), name: z.string(), place: z.string() })),
  tokens: z.number(),
})
export type AssistReply = z.infer<typeof AssistReply>

const plan = 'useOpenAi' as const
const access = 'session' as const
const params = z.object({ ticketId: ref('ticket') })
const reply = AssistReply
const text = requiredText(1, 20_000)
const about = (what: string) =>
  `${what}. With \`Accept: application/x-ndjson\` it comes in lines: \`{"text"}\` as it is written, then \`{"done"}\` or \`{"error"}\`. Whoever hangs up ends it`

export const assistApi = {
  state: get('/tickets/:ticketId/assist', {
    about: 'Whether AI assistance is available to agents for this ticket, and the language its customer writes in',
    access,
    params,
    reply: z.object({ on: z.boolean(), language: z.string().nullable() }),
  }),
  suggest: post('/tickets/:ticketId/assist/suggest', {
    about: about('An answer that the agent could send'),
    ...{ access, plan, params },
    /** The text the agent has begun to write. */
    body: z.object({ draft: z.string().max(20_000).default('') }),
    example: { draft: '' },
    reply,
  }),
  rewrite: post('/tickets/:ticketId/assist/rewrite', {
    about: about('A text, said shorter, friendlier or correctly'),
    ...{ access, plan, params },
    body: z.object({ manner: z.enum(rewriteStyles), text }),
    example: { manner: 'shorter' as const, text: 'Te cuento que hoy abrimos hasta las seis.' },
    reply,
  }),
  translate: post('/tickets/:ticketId/assist/translate', {
    about: about("A text in the customer's language (`out`), or what they wrote last in that of the agent (`in`)"),
    ...{ access, plan, params },
    body: z.discriminatedUnion('way', [z.object({ way: z.literal('out'), text }), z.object({ way: z.literal('in') })]),
    example: { way: 'in' as const },
    reply,
  }),
  summarise: post('/tickets/:ticketId/assist/summary', {
    about: about('What happened in a ticket, for its note: `keep` writes the note at once'),
    ...{ access, plan, params },
    body: z.object({ why: z.enum(['transfer', 'end']), keep: z.boolean().default(false) }),
    example: { why: 'transfer' as const },
    reply,
  }),
}
