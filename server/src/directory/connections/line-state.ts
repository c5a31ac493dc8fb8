import { sql } from 'kysely'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { LineRow, LineState } from '../../lines/line.ts'
import { checkWaitingNumbers } from '../contact-lists/number-checks.ts'
import { publishLineSession } from './view.ts'

/**
 * Writes a line's reported state, and publishes it when it changed. A process that lost the line's lease, or reports for
 * an old round, is ignored.
 */
export async function saveLineState(deps: Deps, line: LineRow, state: LineState): Promise<void> {
  await new Scope(deps, { companyId: line.companyId }).transaction(async (scope) => {
    const { status, qrcode = '', pairingCode = '', reason = '', retries = 0 } = state
    // The old state is read only if a webhook needs it, because the write statement returns only the new state.
    const before = deps.webhookInterest.wants(line.companyId, 'line.state')
      ? await findStatus(scope, line.id)
      : undefined
    const row = await scope.db
      .updateTable('whatsapps')
      .set({
        status,
        qrcode,
        pairingCode,
        reason,
        retries,
        ...(state.number !== undefined && { number: state.number }),
        ...(state.number && linkedSinceValues(state.number, state.registeredAt ?? null, scope.now())),
        ...(state.gaveUp && { wanted: false }),
        updatedAt: scope.now(),
      })
      .where('companyId', '=', line.companyId)
      .where('id', '=', line.id)
      .where('wanted', '=', true)
      .where('wantedRound', '=', line.wantedRound)
      .where((eb) =>
        eb.exists(
          eb.selectFrom('lineLeases').select('fence').where('whatsappId', '=', line.id).where('fence', '=', line.fence),
        ),
      )
      .where(
        sql<boolean>`(status, qrcode, "pairingCode", reason, retries, number) is distinct from (${status}, ${qrcode}, ${pairingCode}, ${reason}, ${retries}::int, coalesce(${state.number ?? null}, number))`,
      )
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    await publishLineSession(scope, row, before)
    if (state.gaveUp) await scope.signal('lines')
    if (status === 'CONNECTED') await checkWaitingNumbers(scope)
  })
}

async function findStatus(scope: Scope, id: number): Promise<string | undefined> {
  const row = await scope.db
    .selectFrom('whatsapps')
    .select('status')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.status
}

/** The age of a line counts from when its number was registered at WhatsApp or, if that is not known, linked here. */
const linkedSinceValues = (number: string, registeredAt: Date | null, now: Date) => ({
  linkedNumber: number,
  linkedSince: sql<string>`least(${registeredAt}::timestamptz, ${now}::timestamptz,
    case when "linkedNumber" = ${number} then "linkedSince" end)`,
})
