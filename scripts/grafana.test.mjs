import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { metricDefinitions } from '../server/src/automation/health/metrics.ts'

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const board = JSON.parse(read('deploy/grafana.json'))
const asked = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
/** The metric names in a Prometheus expression: names that are not functions, labels or keywords. */
const namesIn = (expr) =>
  [...expr.replace(/\bby \([^)]*\)/g, '').matchAll(/[a-z][a-z0-9_]*(?=[[{)]|$| )/g)]
    .map(([name]) => name)
    .filter((name) => name.includes('_') && name !== 'histogram_quantile')
const named = new Set(
  asked.flatMap(namesIn).map((name) => name.replace(/^(http_request_seconds)_(bucket|count)$/, '$1')),
)

const usual = new Registry()
collectDefaultMetrics({ register: usual })
const ofProcess = new Set((await usual.getMetricsAsJSON()).map(({ name }) => name))
const kernel = [...read('server/src/kernel/http/metrics.ts').matchAll(/name: '(\w+)'/g)].map(([, name]) => name)
const own = new Set([...kernel, ...Object.keys(metricDefinitions)])

describe('Grafana dashboard', () => {
  it('queries only exported metrics', () => {
    expect(named.size).toBeGreaterThan(15)
    expect([...named].filter((name) => !own.has(name) && !ofProcess.has(name))).toEqual([])
  })

  it('shows all of our exported metrics', () => {
    expect([...own].filter((name) => !named.has(name))).toEqual([])
  })

  it('has a position for each panel', () => {
    const places = board.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
    expect(new Set(places).size).toBe(places.length)
    for (const { gridPos } of board.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })
})
