import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { ParsedInput } from '@recado/contract/endpoint'
import { keepParts } from '@recado/contract/flows/flow-call'
import { flowHookPath, type flowHooksApi } from '@recado/contract/flows/flow-hooks'
import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import { sql } from 'kysely'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import { graceDaysExpression } from '../../accounts/grace-days.ts'
import { isCompanyPaid } from '../../accounts/payment-status.ts'
import { readIdempotencyKey } from '../../desk/public-api/idempotency.ts'
import { findDefaultLine } from '../../desk/public-api/lines.ts'
import { lockRecipientContact, resolveRecipient } from '../../desk/public-api/numbers.ts'
import { lockTicket } from '../../desk/tickets/base/ticket-view.ts'
import { joinOrStartTicket } from '../../desk/tickets/open.ts'
import type { PhoneQueries } from '../../directory/contacts/phone-queries.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AttemptLimiter, TokenBucket } from '../../kernel/http/rate-limits.ts'
import { loadFlowDocument } from './runs/flow-versions.ts'
import { publishFlows } from './save-flows.ts'
import { findFlow } from './show-flows.ts'

const tokenBytes = 32
const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Gives the flow a new address, which is shown only once. An earlier one stops working. */
export async function setHook(scope: Scope, flowId: number): Promise<{ url: string }> {
  const token = randomBytes(tokenBytes).toString('base64url')
  await changeHook(scope, flowId, hashToken(token))
  return { url: `${scope.deps.publicUrl}${flowHookPath}${token}` }
}

export async function removeHook(scope: Scope, flowId: number): Promise<{ message: string }> {
  await changeHook(scope, flowId, null)
  return { message: 'Address removed' }
}

async function changeHook(scope: Scope, flowId: number, hookHash: string | null): Promise<void> {
  const { name } = await findFlow(scope, flowId)
  await scope.db
    .updateTable('flows')
    .set({ hookHash })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', flowId)
    .execute()
  await writeAudit(scope, 'flow.changed', flowId, name)
  publishFlows(scope, [flowId])
}

type HookedFlow = {
  id: number
  companyId: number
  versionId: number | null
  isOn: boolean
  isCompanyActive: boolean
  dueDate: string | null
  graceDays: number
  zone: string | null
  hasApi: boolean
}

/** The flow of an address, whatever its company. */
async function findHookedFlow(scope: Scope, token: string): Promise<HookedFlow> {
  const { rows } = await sql<HookedFlow>`
    select f.id, f."companyId", f."versionId", f.active as "isOn", c.status as "isCompanyActive", c."dueDate",
      ${graceDaysExpression} as "graceDays", z.value as zone, coalesce(p."useExternalApi", false) as "hasApi"
    from flows f join companies c on c.id = f."companyId"
    left join plans p on p.id = c."planId"
    left join settings z on z."companyId" = c.id and z.key = 'timezone'
    where f."hookHash" = ${hashToken(token)}`.execute(scope.db)
  if (!rows[0]) throw new AppError('ERR_FLOW_HOOK')
  return rows[0]
}

/** The same rules as for messages of programs. */
function assertMayCall(flow: HookedFlow, now: Date): void {
  if (!flow.isCompanyActive) throw new AppError('ERR_COMPANY_INACTIVE')
  if (!isCompanyPaid(flow, now)) throw new AppError('ERR_SUBSCRIPTION_EXPIRED')
  if (!flow.hasApi) throw new AppError('ERR_PLAN_FEATURE')
}

export type HookDeps = { phones: PhoneQueries; numberCheckLimit: AttemptLimiter; callsPerFlow: TokenBucket }
type HookInput = Pick<ParsedInput<typeof flowHooksApi.start>, 'params' | 'body'>

/**
 * A program calls the address of a flow: the flow starts in the open or waiting ticket of the contact, or in a new
 * waiting one on the default line.
 */
export async function callHook(
  wide: Scope,
  { params, body }: HookInput,
  idempotencyKey: unknown,
  { phones, numberCheckLimit, callsPerFlow }: HookDeps,
): Promise<{ message: string }> {
  const call = await readIdempotencyKey(idempotencyKey, body, [])
  const flow = await findHookedFlow(wide, params.token)
  const { retryInMs } = callsPerFlow.take(`${flow.companyId} ${flow.id}`)
  if (retryInMs > 0) throw new AppError('ERR_RATE_LIMIT', undefined, { retryAfter: Math.ceil(retryInMs / 1000) })
  assertMayCall(flow, wide.now())
  const scope = new Scope(wide.deps, { companyId: flow.companyId })
  const trigger = await findHookTrigger(scope, flow)
  const line = await findDefaultLine(scope)
  // The line may be asked about the number, which takes its time.
  const who = await resolveRecipient(scope, line, body.number, { phones, numberCheckLimit })
  const key = `hook:${call ? createHash('sha256').update(call.key).digest('base64url') : randomUUID()}`
  const variables = keepParts(trigger.keep, body)
  await scope.transaction(async (tx) => {
    const { id: contactId, isGroup } = await lockRecipientContact(tx, who)
    if (isGroup) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
    const ticketId = await findOrStartTicket(tx, contactId, line.id)
    const details = JSON.stringify({ flowId: flow.id, variables })
    await tx.db
      .insertInto('flowEvents')
      .values({ companyId: flow.companyId, kind: 'hook', key, ticketId, details })
      .execute()
    await tx.signal('flows')
  })
  return { message: 'Accepted' }
}

async function findHookTrigger(
  scope: Scope,
  { versionId, isOn }: HookedFlow,
): Promise<Extract<FlowTrigger, { kind: 'hook' }>> {
  const document = isOn && versionId !== null ? await loadFlowDocument(scope, versionId) : null
  const trigger = document?.triggers.find(({ kind }) => kind === 'hook')
  if (trigger?.kind !== 'hook') throw new AppError('ERR_FLOW_OFF')
  return trigger
}

/** The newest conversation of the contact on any line, locked. */
async function findOrStartTicket(scope: Scope, contactId: number, whatsappId: number): Promise<number> {
  const living = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('status', 'in', ['open', 'pending'])
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (living) {
    await lockTicket(scope, living.id)
    return living.id
  }
  const place = { contactId, whatsappId, isGroup: false, queueId: null, userId: null }
  return (await joinOrStartTicket(scope, place)).id
}
