import { expect, it } from 'vitest'
import { makeCompanySlots } from './in-worker.ts'

it('runs a limited number of tasks per company, the next in order, and refuses tasks above the waiting limit', async () => {
  const turns = makeCompanySlots({ maxRunning: 2, maxWaiting: 2 })
  const [first] = [await turns(1), await turns(1)]
  const came: string[] = []
  const third = turns(1).then((done) => {
    came.push('third')
    return done
  })
  const fourth = turns(1).then((done) => {
    came.push('fourth')
    return done
  })
  await expect(turns(1)).rejects.toThrow('ERR_TOO_MANY_TRIES')
  // Another company does not wait for these tasks.
  ;(await turns(2))()
  expect(came).toEqual([])
  first()
  // Releasing twice frees only one slot.
  first()
  const done = await third
  expect(came).toEqual(['third'])
  done()
  ;(await fourth)()
  expect(came).toEqual(['third', 'fourth'])
  // A slot is free again, so the next task runs.
  ;(await turns(1))()
})
