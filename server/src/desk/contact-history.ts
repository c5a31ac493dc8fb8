import { type ContactMedia, contactsApi, type PastTicket } from '@recado/contract/contacts'
import { sql } from 'kysely'
import { findContact } from '../directory/contacts/contact-store.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { signedMediaUrl } from '../kernel/files/media.ts'
import { route } from '../kernel/http/routes.ts'
import {
  canReadByTicketSql,
  canSeeChatSql,
  canSeeTicketSql,
  currentViewer,
  type Viewer,
} from './tickets/base/visibility.ts'

const pageSize = 20
const pageLimitSql = (pageNumber: number) => sql`limit ${pageSize + 1} offset ${(pageNumber - 1) * pageSize}`

/** The viewer, after checking that the contact exists. */
async function viewerOfContact(scope: Scope, contactId: number): Promise<Viewer | null> {
  await findContact(scope, contactId, false)
  return currentViewer(scope)
}

type MediaRow = Omit<ContactMedia, 'mediaUrl'> & { companyId: number; mediaPath: string }

/**
 * Media in the conversations that the user may read: in the tickets visible to the user, and in the rest of the same
 * thread, by the thread's own rule (see `canReadByTicketSql`).
 */
async function listMedia(scope: Scope, contactId: number, pageNumber: number) {
  const viewer = await viewerOfContact(scope, contactId)
  if (!viewer) return { media: [], hasMore: false }
  const { rows } = await sql<MediaRow>`
    select m.id::text as id, m."companyId", m."ticketId", m."fromMe", m."mediaType", m."mediaPath", m."mediaName", m."createdAt"
    from messages m
    where m."companyId" = ${scope.companyId} and m."contactId" = ${contactId} and m."mediaPath" is not null
      and not m."isDeleted" and m."mediaType" <> 'sticker' and ${canReadMessageSql(viewer)}
    order by m."createdAt" desc, m.id desc ${pageLimitSql(pageNumber)}`.execute(scope.db)
  const shown = rows.slice(0, pageSize).map((row) => ({ ...row, mediaUrl: signedMediaUrl(scope, row) as string }))
  return { media: shown, hasMore: rows.length > pageSize }
}

const canReadMessageSql = (viewer: Viewer) => sql`case when m."ticketId" is null
      then ${canSeeChatSql(viewer, sql`m."contactId"`, sql`m."whatsappId"`)}
      else ${canReadByTicketSql(viewer, sql`m."ticketId"`, sql`m."whatsappId"`)} end`

async function listTickets(scope: Scope, contactId: number, pageNumber: number) {
  const viewer = await viewerOfContact(scope, contactId)
  if (!viewer) return { tickets: [], hasMore: false }
  const { rows } = await sql<PastTicket>`
    select t.id, t.number, t.uuid, t.status, t."createdAt", t."updatedAt",
      case when q.id is not null then json_build_object('id', q.id, 'name', q.name, 'color', q.color) end as queue,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user"
    from tickets t
    left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
    left join users u on u."companyId" = t."companyId" and u.id = t."userId"
    where t."companyId" = ${scope.companyId} and t."contactId" = ${contactId} and ${canSeeTicketSql(viewer)}
    order by t.id desc ${pageLimitSql(pageNumber)}`.execute(scope.db)
  return { tickets: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
}

/** Ticket data of a contact, for the drawer beside a conversation. */
export const contactHistoryRoutes = [
  route(contactsApi.media, (scope, { params, query }) => listMedia(scope, params.id, query.pageNumber)),
  route(contactsApi.tickets, (scope, { params, query }) => listTickets(scope, params.id, query.pageNumber)),
]
