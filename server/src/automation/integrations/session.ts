import { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'

/** The session of an integration, stored on the ticket and deleted with it. */
const BotSession = z.object({
  /** The integration that the session belongs to; other integrations ignore it. */
  of: z.number(),
  /** Time of the last exchange. */
  at: z.string(),
  /** The session id of a flow. */
  id: z.string().optional(),
  /** The choices offered to the customer. */
  choices: z.array(z.string()).default([]),
  several: z.boolean().default(false),
  /** Misunderstandings in a row. */
  lost: z.number().default(0),
  /** The newest customer message that was sent to the integration and whose answer was performed. */
  upTo: z.number().optional(),
})
export type BotSession = z.output<typeof BotSession>

export async function loadBotSession(scope: Scope, ticketId: number, of: number): Promise<BotSession | null> {
  const row = await scope.db
    .selectFrom('tickets')
    .select('botSession')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticketId)
    .executeTakeFirst()
  const read = BotSession.safeParse(row?.botSession)
  return read.success && read.data.of === of ? read.data : null
}

export const sessionChange = (session: z.input<typeof BotSession>) => ({ botSession: JSON.stringify(session) })
