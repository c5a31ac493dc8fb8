import { canSeeAllTickets } from '@recado/contract/visibility'
import { sql } from 'kysely'
import type { ContactDeskActions } from '../../directory/contacts/contact-desk-actions.ts'
import { failPendingShippings, moveCampaignContact } from '../campaigns/contact-changes.ts'
import { findChatsOfMessages, moveMessages, moveMessagesBack } from '../messages/move.ts'
import { moveNotes } from '../notes.ts'
import { hasHiddenSchedules } from '../schedules/view.ts'
import { moveSchedules, publishRestoredSchedules, publishSchedulesOfDeletedContact } from '../schedules/write.ts'
import { publishThreadChanged } from '../thread-updates.ts'
import { publishTicketChanged, publishTicketDeleted } from '../tickets/base/publish-ticket.ts'
import { presentTicket, presentTickets } from '../tickets/base/ticket-view.ts'
import { makeStep, recordTicketEvents } from '../tickets/base/tracking.ts'
import { canSeeTicketSql, currentViewer } from '../tickets/base/visibility.ts'
import { resolveTicket } from '../tickets/lifecycle.ts'
import { mergeTicketState, moveTickets, unlinkLastMessages } from '../tickets/merge-tickets.ts'

/** What happens to tickets when contacts are merged, unmerged or deleted. */
export const deskContactHooks: ContactDeskActions = {
  async closeDuplicate(scope, ticketId, keptId) {
    const double = await presentTicket(scope, ticketId)
    await resolveTicket(scope, double, 'same-person')
    await mergeTicketState(scope, keptId, double)
  },
  async moveRecords(scope, from, to) {
    const tickets = await moveTickets(scope, from, to)
    const notes = await moveNotes(scope, from, to)
    const schedules = await moveSchedules(scope, from, to)
    const people = await moveCampaignContact(scope, from, to)
    return { tickets, notes, schedules, ...people, ...(await moveMessages(scope, from, to)) }
  },
  async moveRecordsBack(scope, from, to, moved) {
    const { tickets, notes, senders, alone = [], schedules = [], shippings = [], stops = [] } = moved
    await moveTickets(scope, from, to, tickets)
    await moveMessagesBack(scope, from, to, { tickets, senders, alone })
    await moveNotes(scope, from, to, notes)
    await moveSchedules(scope, from, to, schedules)
    await moveCampaignContact(scope, from, to, { shippings, stops })
  },
  async onMoved(scope, { tickets: ticketIds, alone = [] }, from) {
    if (ticketIds.length) await unlinkLastMessages(scope, ticketIds)
    const tickets = await presentTickets(scope, ticketIds)
    for (const ticket of tickets) publishTicketChanged(scope, ticket, ticket)
    const chats = [...tickets, ...(await findChatsOfMessages(scope, alone))]
    const contactIds = [...new Set([from, ...chats.map(({ contactId }) => contactId)])]
    for (const line of new Set(chats.map(({ whatsappId }) => whatsappId)))
      if (line !== null) await publishThreadChanged(scope, contactIds, line)
  },
  async canSeeConversations(scope, contactIds) {
    const viewer = scope.actor.key && !scope.actor.key.scopes.includes('messages') ? null : currentViewer(scope)
    if (viewer && canSeeAllTickets(viewer)) return true
    const { rows } = await sql<{ hidden: boolean }>`
      select exists (
        select from tickets t where t."companyId" = ${scope.companyId} and t."contactId" = any(${contactIds}::int[])
          and not ${viewer ? canSeeTicketSql(viewer) : sql`false`}
      ) or exists (
        select from messages m where m."companyId" = ${scope.companyId} and m."contactId" = any(${contactIds}::int[])
          and ${viewer === null}::boolean
      ) as hidden`.execute(scope.db)
    return !rows[0]?.hidden && !(await hasHiddenSchedules(scope, contactIds, viewer !== null))
  },
  async hasActiveTicket(scope, contactId) {
    const living = await scope.db
      .selectFrom('tickets')
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('contactId', '=', contactId)
      .where('status', 'in', ['open', 'pending'])
      .limit(1)
      .executeTakeFirst()
    return living !== undefined
  },
  async onNumberChanged(scope, contactId, from, to) {
    // The active ticket of each line, or else the newest ticket, because agents read the conversation there.
    const { rows } = await sql<{ id: number }>`
      select distinct on (t."whatsappId") t.id from tickets t
      where t."companyId" = ${scope.companyId} and t."contactId" = ${contactId}
      order by t."whatsappId", t.status = 'closed', t.id desc`.execute(scope.db)
    const steps = [makeStep('renumbered', 'by-hand', { from, to })]
    await recordTicketEvents(
      scope,
      'contact',
      rows.map(({ id }) => ({ ticketId: id, steps })),
    )
    for (const ticket of await presentTickets(
      scope,
      rows.map(({ id }) => id),
    ))
      publishTicketChanged(scope, ticket, ticket)
  },
  async onDeleting(scope, contactId, ticketIds, keepsFiles = false) {
    await publishSchedulesOfDeletedContact(scope, contactId, keepsFiles)
    await failPendingShippings(scope, contactId)
    for (const ticket of await presentTickets(scope, ticketIds)) publishTicketDeleted(scope, ticket, ticket.id)
  },
  async onRestored(scope, contactId) {
    const rows = await scope.db
      .selectFrom('tickets')
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('contactId', '=', contactId)
      .execute()
    for (const ticket of await presentTickets(
      scope,
      rows.map(({ id }) => id),
    ))
      publishTicketChanged(scope, null, ticket)
    await publishRestoredSchedules(scope, contactId)
  },
}
