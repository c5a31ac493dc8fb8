import { sql } from 'kysely'
import { moveToQueue } from '../../desk/tickets/lifecycle.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { lockTicketIf } from './lock-ticket.ts'
import { makeTimer } from './timer.ts'

/** Runs when a ticket has waited too long without a queue, where few agents see it. */
export const unqueuedTransferTimer = makeTimer({
  dueSql: `
    select t."companyId", t.id, k."queuedAt" + make_interval(mins => w."timeToTransfer") as at
    from whatsapps w join tickets t on t."companyId" = w."companyId" and t."queueId" is null and t.status = 'pending'
    join "ticketTracking" k on k."companyId" = t."companyId" and k."ticketId" = t.id and k."finishedAt" is null
    where w."timeToTransfer" > 0 and w."transferQueueId" is not null and t."whatsappId" = w.id and not t."isGroup"
      and k."queuedAt" + make_interval(mins => w."timeToTransfer") <= $1 and t.id <> all($3::int[])
    limit $2`,
  lockDue: (scope, id) =>
    lockTicketIf(
      scope,
      id,
      sql`t.status = 'pending' and t."queueId" is null and w."timeToTransfer" > 0 and w."transferQueueId" is not null
        and exists (select from "ticketTracking" k where k."companyId" = t."companyId" and k."ticketId" = t.id
          and k."finishedAt" is null and k."queuedAt" + make_interval(mins => w."timeToTransfer") <= ${scope.now()})`,
    ),
  async perform(scope, ticket) {
    const line = await findLine(scope, ticket.whatsappId as number)
    await moveToQueue(scope, ticket, line.transferQueueId as number, 'waited-too-long')
  },
})
