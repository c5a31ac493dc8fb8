import { expect, it } from 'vitest'
import { countsOf, isMisfortune, misfortunes, planOf, stepsIn } from './plan.ts'
import { shrink } from './shrink.ts'

const many = Array.from({ length: 200 }, (_, n) => n)

it('finds the two guilty steps among many', async () => {
  let runs = 0
  const fails = async (steps: number[]) => {
    runs++
    return steps.includes(37) && steps.includes(160)
  }
  const { steps, tried, done } = await shrink(many, fails, { tries: 200, until: Number.POSITIVE_INFINITY })
  expect(steps).toEqual([37, 160])
  expect(done).toBe(true)
  expect(tried).toBe(runs)
  expect(runs).toBeLessThan(60)
})

it('finds three that need each other, and keeps their order', async () => {
  const fails = async (steps: number[]) => [5, 99, 198].every((one) => steps.includes(one))
  expect((await shrink(many, fails, { tries: 500, until: Number.POSITIVE_INFINITY })).steps).toEqual([5, 99, 198])
})

it('stops when its tries or its time are over, with something that fails', async () => {
  const fails = async (steps: number[]) => steps.includes(37)
  const few = await shrink(many, fails, { tries: 3, until: Number.POSITIVE_INFINITY })
  expect(few).toMatchObject({ tried: 3, done: false })
  expect(await fails(few.steps)).toBe(true)
  let now = 0
  const brief = await shrink(many, fails, { tries: 100, until: 5, now: () => now++ })
  expect(brief).toMatchObject({ tried: 5, done: false })
  expect(await fails(brief.steps)).toBe(true)
})

it('makes the same plan of the same seed, and another of another', () => {
  expect(planOf(7, 300)).toEqual(planOf(7, 300))
  expect(planOf(7, 300).steps).not.toEqual(planOf(8, 300).steps)
  expect(planOf(7, 50).steps).toEqual(planOf(7, 300).steps.slice(0, 50))
})

it('lets everything befall a run of a minute, and people do everything', () => {
  for (const seed of [1, 2, 3]) {
    const { steps } = planOf(seed, stepsIn(0.65))
    expect(Object.keys(countsOf(steps, 'misfortunes')).toSorted()).toEqual([...misfortunes].toSorted())
    const deeds = new Set(steps.filter((step) => !isMisfortune(step)).map((step) => step.do))
    expect(deeds.size).toBe(11)
  }
})
