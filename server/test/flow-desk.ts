import type { FlowDocument, FlowLimits } from '@recado/contract/flows/flow-document'
import type { FlowStepKind } from '@recado/contract/flows/flow-steps'
import type { FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { tagsApi } from '@recado/contract/tags'
import { type Desk, openDesk } from './desk.ts'
import type { TestCustomer } from './sandbox-phone.ts'
import type { TestServer } from './test-server.ts'

/** A document as a program sends it; what is left out has its default. */
export type FlowDraft = Pick<FlowDocument, 'kind' | 'first'> & {
  triggers: { kind: FlowTriggerKind; [key: string]: unknown }[]
  steps: { kind: FlowStepKind; id: string; [key: string]: unknown }[]
  conditions?: object
  limits?: Partial<FlowLimits>
}
export type FlowDesk = Awaited<ReturnType<typeof openFlowDesk>>

let lastSequence = 0

/** A company with flows, and helpers to publish them, to make something happen, and to see what they did. */
export async function openFlowDesk(h: TestServer, lineOptions: Record<string, unknown> = {}) {
  const desk = await openDesk(h, lineOptions)
  const { db, admin, company } = desk
  const { flows, inbox } = h.server.switchboard

  async function publish(document: FlowDraft, name = `Flow ${++lastSequence}`): Promise<Flow> {
    const draft: Flow = await admin.call(flowsApi.create, { body: { name, document } })
    return admin.call(flowsApi.publish, { params: { id: draft.id }, body: { revision: draft.revision } })
  }
  const createTag = async (name = `Tag ${++lastSequence}`): Promise<number> =>
    (await admin.call(tagsApi.create, { body: { name, color: '#112233' } })).id
  /** Writes that something happened to a ticket, as the database and the timers do. */
  async function announce(
    ticketId: number,
    kind: FlowTriggerKind,
    { key = `${kind}:${ticketId}:${++lastSequence}`, details = {} }: { key?: string; details?: object } = {},
  ): Promise<string> {
    const row = { companyId: company.id, kind, key, ticketId, details: JSON.stringify(details) }
    await db.insertInto('flowEvents').values(row).execute()
    return key
  }
  const listRuns = (flow: Pick<Flow, 'id'>) =>
    db.selectFrom('flowRuns').selectAll().where('flowId', '=', flow.id).orderBy('id').execute()
  const flowOf = (ticketId: number) =>
    db.selectFrom('tickets').select('flowRunId').where('id', '=', ticketId).executeTakeFirstOrThrow()
  /** Resolves when nothing is left to do for messages and flows. */
  async function settle(): Promise<void> {
    await inbox.idle()
    await flows.idle()
  }
  /** The customer writes, and everything that follows is done. */
  async function say(customer: TestCustomer, text: string): Promise<void> {
    await desk.waitForHandled(await customer.says(text))
    await settle()
  }
  /** What was written to the customer by flows, in order. */
  const listSaid = async (ticketId: number): Promise<string[]> => {
    const rows = await db
      .selectFrom('messages')
      .select('body')
      .where('ticketId', '=', ticketId)
      .where('bot', '=', 'flow')
      .orderBy('id')
      .execute()
    return rows.map(({ body }) => body)
  }
  return { ...desk, createTag, publish, announce, listRuns, loadSpeaker: flowOf, settle, say, listSaid }
}

export type FlowTicket = Awaited<ReturnType<Desk['newTicket']>>
