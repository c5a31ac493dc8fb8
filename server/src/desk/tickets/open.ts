import { sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/scope.ts'
import { track } from './track.ts'

export type Opened = { id: number; how: 'joined' | 'opened' | 'reused'; status: 'pending' | 'open' }
type Wanted = { contactId: number; whatsappId: number; isGroup: boolean; queueId: number | null; reuseMinutes: number }

/**
 * The living ticket of this contact on this line, or a new one. The partial unique index decides races: whoever
 * inserts second finds the first one's row.
 */
export async function joinOrOpen(scope: Scope, w: Wanted): Promise<Opened> {
  const living = await findLiving(scope, w)
  if (living) return { ...living, how: 'joined' }
  const reused = w.reuseMinutes > 0 ? await reuse(scope, w) : null
  if (reused) return reused
  const now = scope.now()
  const made = await scope.db
    .insertInto('tickets')
    .values({
      companyId: scope.companyId,
      contactId: w.contactId,
      whatsappId: w.whatsappId,
      queueId: w.queueId,
      isGroup: w.isGroup,
      status: 'pending',
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((c) =>
      c.columns(['companyId', 'contactId', 'whatsappId']).where('status', 'in', ['open', 'pending']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!made) return { ...((await findLiving(scope, w)) as { id: number; status: 'pending' | 'open' }), how: 'joined' }
  await track(scope, { id: made.id, whatsappId: w.whatsappId }, { queuedAt: now })
  return { id: made.id, how: 'opened', status: 'pending' }
}

async function findLiving(scope: Scope, w: Wanted) {
  return scope.db
    .selectFrom('tickets')
    .select(['id', sql<'pending' | 'open'>`status`.as('status')])
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', w.contactId)
    .where('whatsappId', '=', w.whatsappId)
    .where('status', 'in', ['open', 'pending'])
    .forUpdate()
    .executeTakeFirst()
}

/** Closed a moment ago: the same conversation goes on, waiting for whoever is free. */
async function reuse(scope: Scope, w: Wanted): Promise<Opened | null> {
  const since = new Date(scope.now().getTime() - minutes(w.reuseMinutes))
  const { rows } = await sql<{ id: number }>`
    update tickets set status = 'pending', "userId" = null, "updatedAt" = ${scope.now()} where id = (
      select id from tickets where "companyId" = ${scope.companyId} and "contactId" = ${w.contactId} and "whatsappId" = ${w.whatsappId}
        and status = 'closed' and "updatedAt" > ${since} order by id desc limit 1
    ) returning id`.execute(scope.db)
  const [row] = rows
  if (!row) return null
  await track(scope, { id: row.id, whatsappId: w.whatsappId }, { queuedAt: scope.now() })
  return { id: row.id, how: 'reused', status: 'pending' }
}
