import { type CallKind, type MachineCall, machineCallsApi } from '@recado/contract/machines/calls'
import { integrationsApi } from '@recado/contract/machines/integrations'
import { promptsApi } from '@recado/contract/machines/prompts'
import { type RawBuilder, sql } from 'kysely'
import { hours } from '../../kernel/clock.ts'
import { keepable } from '../../kernel/data/keepable.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'
import { integrations } from './integrations.ts'
import { prompts } from './prompts.ts'

const pageOf = 30
/** As much of what was asked and answered as anybody reads. */
const mostSigns = 8000

export type NewCall = Partial<Omit<MachineCall, 'id' | 'at' | 'contactName'>> & { kind: CallKind }

/** They have customers' words in them, and are only read to find out what went wrong. */
const keptMs = hours(24 * 30)

/** Written down whatever came of it, by who keeps keys out of it. Old ones go with each new one. */
export async function keepCall(scope: Scope, call: NewCall): Promise<number> {
  await scope.db
    .deleteFrom('machineCalls')
    .where('companyId', '=', scope.companyId)
    .where('at', '<', new Date(scope.now().getTime() - keptMs).toISOString())
    .execute()
  const cut = (text = '') => keepable(text.slice(0, mostSigns)).value
  const { asked, answered, error, ...rest } = call
  const { id } = await scope.db
    .insertInto('machineCalls')
    .values({
      ...rest,
      companyId: scope.companyId,
      at: scope.now(),
      asked: cut(asked),
      answered: cut(answered),
      error: cut(error),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** One of them, by who may read it. */
export const callById = async (scope: Scope, id: number): Promise<MachineCall | undefined> =>
  (await callsWhere(scope, sql`m.id = ${id}`, { failed: false })).calls[0]

async function callsWhere(
  scope: Scope,
  where: RawBuilder<unknown>,
  { before, failed }: { before?: number | undefined; failed: boolean },
): Promise<{ calls: MachineCall[]; hasMore: boolean }> {
  const older = before === undefined ? sql`true` : sql`m.id < ${before}`
  const { rows } = await sql<MachineCall>`
    select m.id, m.kind, m."promptId", m."integrationId", m."ticketId", m.at, m.ms, m.status, m.ok, m."tokensIn", m."tokensOut",
      m.asked, m.answered, m.error, case when c.name is null then '' else c.name end as "contactName"
    from "machineCalls" m
    left join tickets t on t."companyId" = m."companyId" and t.id = m."ticketId"
    left join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    where m."companyId" = ${scope.companyId} and ${where} and ${older} and (${!failed} or not m.ok)
    order by m.id desc limit ${pageOf + 1}`.execute(scope.db)
  return { calls: rows.slice(0, pageOf), hasMore: rows.length > pageOf }
}

export const callRoutes = [
  route(promptsApi.calls, async (scope, { params, query }) => {
    await prompts.stored(scope, params.id)
    return callsWhere(scope, sql`m."promptId" = ${params.id}`, query)
  }),
  route(integrationsApi.calls, async (scope, { params, query }) => {
    await integrations.stored(scope, params.id)
    return callsWhere(scope, sql`m."integrationId" = ${params.id}`, query)
  }),
  route(machineCallsApi.ofTicket, async (scope, { params: { ticketId }, query }) => {
    const ticket = scope.db.selectFrom('tickets').select('id').where('companyId', '=', scope.companyId)
    await ticket.where('id', '=', ticketId).executeTakeFirstOrThrow(() => new AppError('ERR_NO_TICKET_FOUND'))
    return callsWhere(scope, sql`m."ticketId" = ${ticketId}`, query)
  }),
]
