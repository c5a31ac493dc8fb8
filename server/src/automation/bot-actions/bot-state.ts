import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'

/** The state of a ticket's bots (see the migration for each field). */
export type BotState = {
  chatbot: boolean
  queueOptionId: number | null
  botWrong: number
  botMenus: number
  botMenuAt: string | null
  botLeft: boolean
  awayTold: string | null
  saidAt: string | null
  /** The flow that speaks in the conversation. */
  flowRunId: number | null
  disableBot: boolean
}

export const loadBotState = (scope: Scope, ticketId: number): Promise<BotState> => scope.load(loadBotStates, ticketId)

async function loadBotStates(scope: Scope, ticketIds: number[]): Promise<BotState[]> {
  const rows = await scope.db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.companyId', '=', 't.companyId').onRef('c.id', '=', 't.contactId'),
    )
    .select([
      't.id',
      't.chatbot',
      't.queueOptionId',
      't.botWrong',
      't.botMenus',
      't.botMenuAt',
      't.botLeft',
      't.awayTold',
      't.saidAt',
      't.flowRunId',
      'c.disableBot',
    ])
    .where('t.companyId', '=', scope.companyId)
    .where('t.id', '=', sql<number>`any(${ticketIds}::int[])`)
    .execute()
  const states = new Map(rows.map(({ id, ...state }) => [id, state]))
  return ticketIds.map((id) => {
    const state = states.get(id)
    if (!state) throw new AppError('ERR_NO_TICKET_FOUND')
    return state
  })
}
