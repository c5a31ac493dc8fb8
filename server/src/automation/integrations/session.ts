import { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'

/** What an integration remembers of a conversation, on the ticket: it ends with it. */
const BotSession = z.object({
  /** Whose it is: of another integration it is worth nothing. */
  of: z.number(),
  /** When we last spoke with it. */
  at: z.string(),
  /** Of a flow. */
  id: z.string().optional(),
  /** What the customer may choose from. */
  choices: z.array(z.string()).default([]),
  several: z.boolean().default(false),
  /** How often in a row it did not understand. */
  lost: z.number().default(0),
  /** The newest message of the customer that it was told of, and whose answer was performed. */
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
