import { expect, test } from 'vitest'
import { countTroubles, isHealthy } from './health-troubles.ts'

const healthyFacts = {
  processes: [{ answers: true }],
  failures: [],
  waits: [{ late: false }],
  lines: [
    { status: 'CONNECTED' as const, reason: '' },
    { status: 'DISCONNECTED' as const, reason: 'off' },
  ],
}

test('says that nothing failed only when nothing needs attention', () => {
  expect(isHealthy(healthyFacts)).toBe(true)
  for (const trouble of [
    { processes: [{ answers: false }] },
    { failures: [{}] },
    { waits: [{ late: true }] },
    { lines: [{ status: 'DISCONNECTED' as const, reason: 'network' }] },
  ])
    expect(isHealthy({ ...healthyFacts, ...trouble })).toBe(false)
  expect(countTroubles(healthyFacts)).toEqual({ silent: 0, failed: 0, late: 0, lines: 0 })
})
