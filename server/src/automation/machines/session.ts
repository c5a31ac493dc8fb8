import { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'

/** What an integration remembers of a conversation, on the ticket: it ends with it. */
const Session = z.object({
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
export type Session = z.output<typeof Session>

export async function sessionOf(scope: Scope, ticketId: number, of: number): Promise<Session | null> {
  const row = await scope.db
    .selectFrom('tickets')
    .select('botSession')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticketId)
    .executeTakeFirst()
  const read = Session.safeParse(row?.botSession)
  return read.success && read.data.of === of ? read.data : null
}

export const kept = (session: z.input<typeof Session>) => ({ botSession: JSON.stringify(session) })
