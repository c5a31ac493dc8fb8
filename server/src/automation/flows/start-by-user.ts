import { randomUUID } from 'node:crypto'
import type { ParsedInput, Reply } from '@recado/contract/endpoint'
import type { ErrorCode } from '@recado/contract/errors'
import type { flowsApi } from '@recado/contract/flows/flows'
import { assertCanStartFlow } from '../../desk/messages/write-permissions.ts'
import { lockVisibleTicket } from '../../desk/tickets/tags.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type ActiveFlow, loadRulebook } from '../rulebook.ts'
import { type StartRefusal, startFlow } from './runs/start-runs.ts'

const isStartable = ({ triggers }: ActiveFlow): boolean => triggers.includes('person')

export async function listStartable(scope: Scope): Promise<Reply<typeof flowsApi.startable>> {
  const { flows } = await loadRulebook(scope)
  return { flows: flows.filter(isStartable).map(({ id, kind, name }) => ({ id, kind, name })) }
}

const refusalCodes: Record<StartRefusal, ErrorCode> = {
  'no-match': 'ERR_FLOW_OFF',
  busy: 'ERR_FLOW_BUSY',
  silent: 'ERR_FLOW_CONTACT_SILENT',
  excluded: 'ERR_FLOW_EXCLUDED',
}

/** Starts a flow in the name of the user, in a locked ticket in which they may do so. */
export async function startFlowInTicket(scope: Scope, ticketId: number, flowId: number): Promise<void> {
  const flow = (await loadRulebook(scope)).flows.find(({ id }) => id === flowId)
  if (!flow || !isStartable(flow)) throw new AppError('ERR_FLOW_OFF')
  const details = { flowId, userId: scope.actor.id }
  const event = { id: 0, kind: 'person' as const, key: `person:${randomUUID()}`, details }
  const result = await startFlow(scope, ticketId, flow, event)
  if ('refusal' in result) throw new AppError(refusalCodes[result.refusal])
}

export async function startFlowByUser(
  scope: Scope,
  { params, body }: ParsedInput<typeof flowsApi.startInTicket>,
): Promise<{ message: string }> {
  const ticket = await lockVisibleTicket(scope, params.ticketId)
  assertCanStartFlow(scope, ticket)
  await startFlowInTicket(scope, ticket.id, body.flowId)
  return { message: 'Flow started' }
}
