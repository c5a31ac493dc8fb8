import { afterAll, expect, it } from 'vitest'
import { closeTestServers, testServer } from '../../test/test-server.ts'
import { openPool } from './data/database.ts'
import { openSignals } from './live/signals.ts'
import { makeLog } from './log.ts'
import { advertiseJobRunner, releaseOrphanedJobs } from './orphaned-jobs.ts'

afterAll(closeTestServers)

it('releases the jobs of a dead process, and the queue behind them, but not the jobs of a live process', async () => {
  // This server does not run jobs itself.
  const h = await testServer({ role: 'web' })
  const log = makeLog('silent')
  const owner = openPool(h.databaseUrl, log, { max: 2 })
  const signals = await openSignals(h.databaseUrl, log)
  for (const runner of ['dead', 'alive']) {
    await owner.query(`select graphile_worker.add_job('event', '{}', queue_name => $1)`, [`out:${runner}`])
    await owner.query(
      `with q as (update graphile_worker._private_job_queues set locked_at = now(), locked_by = $1 where queue_name = $2 returning id)
       update graphile_worker._private_jobs j set locked_at = now(), locked_by = $1 from q where j.job_queue_id = q.id`,
      [runner, `out:${runner}`],
    )
  }
  await advertiseJobRunner(signals, 'alive')
  const locked = async () => {
    const { rows } = await owner.query(
      `select locked_by from graphile_worker._private_jobs where locked_by is not null
       union select locked_by from graphile_worker._private_job_queues where locked_by is not null order by 1`,
    )
    return rows.map((row) => row.locked_by)
  }
  const orphans = releaseOrphanedJobs(owner, log, { pollMs: 3_600_000, goneMs: 1000 })
  await orphans.releaseNow(0)
  await orphans.releaseNow(999)
  expect(await locked()).toEqual(['alive', 'dead'])
  await orphans.releaseNow(1000)
  expect(await locked()).toEqual(['alive'])
  // The runner's connection breaks, and is restored in time.
  await signals.close()
  await orphans.releaseNow(2000)
  const again = await openSignals(h.databaseUrl, log)
  await advertiseJobRunner(again, 'alive')
  await orphans.releaseNow(2500)
  await orphans.releaseNow(3500)
  expect(await locked()).toEqual(['alive'])
  await again.close()
  await orphans.close()
  await owner.end()
})
