import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import { orConflict } from '../../kernel/errors.ts'
import { tellChanged } from './tell.ts'
import { presentTicket, ticketById } from './view.ts'

/** Takes tags off (all, or those of the board) and puts tags on, in one step. */
export async function setTags(
  scope: Scope,
  ticketId: number,
  change: { drop?: 'all' | 'kanban'; add?: number[] },
): Promise<Ticket> {
  const before = await ticketById(scope, ticketId)
  const { companyId } = scope
  const gone =
    change.drop === 'all' ? before.tags : change.drop === 'kanban' ? before.tags.filter((t) => t.kanban === 1) : []
  if (gone.length)
    await scope.db
      .deleteFrom('ticketTags')
      .where('companyId', '=', companyId)
      .where('ticketId', '=', ticketId)
      .where(
        'tagId',
        'in',
        gone.map((t) => t.id),
      )
      .execute()
  const rows = [...new Set(change.add ?? [])].map((tagId) => ({ companyId, ticketId, tagId }))
  if (rows.length) {
    await orConflict({ ticketTags_companyId_tagId_fkey: 'ERR_NO_TAG_FOUND' }, () =>
      scope.db
        .insertInto('ticketTags')
        .values(rows)
        .onConflict((c) => c.doNothing())
        .execute(),
    )
  }
  const after = await presentTicket(scope, ticketId)
  tellChanged(scope, before, after)
  return after
}
