import { expect, it } from 'vitest'
import { makeCompanySlots } from './in-worker.ts'

it('of each company as many at once as may be, the next in their order, and nobody beyond those who may wait', async () => {
  const turns = makeCompanySlots({ atOnce: 2, waiting: 2 })
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
  // Another company waits for none of them.
  ;(await turns(2))()
  expect(came).toEqual([])
  first()
  // Given back twice it is one turn all the same.
  first()
  const done = await third
  expect(came).toEqual(['third'])
  done()
  ;(await fourth)()
  expect(came).toEqual(['third', 'fourth'])
  // There is room again.
  ;(await turns(1))()
})
