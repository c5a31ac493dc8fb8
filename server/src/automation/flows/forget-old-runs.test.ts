import { flowsApi } from '@recado/contract/flows/flows'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { addMs, days } from '../../kernel/clock.ts'
import { flowNightJobs } from './forget-old-runs.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

it('deletes ended runs after 90 days, and none that goes on', async () => {
  const document = {
    kind: 'flow',
    triggers: [{ kind: 'person' }],
    first: 'end',
    steps: [{ kind: 'end', id: 'end' }],
  } as const
  const draft = await desk.admin.call(flowsApi.create, { body: { name: 'Vieja', document } as never })
  const flow = await desk.admin.call(flowsApi.publish, { params: { id: draft.id }, body: { revision: draft.revision } })
  const { versionId } = await desk.db
    .selectFrom('flows')
    .select('versionId')
    .where('id', '=', flow.id)
    .executeTakeFirstOrThrow()
  const { id: ticketId } = await desk.newTicket('hola')
  const { contactId } = await desk.showTicket(ticketId)
  const ago = (n: number) => addMs(harness.clock.now(), -days(n))
  const run = (eventKey: string, startedAt: Date, endedAt: Date | null) => ({
    ...{
      companyId: desk.company.id,
      flowId: flow.id,
      versionId: versionId as number,
      ticketId,
      contactId,
      startedById: null,
    },
    ...{ eventKey, startedAt, endedAt, position: '{}', state: endedAt ? ('ended' as const) : ('failed' as const) },
    ...{ error: null, endReason: null },
  })
  await desk.db
    .insertInto('flowRuns')
    .values([run('old', ago(100), ago(91)), run('recent', ago(100), ago(89)), run('inside', ago(200), null)])
    .execute()
  await flowNightJobs(harness.server.deps)['flows:night']({})
  const left = await desk.db.selectFrom('flowRuns').select('eventKey').where('flowId', '=', flow.id).execute()
  expect(left.map(({ eventKey }) => eventKey).sort()).toEqual(['inside', 'recent'])
})
