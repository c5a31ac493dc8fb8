import { topics } from '@recado/contract/live'
import { can } from '@recado/contract/rules'
import { type Note, notesApi, type Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { findContact } from '../directory/contacts/contact-store.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { route } from '../kernel/http/routes.ts'
import { notifyMentioned } from './tickets/base/notices.ts'
import { findReadableTicket, findVisibleTicket } from './tickets/base/ticket-view.ts'
import {
  canReadByTicketSql,
  canSeeTicket,
  currentViewer,
  listMentionableUsers,
  roomsOfTicket,
} from './tickets/base/visibility.ts'

type NoteRow = {
  id: number
  note: string
  ticketId: number
  ticketNumber: number
  contactId: number
  userId: number | null
  userName: string
  mentions: Note['mentions']
  createdAt: string
}
/** The author's name stays even when the author was deleted. */
const presentNote = ({ userId, userName, ...row }: NoteRow): Note => ({
  ...row,
  user: { id: userId ?? 0, name: userName },
})
const noteColumns = ['id', 'note', 'ticketId', 'contactId', 'userId', 'userName', 'createdAt'] as const
const ticketNumberSql = sql<number>`(select t.number from tickets t
  where t."companyId" = "ticketNotes"."companyId" and t.id = "ticketNotes"."ticketId")`.as('ticketNumber')
const mentionsSql = sql<Note['mentions']>`coalesce((
    select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.id)
    from "noteMentions" x join users u on u."companyId" = x."companyId" and u.id = x."userId"
    where x."companyId" = "ticketNotes"."companyId" and x."noteId" = "ticketNotes".id
  ), '[]')`.as('mentions')

/** The notes of a contact, from the tickets that the user may read. */
async function listNotes(
  scope: Scope,
  q: { ticketId?: number | undefined; contactId?: number | undefined },
): Promise<Note[]> {
  const ticket = q.ticketId ? await findReadableTicket(scope, q.ticketId) : null
  const contactId = ticket?.contactId ?? q.contactId
  const viewer = currentViewer(scope)
  if (!contactId || !viewer) return []
  const readable =
    ticket && !canSeeTicket(viewer, ticket)
      ? sql<boolean>`"ticketNotes"."ticketId" = ${ticket.id}`
      : canReadByTicketSql(viewer, sql`"ticketNotes"."ticketId"`)
  const rows = await scope.db
    .selectFrom('ticketNotes')
    .select([...noteColumns, ticketNumberSql, mentionsSql])
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where(readable)
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return rows.map(presentNote)
}

/** Moves all notes, or only the given ones, from one contact to another. Returns the ids. */
export async function moveNotes(scope: Scope, from: number, to: number, ids?: number[]): Promise<number[]> {
  if (ids && !ids.length) return []
  const theirs = scope.db
    .updateTable('ticketNotes')
    .set({ contactId: to })
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', from)
    .returning('id')
  const moved = await (ids ? theirs.where('id', 'in', ids) : theirs).execute()
  return moved.map((row) => row.id)
}

/**
 * Mentioned users get a notice. Those who do not see the ticket may read it as long as the note exists. `author`: the
 * automation that writes the note, if no user does.
 */
export async function addNote(
  scope: Scope,
  ticket: Ticket,
  words: string,
  mentioned: number[] = [],
  author: { id: number | null; name: string } = scope.actor,
): Promise<Note> {
  // The contact is locked before its dependents, in the order used everywhere, because it may be being deleted.
  await findContact(scope, ticket.contactId)
  const mentions = await findMentionable(scope, ticket, mentioned)
  const { companyId } = scope
  const { id: userId, name: userName } = author
  const row = await scope.db
    .insertInto('ticketNotes')
    .values({
      companyId,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      userId,
      userName,
      note: words,
      createdAt: scope.now(),
    })
    .returning(noteColumns)
    .executeTakeFirstOrThrow()
  const note = presentNote({ ...row, mentions, ticketNumber: ticket.number })
  if (mentions.length) {
    const rows = mentions.map((one) => ({ companyId, noteId: note.id, userId: one.id }))
    await scope.db.insertInto('noteMentions').values(rows).execute()
  }
  scope.live(topics.note, { action: 'create', note }, { rooms: roomsOfTicket(ticket) })
  const ids = mentions.map((one) => one.id)
  if (ids.length) await notifyMentioned(scope, note, ids, author)
  return note
}

/** The mentioned colleagues; deactivated ones are left out. */
async function findMentionable(scope: Scope, ticket: Ticket, ids: number[]): Promise<Note['mentions']> {
  if (!ids.length) return []
  const wanted = new Set(ids)
  const known = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [...wanted])
    .execute()
  if (known.length < wanted.size) throw new AppError('ERR_NO_USER_FOUND')
  const people = (await listMentionableUsers(scope, ticket)).filter((one) => wanted.has(one.id))
  return people.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.id - b.id)
}

/** Deletes a note with its mentions and their notices. */
export async function removeNote(scope: Scope, ticket: Ticket, id: number): Promise<void> {
  await scope.db.deleteFrom('ticketNotes').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  scope.live(topics.note, { action: 'delete', noteId: id, ticketId: ticket.id }, { rooms: roomsOfTicket(ticket) })
}

export const noteRoutes = [
  route(notesApi.list, (scope, { query }) => listNotes(scope, query)),
  route(notesApi.create, async (scope, { body }) => {
    const ticket = await findVisibleTicket(scope, body.ticketId)
    return addNote(scope, ticket, body.note, body.mentions)
  }),
  route(notesApi.remove, async (scope, { params }) => {
    const row = await scope.db
      .selectFrom('ticketNotes')
      .select(noteColumns)
      .where('companyId', '=', scope.companyId)
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (!row) throw new AppError('ERR_NO_TICKETNOTE_FOUND')
    const ticket = await findVisibleTicket(scope, row.ticketId)
    if (row.userId !== scope.actor.id && !can(scope.actor, 'ticket-options:deleteTicket'))
      throw new AppError('ERR_NO_PERMISSION')
    await removeNote(scope, ticket, row.id)
    return { message: 'deleted' }
  }),
]
