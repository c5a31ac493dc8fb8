import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { daysToFix, reportOf } from './vulnerable.mjs'

const today = new Date('2026-11-17T12:00:00Z')
const advisory = (severity) => ({
  name: `a-${severity}`,
  severity,
  range: '<2',
  via: [{ title: 'Reads beyond its end' }, 'b'],
})

it('names each advisory with the day by which it has to be fixed, the gravest first', () => {
  const { lines, isGrave } = reportOf({ vulnerabilities: { a: advisory('moderate'), b: advisory('critical') } }, today)
  expect(lines).toEqual([
    'critical a-critical <2: Reads beyond its end; by b (fix by 2026-11-20)',
    'moderate a-moderate <2: Reads beyond its end; by b (fix by 2027-02-15)',
  ])
  expect(isGrave).toBe(true)
})

it('fails for high and critical ones alone, and when the registry gave no answer', () => {
  for (const severity of ['moderate', 'low', 'info'])
    expect(reportOf({ vulnerabilities: { a: advisory(severity) } }, today).isGrave).toBe(false)
  expect(reportOf({ vulnerabilities: { a: advisory('high') } }, today).isGrave).toBe(true)
  expect(reportOf({ vulnerabilities: {} }, today)).toEqual({ lines: ['No known advisories.'], isGrave: false })
  expect(() => reportOf({ message: 'request failed' })).toThrow(/request failed/)
})

it('promises what SECURITY.md promises', () => {
  const text = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (critical|high|moderate)[^|]*\| (\d+) days/gm)].map(([, name, days]) => [
    name,
    Number(days),
  ])
  expect(rows).toEqual([
    ['critical', daysToFix.critical],
    ['high', daysToFix.high],
    ['moderate', daysToFix.moderate],
  ])
  expect(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).scripts.vulnerable).toContain(
    'vulnerable.mjs',
  )
})
