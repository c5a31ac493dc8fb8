import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { findContact } from '../../directory/contacts/people.ts'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { orConflict } from '../../kernel/errors.ts'
import { conflicts } from './lifecycle.ts'
import { tellChanged } from './tell.ts'
import { note, step, track } from './track.ts'
import { presentTicket } from './view.ts'
import type { Seen } from './visibility.ts'

/** `before`: what a reused ticket was, for those who saw it so. */
export type Opened = {
  id: number
  how: 'joined' | 'opened' | 'reused'
  status: 'pending' | 'open'
  before?: Seen
}
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
  await track(scope, { ...w, id: made.id }, { queuedAt: now })
  return { id: made.id, how: 'opened', status: 'pending' }
}

type Ours = { contactId: number; whatsappId: number; userId: number | null }

/**
 * Where we say something of our own accord that has its place in a ticket, as a scheduled message: the living one of
 * this contact on this line, held. Where none lives, one of its own that is closed from the beginning, under the name of
 * who speaks (`userId`): our own words wake nobody, and what the customer answers opens another as ever. Nobody waited
 * in it and nobody attended it, so it has no leg.
 */
export async function placeForOurs(scope: Scope, { contactId, whatsappId, userId }: Ours): Promise<Ticket> {
  const { isGroup } = await findContact(scope, contactId)
  const living = await findLiving(scope, { contactId, whatsappId })
  if (living) return presentTicket(scope, living.id)
  const now = scope.now()
  const { id } = await orConflict(conflicts, () =>
    scope.db
      .insertInto('tickets')
      .values({
        companyId: scope.companyId,
        ...{ contactId, whatsappId, userId, isGroup, queueId: null, status: 'closed', createdAt: now, updatedAt: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const ticket = await presentTicket(scope, id)
  const { number, status } = ticket
  await note(scope, id, 'create', step('ticket', 'no-living-ticket', { ticket: id, number, status }))
  tellChanged(scope, null, ticket)
  return ticket
}

async function findLiving(scope: Scope, w: Pick<Wanted, 'contactId' | 'whatsappId'>) {
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

/**
 * Closed a moment ago: the same conversation goes on, waiting for whoever is free. What was closed from the beginning
 * (see `placeForOurs`) was none, and has no leg.
 */
async function reuse(scope: Scope, w: Wanted): Promise<Opened | null> {
  const since = new Date(scope.now().getTime() - minutes(w.reuseMinutes))
  const before = await scope.db
    .selectFrom('tickets')
    .select(['id', 'companyId', 'userId', 'queueId', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', w.contactId)
    .where('whatsappId', '=', w.whatsappId)
    .where('status', '=', 'closed')
    .where('updatedAt', '>', since.toISOString())
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('ticketTracking as k')
          .select('k.id')
          .where('k.companyId', '=', scope.companyId)
          .whereRef('k.ticketId', '=', 'tickets.id'),
      ),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return null
  await scope.db
    .updateTable('tickets')
    .set({ status: 'pending', userId: null, laneSince: scope.now(), updatedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', before.id)
    .execute()
  await track(scope, { ...before, whatsappId: w.whatsappId }, { queuedAt: scope.now() })
  return { id: before.id, how: 'reused', status: 'pending', before }
}
