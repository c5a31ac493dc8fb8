import type { IntegrationHealth } from '@recado/contract/integrations/integrations'
import { expect, test } from 'vitest'
import { countCalls, integrationState } from './integration-health.ts'

const now = Date.parse('2027-03-01T12:00:00Z')
const health = (part: Partial<IntegrationHealth>): IntegrationHealth => ({
  ...{ calls: [0, 3, 1], failed: [0, 0, 0], ms: 200, lastAt: null, inRow: 0, reason: '', restsUntil: null },
  ...part,
})

test('shows the worst state that applies to an integration', () => {
  expect(integrationState(health({}), now)).toBe('answers')
  expect(integrationState(health({ calls: [0, 0] }), now)).toBe('unused')
  expect(integrationState(health({ ms: 4200 }), now)).toBe('slow')
  expect(integrationState(health({ ms: 4200, inRow: 2 }), now)).toBe('fails')
  const until = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  expect(integrationState(health({ inRow: 5, restsUntil: until(3) }), now)).toBe('rests')
  expect(integrationState(health({ inRow: 5, restsUntil: until(-3) }), now)).toBe('fails')
  expect(countCalls(health({}))).toBe(4)
})
