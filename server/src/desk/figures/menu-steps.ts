import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { tellFigures } from './tell.ts'

/** Where a customer stands in a menu. */
type Place = { queueId: number | null; optionId: number | null }

/** A customer answered a menu, at this place of it. */
export async function keepMenuStep(
  scope: Scope,
  ticket: { id: number; whatsappId: number | null },
  { queueId, optionId }: Place,
  kind: 'right' | 'wrong',
): Promise<void> {
  tellFigures(scope)
  const { companyId } = scope
  // The first right one since the bot has it: of the leg that runs.
  await sql`
    insert into "menuSteps" ("companyId", "ticketId", "whatsappId", "queueId", "optionId", kind, at, first)
    select ${companyId}::int, ${ticket.id}::int, ${ticket.whatsappId}::int, ${queueId}::int, ${optionId}::int, ${kind}, ${scope.now()}::timestamptz,
      ${kind === 'right'} and not exists (
        select from "menuSteps" m where m."companyId" = ${companyId} and m."ticketId" = ${ticket.id} and m.first
          and m.at >= coalesce((
            select k."chatbotAt" from "ticketTracking" k
            where k."companyId" = ${companyId} and k."ticketId" = ${ticket.id} and k."finishedAt" is null), '-infinity'))`.execute(
    scope.db,
  )
}

/** It is closed while a menu waits for an answer: that is where they left. */
export async function keepLeaving(scope: Scope, ticketId: number): Promise<void> {
  await sql`
    insert into "menuSteps" ("companyId", "ticketId", "whatsappId", "queueId", "optionId", kind, at)
    select "companyId", id, "whatsappId", "queueId", "queueOptionId", 'left', ${scope.now()}::timestamptz from tickets
    where "companyId" = ${scope.companyId} and id = ${ticketId} and chatbot and "promptId" is null and "integrationId" is null`.execute(
    scope.db,
  )
}
