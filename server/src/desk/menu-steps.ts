import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import { publishReportsChanged } from './report-changes.ts'

/** A customer's position in a menu: the queue and the option. */
type MenuPosition = { queueId: number | null; optionId: number | null }

/** Records a customer's answer at a menu position. */
export async function recordMenuStep(
  scope: Scope,
  ticket: { id: number; whatsappId: number | null },
  { queueId, optionId }: MenuPosition,
  kind: 'right' | 'wrong',
): Promise<void> {
  publishReportsChanged(scope)
  await scope.load(insertMenuSteps, { ticketId: ticket.id, whatsappId: ticket.whatsappId, queueId, optionId, kind })
}

type MenuStep = MenuPosition & { ticketId: number; whatsappId: number | null; kind: 'right' | 'wrong' }
async function insertMenuSteps(scope: Scope, all: MenuStep[]): Promise<undefined[]> {
  const { companyId } = scope
  // `first` marks the first valid choice in the current segment, that is, since the bot took over.
  await sql`
    insert into "menuSteps" ("companyId", "ticketId", "whatsappId", "queueId", "optionId", kind, at, first)
    select ${companyId}::int, x."ticketId", x."whatsappId", x."queueId", x."optionId", x.kind, ${scope.now()}::timestamptz,
      x.kind = 'right' and not exists (
        select from "menuSteps" m where m."companyId" = ${companyId} and m."ticketId" = x."ticketId" and m.first
          and m.at >= coalesce((
            select k."chatbotAt" from "ticketTracking" k
            where k."companyId" = ${companyId} and k."ticketId" = x."ticketId" and k."finishedAt" is null), '-infinity'))
    from json_to_recordset(${JSON.stringify(all)}) x ("ticketId" int, "whatsappId" int, "queueId" int, "optionId" int, kind text)`.execute(
    scope.db,
  )
  return all.map(() => undefined)
}

/** The closing of the ticket was undone: removes what `recordMenuAbandoned` recorded. */
export async function deleteMenuAbandoned(scope: Scope, ticketId: number, since: Date): Promise<void> {
  await sql`
    delete from "menuSteps" where "companyId" = ${scope.companyId} and "ticketId" = ${ticketId} and kind = 'left'
      and at >= ${since}`.execute(scope.db)
}

/** The ticket is closed while a menu waits for an answer: records where the customer left. */
export async function recordMenuAbandoned(scope: Scope, ticketId: number): Promise<void> {
  await sql`
    insert into "menuSteps" ("companyId", "ticketId", "whatsappId", "queueId", "optionId", kind, at)
    select "companyId", id, "whatsappId", "queueId", "queueOptionId", 'left', ${scope.now()}::timestamptz from tickets
    where "companyId" = ${scope.companyId} and id = ${ticketId} and chatbot and "promptId" is null and "integrationId" is null`.execute(
    scope.db,
  )
}
