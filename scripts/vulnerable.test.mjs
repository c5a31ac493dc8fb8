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

it('lists each advisory with its fix deadline, most severe first', () => {
  const { lines, isGrave } = reportOf({ vulnerabilities: { a: advisory('moderate'), b: advisory('critical') } }, today)
  expect(lines).toEqual([
    'critical a-critical <2: Reads beyond its end; by b (fix by 2026-11-20)',
    'moderate a-moderate <2: Reads beyond its end; by b (fix by 2027-02-15)',
  ])
  expect(isGrave).toBe(true)
})

it('fails only for high and critical advisories, or when the registry did not answer', () => {
  for (const severity of ['moderate', 'low', 'info'])
    expect(reportOf({ vulnerabilities: { a: advisory(severity) } }, today).isGrave).toBe(false)
  expect(reportOf({ vulnerabilities: { a: advisory('high') } }, today).isGrave).toBe(true)
  expect(reportOf({ vulnerabilities: {} }, today)).toEqual({ lines: ['No known advisories.'], isGrave: false })
  expect(() => reportOf({ message: 'request failed' })).toThrow(/request failed/)
})

it('uses the deadlines promised in SECURITY.md', () => {
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
