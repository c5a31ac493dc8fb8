import { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'

/** What an integration stores of a conversation, on the ticket: it is deleted with it. */
const BotSession = z.object({
  /** The integration it belongs to: another one ignores it. */
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
  /** The newest customer message that was sent to it and whose answer was performed. */
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
