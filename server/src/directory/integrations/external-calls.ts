import { promptsApi } from '@recado/contract/ai/prompts'
import {
  type ExternalCall,
  type ExternalCallKind,
  externalCallsApi,
} from '@recado/contract/integrations/external-calls'
import { integrationsApi } from '@recado/contract/integrations/integrations'
import { type RawBuilder, sql } from 'kysely'
import { hours } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { prompts } from '../ai/prompts.ts'
import { integrations } from './integrations.ts'

const pageSize = 30
/** Maximum recorded length of a request and of its answer. */
const maxTextChars = 8000

export type NewExternalCall = Partial<Omit<ExternalCall, 'id' | 'at' | 'contactName'>> & { kind: ExternalCallKind }

/** Calls contain customer messages and are only read to find errors, so they are deleted after this time. */
const retentionMs = hours(24 * 30)

/** Records a call, whatever its result. The caller removes keys first. Each new record also deletes old ones. */
export async function saveExternalCall(scope: Scope, call: NewExternalCall): Promise<number> {
  await scope.db
    .deleteFrom('machineCalls')
    .where('companyId', '=', scope.companyId)
    .where('at', '<', new Date(scope.now().getTime() - retentionMs).toISOString())
    .execute()
  const cut = (text = '') => toStorableJson(text.slice(0, maxTextChars)).value
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

export const findExternalCall = async (scope: Scope, id: number): Promise<ExternalCall | undefined> =>
  (await listCalls(scope, sql`m.id = ${id}`, { failed: false })).calls[0]

async function listCalls(
  scope: Scope,
  where: RawBuilder<unknown>,
  { before, failed }: { before?: number | undefined; failed: boolean },
): Promise<{ calls: ExternalCall[]; hasMore: boolean }> {
  const older = before === undefined ? sql`true` : sql`m.id < ${before}`
  const { rows } = await sql<ExternalCall>`
    select m.id, m.kind, m."promptId", m."integrationId", m."ticketId", m.at, m.ms, m.status, m.ok, m."tokensIn", m."tokensOut",
      m.asked, m.answered, m.error, case when c.name is null then '' else c.name end as "contactName"
    from "machineCalls" m
    left join tickets t on t."companyId" = m."companyId" and t.id = m."ticketId"
    left join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    where m."companyId" = ${scope.companyId} and ${where} and ${older} and (${!failed} or not m.ok)
    order by m.id desc limit ${pageSize + 1}`.execute(scope.db)
  return { calls: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
}

export const externalCallRoutes = [
  route(promptsApi.calls, async (scope, { params, query }) => {
    await prompts.findRow(scope, params.id)
    return listCalls(scope, sql`m."promptId" = ${params.id}`, query)
  }),
  route(integrationsApi.calls, async (scope, { params, query }) => {
    await integrations.findRow(scope, params.id)
    return listCalls(scope, sql`m."integrationId" = ${params.id}`, query)
  }),
  route(externalCallsApi.ofTicket, async (scope, { params: { ticketId }, query }) => {
    const ticket = scope.db.selectFrom('tickets').select('id').where('companyId', '=', scope.companyId)
    await ticket.where('id', '=', ticketId).executeTakeFirstOrThrow(() => new AppError('ERR_NO_TICKET_FOUND'))
    return listCalls(scope, sql`m."ticketId" = ${ticketId}`, query)
  }),
]
