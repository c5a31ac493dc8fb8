import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { closeTestServers, testServer } from '../../test/test-server.ts'
import { openPool } from './data/database.ts'
import { asExternalCallJob, asLongRunningJob, forEachCollectErrors, type JobHandlers, startJobs } from './jobs.ts'
import { openSignals } from './live/signals.ts'
import { makeLog } from './log.ts'

afterAll(closeTestServers)

it('runs long jobs and jobs that wait for external services without blocking others', async () => {
  // This server does not run jobs itself.
  const h = await testServer({ role: 'web' })
  const log = makeLog('silent')
  const owner = openPool(h.databaseUrl, log, { max: 6 })
  const signals = await openSignals(h.databaseUrl, log)
  const end = Promise.withResolvers<void>()
  const begun: string[] = []
  const hangs = (name: string) => async () => {
    begun.push(name)
    await end.promise
  }
  const handlers = {
    'list:import': asLongRunningJob(hangs('import')),
    'mail:send': asExternalCallJob(hangs('mail')),
    event: async () => void begun.push('event'),
  } as unknown as JobHandlers
  const jobs = await startJobs(owner, handlers, log, '', signals)
  onTestFinished(async () => {
    end.resolve()
    await jobs.stop()
    await signals.close()
    await owner.end()
  })
  for (const name of ['list:import', 'mail:send'])
    await owner.query('select graphile_worker.add_job($1, $2) from generate_series(1, 20)', [name, '{}'])
  await vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(12), { timeout: 20_000 })
  await owner.query(`select graphile_worker.add_job('event', '{}')`)
  await vi.waitFor(() => expect(begun).toContain('event'), { timeout: 20_000 })
  // As many jobs run at once as the group has workers, and no more.
  const count = (name: string) => begun.filter((one) => one === name).length
  expect([count('import'), count('mail')]).toEqual([4, 8])
})

describe('a job that processes items one after another', () => {
  it('processes all items, and fails at the end if one of them failed', async () => {
    const done: number[] = []
    const work = forEachCollectErrors([1, 2, 3], async (one) => {
      if (one === 2) throw new Error('not two')
      done.push(one)
    })
    await expect(work).rejects.toThrow('not two')
    expect(done).toEqual([1, 3])
  })

  it('reports how many failed', async () => {
    await expect(forEachCollectErrors([1, 2, 3], (one) => Promise.reject(new Error(`not ${one}`)))).rejects.toThrow(
      '3 of 3: Error: not 1',
    )
    await forEachCollectErrors([], () => Promise.reject(new Error('never')))
  })
})
