import type { MentionedTicket } from '@recado/contract/chats'
import { sql } from 'kysely'
import { type JsonRows, makeShapedRows, timestampLeaf } from '../../kernel/data/row-shape.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { withPictureUrls } from '../tickets/base/ticket-view.ts'
import { canSeeTicketSql, currentViewer } from '../tickets/base/visibility.ts'

const mentionedTicketShape = makeShapedRows<MentionedTicket>({
  ...{ id: 't.id', number: 't.number', uuid: 't.uuid', status: 't.status' },
  contact: { name: 'c.name', profilePicUrl: 'c."profilePicUrl"' },
  queue: { name: 'q.name', color: 'q.color' },
  user: { name: 'u.name' },
  updatedAt: timestampLeaf('t."updatedAt"'),
})

/** The tickets with these numbers that the user may see; others are omitted, so that their existence is not revealed. */
export async function findMentionedTickets(scope: Scope, numbers: number[]): Promise<MentionedTicket[]> {
  const viewer = currentViewer(scope)
  if (!viewer || !numbers.length) return []
  const wanted = sql`select ${mentionedTicketShape.cells} from tickets t
    join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
    left join users u on u."companyId" = t."companyId" and u.id = t."userId"
    where t."companyId" = ${scope.companyId} and t.number = any(${numbers}::int[]) and ${canSeeTicketSql(viewer)} order by t.number`
  const { rows } = await sql<{ page: JsonRows }>`select ${mentionedTicketShape.aggregate(wanted)} as page`.execute(
    scope.db,
  )
  return withPictureUrls(scope, mentionedTicketShape.read(rows[0]?.page))
}
