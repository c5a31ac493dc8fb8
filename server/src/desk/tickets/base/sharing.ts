import type { TicketView } from '@recado/contract/views/ticket-views'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import { currentViewer, type Viewer } from './visibility.ts'

/** What users save for themselves or share with queues or everybody: views of tickets, and macros. */
type Shared = Pick<TicketView, 'audience' | 'queueIds'>

/** What the user may use, as a condition on `v`. `queues`: selects the "queueId" of the queues that `v` is shared with. */
export const canUseSharedSql = (
  { id, queueIds, profile }: Viewer,
  queues: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(
    v."userId" = ${id} or v.audience = 'all' or (v.audience = 'queues' and (${canSeeAllTickets({ profile })} or exists (
      select from (${queues}) q where q."queueId" = any(${queueIds}::int[])))))`

export const canEditShared = (viewer: Viewer, { userId }: { userId: number | null }): boolean =>
  userId === viewer.id || canSeeAllTickets(viewer)

/** A user shares only with those whose tickets they lead. */
export function assertMayShare(viewer: Viewer, { audience, queueIds }: Shared): void {
  if (audience === 'me' || canSeeAllTickets(viewer)) return
  const mayShare =
    audience === 'queues' && canLeadQueues(viewer) && queueIds.every((id) => viewer.queueIds.includes(id))
  if (!mayShare) throw new AppError('ERR_NO_PERMISSION')
}

export function requireViewer(scope: Scope): Viewer {
  const viewer = currentViewer(scope)
  if (!viewer) throw new AppError('ERR_NO_PERMISSION')
  return viewer
}
