import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { roundTo } from './bench-server.ts'
import { maxStolenShare } from './measuring-windows.ts'

/** One measurement. */
export type Measurement = {
  part: string
  name: string
  /** The name of the variant, for a measurement with several variants. */
  of?: string
  value: number
  unit: string
  better: 'less' | 'more'
  aim?: number
  /** The maximum that this machine can reach for the same kind of work, measured in the same run. */
  limit?: { name: string; value: number }
  note?: string
  /** The share of the machine that other processes and its host used during the measurement; absent if not measured. */
  taken?: number
}
export type BenchReport = { at: string; machine: string; seconds: number; figures: Measurement[] }

const measurementKey = ({ part, name, of }: Measurement) => [part, name, of].filter(Boolean).join(' | ')

/**
 * Converts the printed results of a benchmark to measurements: the first number is the value, and `(aim N)` is the
 * target.
 */
export function parseMeasurements(part: string, output: Record<string, unknown>): Measurement[] {
  return Object.entries(output).flatMap(([name, told]) => {
    const text = String(told).trim()
    const value = Number(/-?\d+(\.\d+)?/.exec(text)?.[0] ?? Number.NaN)
    if (Number.isNaN(value)) return []
    const aim = Number(/\(aim (\d+(\.\d+)?)/.exec(text)?.[1] ?? Number.NaN)
    const rest = text.replace(/^-?\d+(\.\d+)?/, '').trim()
    const better = /\/s\b|share/.test(name) || /^%/.test(rest) ? 'more' : 'less'
    return { part, name, value, unit: '', better, ...(Number.isNaN(aim) ? {} : { aim }), ...(rest && { note: rest }) }
  })
}

const width = 20
const bar = (share: number) => '█'.repeat(Math.round(Math.min(1, Math.max(0, share)) * width)) || '▏'
const formatValue = (value: number) => (Math.abs(value) >= 100 ? String(Math.round(value)) : String(roundTo(value, 2)))

/**
 * A bar's length is relative to the longest bar of the same unit; a share of a limit is drawn relative to the limit.
 */
function formatLine(figure: Measurement, longest: number): string {
  const { name, of, value, unit, aim, limit, note, taken, better } = figure
  const aimText =
    aim === undefined
      ? ''
      : `${better === 'less' ? '≤' : '≥'} ${formatValue(aim)} ${(better === 'less' ? value <= aim : value >= aim) ? '✓' : '✗'}`
  const share = limit ? `${roundTo((value / limit.value) * 100)} % of ${limit.name}` : ''
  const stolenText = taken === undefined ? '' : `${roundTo(taken * 100)} %${taken > maxStolenShare ? ' ⚠' : ''}`
  const chart = bar(limit ? value / limit.value : value / longest)
  return `| ${name}${of ? `, ${of}` : ''} | ${formatValue(value)}${unit} | \`${chart}\` | ${aimText} | ${share} | ${note ?? ''} | ${stolenText} |`
}

export function formatReport({ at, machine, seconds, figures }: BenchReport): string {
  const parts = Map.groupBy(figures, ({ part }) => part)
  const tables = [...parts].map(([part, all]) => {
    const kinds = Map.groupBy(all, ({ of, unit }) => `${of ?? ''}${unit}`)
    const lines = [...kinds.values()].flatMap((some) => {
      const longest = Math.max(...some.map(({ value }) => value))
      return some.map((figure) => formatLine(figure, longest))
    })
    return `## ${part}\n\n| what | figure | | aim | limit | | taken away |\n|---|---|---|---|---|---|---|\n${lines.join('\n')}`
  })
  const disturbed = figures.filter(({ taken = 0 }) => taken > maxStolenShare).length
  return [
    '# What Recado costs',
    `${at}, ${machine}, in ${Math.round(seconds)} s. *Taken away*: what others on this machine and its host had while it was measured; with ⚠ it was more than a tenth, and the figure does not count${disturbed ? ` (${disturbed} of ${figures.length} here)` : ''}.`,
    ...tables,
    '',
  ].join('\n\n')
}

/** Two equal runs differ by this share on a quiet machine, and by more if other processes ran meanwhile. */
const noiseShare = ({ taken = 0 }: Measurement, before: Measurement) => 0.15 + Math.max(taken, before.taken ?? 0)

/** Finds the measurements that are worse than in an earlier report by more than the noise. */
export function findRegressions(before: BenchReport, now: BenchReport): string[] {
  const known = new Map(before.figures.map((figure) => [measurementKey(figure), figure]))
  return now.figures.flatMap((figure) => {
    const then = known.get(measurementKey(figure))
    if (!then || then.value <= 0 || figure.value <= 0) return []
    const times = figure.better === 'less' ? figure.value / then.value : then.value / figure.value
    if (times <= 1 + noiseShare(figure, then)) return []
    return `${measurementKey(figure)}: ${formatValue(then.value)} -> ${formatValue(figure.value)}${figure.unit} (${roundTo(times, 2)} times worse)`
  })
}

export const describeMachine = () =>
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`

/** Writes JSON for programs and Markdown for people. */
export function writeReport(report: BenchReport, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.json`, JSON.stringify(report, null, 1))
  writeFileSync(`${path}.md`, formatReport(report))
}
export const readReport = (path: string): BenchReport => JSON.parse(readFileSync(path, 'utf8'))
