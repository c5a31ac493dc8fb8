import { sql } from 'kysely'
import { canReceiveBotMessages, sendBotMessage } from '../../desk/bot-message.ts'
import { resolveTicket } from '../../desk/tickets/lifecycle.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { lockTicketIf } from './lock-ticket.ts'
import { makeTimer } from './timer.ts'

/** Runs when we wrote last and the customer did not answer: closes the conversation. */
export const ticketExpiryTimer = makeTimer({
  dueSql: `
    select t."companyId", t.id, t."updatedAt" + make_interval(mins => w."expiresTicket") as at
    from whatsapps w join tickets t on t."companyId" = w."companyId" and t.status = 'open'
      and t."updatedMinute" <= floor(extract(epoch from $1::timestamptz) / 60)::int - w."expiresTicket"
    where w."expiresTicket" > 0 and t."whatsappId" = w.id and t."fromMe" and not t."isGroup" and t."snoozedAt" is null
      and t."updatedAt" + make_interval(mins => w."expiresTicket") <= $1 and t.id <> all($3::int[])
    limit $2`,
  lockDue: (scope, id) =>
    lockTicketIf(
      scope,
      id,
      sql`t.status = 'open' and t."fromMe" and not t."isGroup" and t."snoozedAt" is null and w."expiresTicket" > 0
        and t."updatedAt" + make_interval(mins => w."expiresTicket") <= ${scope.now()}`,
    ),
  async perform(scope, ticket) {
    const line = await findLine(scope, ticket.whatsappId as number)
    const over = await resolveTicket(scope, ticket, 'no-answer-for-long')
    if (await canReceiveBotMessages(scope, over))
      await sendBotMessage(scope, over, 'expiry', line.expiresInactiveMessage)
  },
})
