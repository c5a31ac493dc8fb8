import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** The ticket state that an answer depends on. */
export type TicketSnapshot = {
  status: string
  userId: number | null
  queueId: number | null
  whatsappId: number | null
  botLeft: boolean
  /** The state of the ticket's bots. */
  bots: string
  /** When we last sent a message in the ticket. */
  saidAt: string | null
  /** The id of the customer's latest message. */
  heardId: number | null
}

/** The current state. While the caller holds the ticket's lock, the state cannot change. */
export async function loadTicketSnapshot(scope: Scope, ticketId: number): Promise<TicketSnapshot | null> {
  const { rows } = await sql<TicketSnapshot>`
    select t.status, t."userId", t."queueId", t."whatsappId", t."botLeft", t."saidAt",
      concat_ws(' ', t.chatbot, t."useIntegration", coalesce(t."promptId", 0), coalesce(t."integrationId", 0), coalesce(t."queueOptionId", 0)) as bots,
      (select m.id from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id and not m."fromMe"
        order by m.id desc limit 1) as "heardId"
    from tickets t where t."companyId" = ${scope.companyId} and t.id = ${ticketId}`.execute(scope.db)
  return rows[0] ?? null
}

export type LateReason = 'closed' | 'person-has-it' | 'transferred' | 'bots-left' | 'answered-otherwise' | 'wrote-again'

/** Why an answer is too late, as a code the screen translates; null: nothing has changed. */
export function whyTooLate(then: TicketSnapshot, now: TicketSnapshot | null): LateReason | null {
  if (!now || (now.status === 'closed' && then.status !== 'closed')) return 'closed'
  if (now.userId !== then.userId || now.status !== then.status) return 'person-has-it'
  if (now.queueId !== then.queueId || now.whatsappId !== then.whatsappId) return 'transferred'
  if (now.botLeft !== then.botLeft) return 'bots-left'
  if (now.saidAt !== then.saidAt || now.bots !== then.bots) return 'answered-otherwise'
  return now.heardId === then.heardId ? null : 'wrote-again'
}
