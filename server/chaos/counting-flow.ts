import type pg from 'pg'
import { type AgentClient, expectDone } from './agent-client.ts'

const noteText = 'Contado por el flujo'

/** Publishes a rule that leaves one note for each message of a customer. It writes nothing to customers, so bots go on. */
export async function publishCountingFlow(admin: AgentClient): Promise<void> {
  const document = {
    kind: 'rule',
    triggers: [{ kind: 'message' }],
    first: 'note',
    steps: [
      { kind: 'note', id: 'note', text: noteText, next: 'end' },
      { kind: 'end', id: 'end' },
    ],
  }
  const body = { name: 'Contar', document }
  const flow = expectDone(await admin.callUntilAnswered<{ id: number; revision: number }>('POST', '/flows', body))
  expectDone(await admin.callUntilAnswered('POST', `/flows/${flow.id}/publish`, { revision: flow.revision }))
}

/** What the flow still has to do. */
export const pendingFlowWorkSql = `
  select 'flow events' as what, count(*)::int as n from "flowEvents" where "companyId" = $1
  union all select 'flow runs', count(*)::int from "flowRuns" where "companyId" = $1 and "endedAt" is null`

/** Messages that did not start the flow once, and notes that do not match its runs. */
export async function listFlowFaults(db: pg.Pool, companyId: number): Promise<string[]> {
  const { rows } = await db.query<{ wid: string; runs: number }>(
    `select m.wid, (select count(*)::int from "flowRuns" r where r."companyId" = $1 and r."eventKey" = 'message:' || m.id) as runs
     from messages m join tickets t on t."companyId" = m."companyId" and t.id = m."ticketId"
     where m."companyId" = $1 and not m."fromMe" and not t."isGroup" and m."mediaType" <> 'call_log'`,
    [companyId],
  )
  const counts = await db.query<{ runs: number; notes: number }>(
    `select (select count(*)::int from "flowRuns" where "companyId" = $1) as runs,
       (select count(*)::int from "ticketNotes" where "companyId" = $1 and note = $2) as notes`,
    [companyId, noteText],
  )
  const { runs = 0, notes = 0 } = counts.rows[0] ?? {}
  return [
    ...rows.filter((row) => row.runs !== 1).map((row) => `${row.wid} started the flow ${row.runs} times`),
    ...(runs === notes ? [] : [`${runs} runs of the flow left ${notes} notes`]),
  ]
}
