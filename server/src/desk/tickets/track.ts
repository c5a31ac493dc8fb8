import type { Step } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'

/** The dashboard's clock: when an attendance was queued, started, finished. One open row per ticket. */
type Times = {
  queuedAt?: Date | null
  startedAt?: Date | null
  finishedAt?: Date | null
  ratingAt?: Date | null
  userId?: number | null
  rated?: boolean
  chatbotAt?: Date | null
}

export async function track(
  scope: Scope,
  ticket: { id: number; whatsappId: number | null },
  times: Times,
): Promise<void> {
  const { companyId } = scope
  const running = await scope.db
    .updateTable('ticketTracking')
    .set(times)
    .where('companyId', '=', companyId)
    .where('ticketId', '=', ticket.id)
    .where('finishedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (running) return
  const { id: ticketId, whatsappId } = ticket
  await scope.db
    .insertInto('ticketTracking')
    .values({ companyId, ticketId, whatsappId, createdAt: scope.now(), ...times })
    .execute()
}

/** On the attendance that is asked about: the newest that is over. */
export async function trackRating(
  scope: Scope,
  ticketId: number,
  times: Pick<Times, 'ratingAt' | 'rated'>,
): Promise<void> {
  await scope.db
    .updateTable('ticketTracking')
    .set(times)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('ticketTracking')
        .select('id')
        .where('companyId', '=', scope.companyId)
        .where('ticketId', '=', ticketId)
        .where('finishedAt', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1),
    )
    .execute()
}

/** Keeps what was done to a ticket and why, so that it can be explained later. */
export async function note(scope: Scope, ticketId: number, kind: string, ...steps: Step[]): Promise<void> {
  await scope.db
    .insertInto('ticketEvents')
    .values({
      companyId: scope.companyId,
      ticketId,
      userId: scope.person?.id ?? null,
      kind,
      steps: JSON.stringify(steps),
      at: scope.now(),
    })
    .execute()
}

export const step = (name: string, why: string, values: Step['with'] = {}): Step => ({ step: name, why, with: values })
