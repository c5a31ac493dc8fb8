import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proofOf, withReport } from './proof.mjs'

const docs = join(import.meta.dirname, '../docs')

test('keeps docs/proof.md identical to what docs/proof.json generates', () => {
  const results = JSON.parse(readFileSync(join(docs, 'proof.json'), 'utf8'))
  expect(readFileSync(join(docs, 'proof.md'), 'utf8')).toBe(proofOf(results))
})

test('sums up several runs, and marks the parts that were not run', () => {
  const run = { seed: 1, steps: 10, in: 5, out: 3, lost: 0, doubled: 0, disordered: 0, astray: 0, pressed: 1 }
  const runs = [
    { ...run, misfortunes: { kill: 2, cut: 1 } },
    { ...run, seed: 2, lost: 1, misfortunes: { kill: 1 } },
  ]
  const chaos = { at: '2026-01-31T00:00:00Z', machine: 'a machine', runs }
  const files = { 'server/test/tenant-isolation.test.ts': { passed: 7, failed: 0 } }
  const page = proofOf({ chaos, tests: { at: '2026-02-01T00:00:00Z', files } })
  expect(page).toContain('| 1, 2 | 20 | 10 | 6 | 1 | 0 | 0 | 0 | 2 |')
  expect(page).toContain('Failures injected: cut 1, kill 3.')
  expect(page).toContain('| `server/test/tenant-isolation.test.ts` | 7 | 0 |')
  expect(page).toMatch(/## It grows\n\n`npm run bench`\n\nNot run yet\./)
})

test('keeps the latest report for each part of the bench', () => {
  const report = (at, ...parts) => ({ at, machine: 'a machine', figures: parts.map((part) => ({ part })) })
  const first = withReport(withReport([], report('1', 'pages', 'figures')), report('2', 'figures'))
  expect(first).toEqual([report('1', 'pages'), report('2', 'figures')])
  expect(withReport(first, report('2', 'figures'))).toEqual(first)
  expect(withReport(first, report('3', 'pages', 'figures'))).toEqual([report('3', 'pages', 'figures')])
})
