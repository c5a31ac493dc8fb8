import { expect, it } from 'vitest'
import { planOf, stepsIn } from './plan.ts'
import { runPlan } from './run.ts'

/** About a minute of chaos in every test run. `CHAOS_SEED` is another one, `npm run chaos` as many as one likes. */
const minutes = 0.4
const seed = Number(process.env.CHAOS_SEED ?? 22)

it('nothing is lost, doubled, out of order or astray, whatever befalls the house', async () => {
  const { faults, ...figures } = await runPlan(planOf(seed, stepsIn(minutes)))
  const again = `npm run chaos -- --seed=${seed} --minutes=${minutes}`
  expect(faults, `${again}\n${JSON.stringify(figures)}`).toEqual([])
  expect(figures.in).toBeGreaterThan(20)
  expect(figures.out).toBeGreaterThan(5)
})
