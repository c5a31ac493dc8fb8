import type { ParsedInput } from '@recado/contract/endpoint'
import { topics } from '@recado/contract/live'
import { type Draft, draftsApi, maxDraftsPerUser } from '@recado/contract/schedules/drafts'
import { sql } from 'kysely'
import { addMs } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { route } from '../kernel/http/routes.ts'
import { findVisibleTicket } from './tickets/base/ticket-view.ts'

const ownDrafts = (scope: Scope) =>
  scope.db
    .selectFrom('drafts')
    .select(['ticketId', 'mode', 'body', 'updatedAt'])
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)

/**
 * Stores a draft unless a newer one is stored. The device says how old its text is, not when it was typed, because
 * clocks of devices differ.
 */
async function writeDraft(
  scope: Scope,
  ticketId: number,
  { mode, body, ageMs }: ParsedInput<typeof draftsApi.write>['body'],
): Promise<Draft> {
  // PostgreSQL cannot store the null character.
  const text = body.replaceAll('\u0000', '')
  const typedAt = addMs(scope.now(), -ageMs)
  if (text === '') return clearDraft(scope, { ticketId, mode, typedAt })
  await findVisibleTicket(scope, ticketId)
  const { rows } = await sql<{ isNew: boolean }>`
    insert into drafts ("companyId", "userId", "ticketId", mode, body, "updatedAt")
    values (${scope.companyId}, ${scope.actor.id}, ${ticketId}, ${mode}, ${text}, ${typedAt})
    on conflict ("companyId", "userId", "ticketId", mode) do update
      set body = excluded.body, "updatedAt" = excluded."updatedAt" where drafts."updatedAt" <= excluded."updatedAt"
    returning xmax = 0 as "isNew"`.execute(scope.db)
  const draft = await ownDrafts(scope)
    .where('ticketId', '=', ticketId)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow()
  if (rows[0]?.isNew) await deleteOldestDrafts(scope)
  if (rows.length) scope.live(topics.draft, { action: 'update', draft }, { users: [scope.actor.id] })
  return draft
}

/**
 * Empties a draft unless a newer one is stored. The ticket may have left the user's sight meanwhile: they sent the
 * message and passed the ticket on.
 */
async function clearDraft(
  scope: Scope,
  { ticketId, mode, typedAt }: { ticketId: number; mode: Draft['mode']; typedAt: Date },
): Promise<Draft> {
  const cleared = await scope.db
    .updateTable('drafts')
    .set({ body: '', updatedAt: typedAt })
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('ticketId', '=', ticketId)
    .where('mode', '=', mode)
    .where('updatedAt', '<=', typedAt.toISOString())
    .returning(['ticketId', 'mode', 'body', 'updatedAt'])
    .executeTakeFirst()
  if (cleared) scope.live(topics.draft, { action: 'update', draft: cleared }, { users: [scope.actor.id] })
  const stored =
    cleared ?? (await ownDrafts(scope).where('ticketId', '=', ticketId).where('mode', '=', mode).executeTakeFirst())
  return stored ?? { ticketId, mode, body: '', updatedAt: typedAt.toISOString() }
}

/** Keeps a user's drafts within the limit. Empty ones go first, because they hold nothing. */
async function deleteOldestDrafts(scope: Scope): Promise<void> {
  await sql`
    delete from drafts d using (
      select "ticketId", mode from drafts where "companyId" = ${scope.companyId} and "userId" = ${scope.actor.id}
      order by body = '', "updatedAt" desc offset ${maxDraftsPerUser}
    ) old
    where d."companyId" = ${scope.companyId} and d."userId" = ${scope.actor.id}
      and d."ticketId" = old."ticketId" and d.mode = old.mode`.execute(scope.db)
}

export const draftRoutes = [
  route(draftsApi.list, async (scope) => ({
    drafts: await ownDrafts(scope).orderBy('updatedAt', 'desc').orderBy('ticketId').orderBy('mode').execute(),
  })),
  route(draftsApi.write, (scope, { params, body }) => writeDraft(scope, params.id, body)),
]
