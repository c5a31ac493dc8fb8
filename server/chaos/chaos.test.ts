import { expect, it } from 'vitest'
import { countSteps, injectedFaultKinds, makeChaosPlan, minStepsForAllFaults } from './plan.ts'
import { runPlan } from './run-plan.ts'

/**
 * About a minute of chaos in every test run, with as many steps as are needed for every fault to occur once.
 * `CHAOS_SEED` sets another seed, `npm run chaos` runs any number of steps.
 */
const seed = Number(process.env.CHAOS_SEED ?? 22)

it(`loses, duplicates, reorders or misplaces nothing under any fault (seed ${seed})`, async () => {
  const plan = makeChaosPlan(seed, minStepsForAllFaults)
  expect(Object.keys(countSteps(plan.steps, 'misfortunes')).toSorted()).toEqual([...injectedFaultKinds].toSorted())
  const { faults, ...figures } = await runPlan(plan)
  const again = `npm run chaos -- --seed=${seed} --steps=${minStepsForAllFaults}`
  expect(faults, [again, JSON.stringify(figures), ...faults].join('\n')).toEqual([])
  expect(figures.in).toBeGreaterThan(20)
  expect(figures.out).toBeGreaterThan(5)
  expect(figures.surveys).toBeGreaterThan(0)
  expect(figures.linked.in).toBeGreaterThan(10)
  expect(figures.linked.out).toBeGreaterThan(2)
})
