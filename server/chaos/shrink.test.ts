import { describe, expect, it } from 'vitest'
import { type ChaosEvidence, judgeEvidence, type SentByCustomer } from './judge.ts'
import {
  type ChaosPlan,
  countSteps,
  injectedFaultKinds,
  isInjectedFault,
  makeChaosPlan,
  minStepsForAllFaults,
} from './plan.ts'
import { shrinkPlan, shrinkSteps } from './shrink.ts'

const numbers = Array.from({ length: 200 }, (_, n) => n)

it('shrinks a long plan to the two steps that cause the failure', async () => {
  let runs = 0
  const fails = async (steps: number[]) => {
    runs++
    return steps.includes(37) && steps.includes(160)
  }
  const {
    steps,
    attempts: tried,
    isComplete: done,
  } = await shrinkSteps(numbers, fails, { maxAttempts: 200, deadline: Number.POSITIVE_INFINITY })
  expect(steps).toEqual([37, 160])
  expect(done).toBe(true)
  expect(tried).toBe(runs)
  expect(runs).toBeLessThan(60)
})

it('shrinks a plan to three steps that fail only together, and keeps their order', async () => {
  const fails = async (steps: number[]) => [5, 99, 198].every((one) => steps.includes(one))
  expect((await shrinkSteps(numbers, fails, { maxAttempts: 500, deadline: Number.POSITIVE_INFINITY })).steps).toEqual([
    5, 99, 198,
  ])
})

it('stops shrinking when its attempts or its time run out, and returns a plan that still fails', async () => {
  const fails = async (steps: number[]) => steps.includes(37)
  const few = await shrinkSteps(numbers, fails, { maxAttempts: 3, deadline: Number.POSITIVE_INFINITY })
  expect(few).toMatchObject({ attempts: 3, isComplete: false })
  expect(await fails(few.steps)).toBe(true)
  let now = 0
  const brief = await shrinkSteps(numbers, fails, { maxAttempts: 100, deadline: 5, now: () => now++ })
  expect(brief).toMatchObject({ attempts: 5, isComplete: false })
  expect(await fails(brief.steps)).toBe(true)
})

describe('shrinking a failed chaos run', () => {
  /**
   * A tiny replacement for the server with known bugs: after a kill and a clock jump it stores customers' messages
   * twice, and after it was slow it loses files.
   */
  async function faulty({ steps }: ChaosPlan) {
    const been = new Set<string>()
    const said: SentByCustomer[] = []
    const rows: ChaosEvidence['rows'] = []
    for (const step of steps) {
      if (isInjectedFault(step)) been.add(step.do)
      if (step.do !== 'write' && step.do !== 'send-file') continue
      const [chat, id, turn] = [String(step.customer), `w${said.length}`, said.length]
      said.push({ chat, id, turn, second: turn })
      const isTwice = step.do === 'write' && been.has('kill') && been.has('clock')
      const times = step.do === 'send-file' && been.has('slow') ? 0 : isTwice ? 2 : 1
      for (let n = 0; n < times; n++)
        rows.push({
          ...{ id: `${id}-${n}`, wid: id, chat, fromMe: false, body: '', state: 'received', error: null },
          ...{ mediaState: 'none', clientId: null, later: false, at: '' },
        })
    }
    const nothing = {
      received: [],
      requests: [],
      tickets: [],
      screens: [],
      retried: [],
      unfinished: [],
      failedSchedules: [],
    }
    return { ...judgeEvidence({ sent: said, rows, ...nothing }), broken: 0 }
  }
  const endless = { maxAttempts: 500, deadline: Number.POSITIVE_INFINITY }

  it('finds the shortest plan with the same failure, from which no step can be removed', async () => {
    const plan = makeChaosPlan(22, minStepsForAllFaults)
    const first = { ...(await faulty(plan)), lost: 0 }
    expect(first.doubled).toBeGreaterThan(0)
    const { steps, attempts: tried, isComplete: done } = await shrinkPlan(plan, first, faulty, endless)
    expect(done).toBe(true)
    expect(steps.map((step) => step.do)).toEqual(['kill', 'clock', 'write'])
    expect(steps.every((step) => plan.steps.includes(step))).toBe(true)
    expect(await faulty({ ...plan, steps })).toMatchObject({ doubled: 1, lost: 0 })
    for (let n = 0; n < 3; n++) expect((await faulty({ ...plan, steps: steps.toSpliced(n, 1) })).faults).toEqual([])
    // A real run takes half a minute, and a bug must be found in an evening.
    expect(tried).toBeLessThan(60)
  })

  it('does not accept a shorter plan that fails in another way', async () => {
    const plan = makeChaosPlan(22, 3 * minStepsForAllFaults)
    const first = await faulty(plan)
    expect(first.lost).toBeGreaterThan(0)
    const { steps } = await shrinkPlan(plan, { ...first, doubled: 0 }, faulty, endless)
    expect(steps.map((step) => step.do)).toEqual(['slow', 'send-file'])
  })
})

it('makes the same plan from the same seed, and another plan from another seed', () => {
  expect(makeChaosPlan(7, 300)).toEqual(makeChaosPlan(7, 300))
  expect(makeChaosPlan(7, 300).steps).not.toEqual(makeChaosPlan(8, 300).steps)
  expect(makeChaosPlan(7, 50).steps).toEqual(makeChaosPlan(7, 300).steps.slice(0, 50))
})

it('includes every fault and every action in a run of a minute', () => {
  for (const seed of [1, 2, 3, 22]) {
    const { steps } = makeChaosPlan(seed, minStepsForAllFaults)
    expect(Object.values(countSteps(steps, 'misfortunes'))).toEqual(injectedFaultKinds.map(() => 1))
    const actions = new Set(
      makeChaosPlan(seed, 2 * minStepsForAllFaults)
        .steps.filter((step) => !isInjectedFault(step))
        .map((step) => step.do),
    )
    expect(actions.size).toBe(13)
  }
})
