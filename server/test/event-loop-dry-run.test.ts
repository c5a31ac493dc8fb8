import { type DryRun, flowsApi } from '@recado/contract/flows/flows'
import { afterAll, expect, it, vi } from 'vitest'
import { openDesk } from './desk.ts'
import { measureEventLoopBlock } from './event-loop-block.ts'
import { openOwnerPool } from './fixtures.ts'
import { insertPastMessages } from './past-messages.ts'
import { closeTestServers, testServer } from './test-server.ts'

afterAll(closeTestServers)

it('looks at 20,000 messages of the past without blocking the event loop', async () => {
  const harness = await testServer()
  harness.clock.freeze()
  const desk = await openDesk(harness)
  const owner = openOwnerPool(harness)
  await insertPastMessages(owner, desk, { now: harness.clock.now().getTime(), count: 20_000, tickets: 2000 })
  await owner.query('analyze messages; analyze tickets; analyze "ticketTracking"')
  await owner.end()
  const document = {
    ...{ kind: 'rule', triggers: [{ kind: 'message', words: { words: ['precio'] } }], first: 'a' },
    conditions: { match: 'all', of: [{ field: 'status', in: ['pending'] }] },
    limits: { hoursPerContact: 240 },
    steps: [
      { kind: 'priority', id: 'a', priority: 'high', next: 'b' },
      { kind: 'end', id: 'b' },
    ],
  }
  const dryRun = async (): Promise<DryRun> => {
    const { id } = await desk.admin.call(flowsApi.dryRun, { body: { document, flowId: null } })
    return vi.waitFor(
      async () => {
        const run = await desk.admin.call(flowsApi.dryRunResult, { params: { id } })
        expect(run.state).not.toBe('running')
        return run
      },
      { timeout: 60_000, interval: 20 },
    )
  }
  const { ms, answer } = await measureEventLoopBlock(dryRun)
  expect(answer).toMatchObject({ state: 'done', daysDone: 30, isCapped: false })
  const starts = answer.days.reduce((sum, { n }) => sum + n, 0)
  expect(starts + answer.excluded.reduce((sum, { n }) => sum + n, 0)).toBe(20_000)
  expect(ms).toBeLessThan(50)
}, 120_000)
