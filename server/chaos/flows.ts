import type pg from 'pg'
import { type AgentClient, expectDone } from './agent-client.ts'

/** Starts the survey. */
export const surveyWord = 'encuesta'
const noteText = 'Contado por el flujo'
const questions = { taste: '¿Le gustó, del 1 al 5?', delivery: '¿Y la entrega, del 1 al 5?' }
const thanks = 'Gracias por su respuesta.'
const handOver = 'Le paso con una persona.'

/** Leaves one note for each message of a customer. It writes nothing to customers, so bots go on. */
const countingFlow = {
  kind: 'rule',
  triggers: [{ kind: 'message' }],
  first: 'note',
  steps: [
    { kind: 'note', id: 'note', text: noteText, next: 'end' },
    { kind: 'end', id: 'end' },
  ],
}

const question = (id: keyof typeof questions, next: string) => ({
  ...{ kind: 'ask', id, text: questions[id], answer: { kind: 'number', min: 1, max: 5 }, variable: id },
  ...{
    retries: 1,
    retryText: 'Un número del 1 al 5, por favor.',
    silence: { minutes: 60, next },
    next,
    otherwise: 'person',
  },
})
/** Asks, waits for an hour, asks again, and thanks. It goes on without an answer, but not without understanding one. */
const survey = {
  kind: 'flow',
  triggers: [{ kind: 'message', words: { words: [surveyWord] } }],
  first: 'taste',
  steps: [
    question('taste', 'hour'),
    { kind: 'wait', id: 'hour', until: { kind: 'time', minutes: 60 }, next: 'delivery' },
    question('delivery', 'thanks'),
    { kind: 'say', id: 'thanks', text: thanks, next: 'end' },
    { kind: 'person', id: 'person', text: handOver },
    { kind: 'end', id: 'end' },
  ],
}

/** The published flows of a company. */
export type ChaosFlows = { countingId: number; surveyId: number }

export async function publishFlows(admin: AgentClient): Promise<ChaosFlows> {
  const publish = async (name: string, document: object) => {
    const created = await admin.callUntilAnswered<{ id: number; revision: number }>('POST', '/flows', {
      name,
      document,
    })
    const { id, revision } = expectDone(created)
    expectDone(await admin.callUntilAnswered('POST', `/flows/${id}/publish`, { revision }))
    return id
  }
  return { countingId: await publish('Contar', countingFlow), surveyId: await publish('Encuesta', survey) }
}

/** Ends every pause of the flows, as an hour without an answer does. */
export const endFlowPauses = (db: pg.Pool, companyId: number, now: number) =>
  db.query(
    `update "flowRuns" set "dueAt" = $2, "waitsUntil" = $2
     where "companyId" = $1 and state = 'waiting' and "dueAt" > $2`,
    [companyId, new Date(now)],
  )

/** What the flows still have to do. */
export const pendingFlowWorkSql = `
  select 'flow events' as what, count(*)::int as n from "flowEvents" where "companyId" = $1
  union all select 'flow runs', count(*)::int from "flowRuns" where "companyId" = $1 and "endedAt" is null`

/** How many surveys came to their end. */
export async function countSurveys(db: pg.Pool, companyId: number, { surveyId }: ChaosFlows): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from "flowRuns"
     where "companyId" = $1 and "flowId" = $2 and "endReason" in ('end', 'person')`,
    [companyId, surveyId],
  )
  return rows[0]?.count ?? 0
}

/** What the flows did more or less often than they had to. */
export async function listFlowFaults(db: pg.Pool, companyId: number, flows: ChaosFlows): Promise<string[]> {
  return [...(await listCountingFaults(db, companyId, flows)), ...(await listSurveyFaults(db, companyId, flows))]
}

/** Messages that did not start the counting flow once, and notes that do not match its runs. */
async function listCountingFaults(db: pg.Pool, companyId: number, { countingId }: ChaosFlows): Promise<string[]> {
  const { rows } = await db.query<{ wid: string; runs: number }>(
    `select m.wid, (select count(*)::int from "flowRuns" r
       where r."companyId" = $1 and r."flowId" = $2 and r."eventKey" = 'message:' || m.id) as runs
     from messages m join tickets t on t."companyId" = m."companyId" and t.id = m."ticketId"
     where m."companyId" = $1 and not m."fromMe" and not t."isGroup" and m."mediaType" <> 'call_log'`,
    [companyId, countingId],
  )
  const counts = await db.query<{ runs: number; notes: number }>(
    `select (select count(*)::int from "flowRuns" where "companyId" = $1 and "flowId" = $2) as runs,
       (select count(*)::int from "ticketNotes" where "companyId" = $1 and note = $3) as notes`,
    [companyId, countingId, noteText],
  )
  const { runs = 0, notes = 0 } = counts.rows[0] ?? {}
  return [
    ...rows.filter((row) => row.runs !== 1).map((row) => `${row.wid} started the flow ${row.runs} times`),
    ...(runs === notes ? [] : [`${runs} runs of the flow left ${notes} notes`]),
  ]
}

/**
 * Surveys that asked or thanked twice, or ended without having done so. A survey that a person ended by taking the ticket
 * may have written less.
 */
async function listSurveyFaults(db: pg.Pool, companyId: number, { surveyId }: ChaosFlows): Promise<string[]> {
  type Surveys = { contactId: number; runs: number; thanked: number; handedOver: number; said: string[] }
  const { rows } = await db.query<Surveys>(
    `select r."contactId", count(*)::int as runs, count(*) filter (where r."endReason" = 'end')::int as thanked,
       count(*) filter (where r."endReason" = 'person')::int as "handedOver",
       (select coalesce(array_agg(m.body), '{}') from messages m
         where m."companyId" = $1 and m."contactId" = r."contactId" and m.bot = 'flow') as said
     from "flowRuns" r where r."companyId" = $1 and r."flowId" = $2 group by r."contactId"`,
    [companyId, surveyId],
  )
  return rows.flatMap(({ contactId, runs, thanked, handedOver, said }) => {
    const figures = `${runs} surveys of contact ${contactId}, of which ${thanked} thanked and ${handedOver} handed over`
    const check = (text: string, least: number, most: number) => {
      const count = said.filter((body) => body === text).length
      return count < least || count > most ? [`${figures}, wrote "${text}" ${count} times`] : []
    }
    return [
      ...check(questions.taste, thanked + handedOver, runs),
      ...check(questions.delivery, thanked, runs),
      ...check(thanks, thanked, thanked),
      ...check(handOver, handedOver, handedOver),
    ]
  })
}
