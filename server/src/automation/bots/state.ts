import type { Scope } from '../../kernel/data/scope.ts'

/** Where a ticket stands with its bots (see the migration for what each means). */
export type BotState = {
  chatbot: boolean
  queueOptionId: number | null
  botWrong: number
  botMenus: number
  botMenuAt: string | null
  botLeft: boolean
  awayTold: string | null
  saidAt: string | null
  disableBot: boolean
}

export async function stateOf(scope: Scope, ticketId: number): Promise<BotState> {
  return scope.db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.companyId', '=', 't.companyId').onRef('c.id', '=', 't.contactId'),
    )
    .select([
      't.chatbot',
      't.queueOptionId',
      't.botWrong',
      't.botMenus',
      't.botMenuAt',
      't.botLeft',
      't.awayTold',
      't.saidAt',
      'c.disableBot',
    ])
    .where('t.companyId', '=', scope.companyId)
    .where('t.id', '=', ticketId)
    .executeTakeFirstOrThrow()
}
