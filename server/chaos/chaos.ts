import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { execPath } from 'node:process'
import type { ChaosEvidence } from './judge.ts'
import { type ChaosPlan, makeChaosPlan, stepsForMinutes } from './plan.ts'
import { type ChaosResult, type RunOptions, runPlan } from './run-plan.ts'
import { shrinkPlan } from './shrink.ts'

/**
 * `npm run chaos`: customers, agents, bots, campaigns and schedules at work while faults are injected. `--minutes=M`
 * or `--steps=S` set the length, `--seed=N` repeats a plan, `--plan=FILE` reads a plan from a file, `--runs=R` runs
 * that many seeds. `--evidence=FILE` stores all data that was judged. A failing plan is shrunk and written to a file.
 */
const option = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const length = Number(option('steps') ?? stepsForMinutes(Number(option('minutes') ?? 2)))
const runs = Number(option('runs') ?? 1)
const seed = Number(option('seed') ?? Math.floor(Math.random() * 1_000_000))
const file = option('plan')
const shrinkMs = Number(option('shrink') ?? 20) * 60_000

const hasNoFaults = (result: ChaosResult) => result.faults.length === 0
const abortController = new AbortController()
const stop = abortController.signal
// The signal may arrive several times: the terminal sends it to all processes, and npm forwards it again.
// Exiting at the second signal would leave PostgreSQL running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abortController.abort())
const reportProgress = (line: string) => console.log(`  ${line}`)

const finishedRuns: Omit<ChaosResult, 'faults'>[] = []
for (let n = 0; n < (file ? 1 : runs); n++) {
  const plan: ChaosPlan = file ? JSON.parse(readFileSync(file, 'utf8')) : makeChaosPlan(seed + n, length)
  console.log(`\nseed ${plan.seed}, ${plan.steps.length} steps`)
  const evidence = option('evidence')
  const saveEvidence = (all: ChaosEvidence) => evidence && writeFileSync(evidence, JSON.stringify(all, null, 1))
  const result = await runOrExit(plan, { reportProgress: reportProgress, onEvidence: saveEvidence })
  const { faults, ...figures } = result
  console.log(JSON.stringify(figures))
  finishedRuns.push(figures)
  writeProofFile(finishedRuns)
  if (hasNoFaults(result)) continue
  console.log(`\n${faults.slice(0, 40).join('\n')}`)
  await findShortestFailure(plan, result)
  process.exitCode = 1
}
process.exit()

/** Runs a plan. When the run is interrupted, its result is discarded and the process exits. */
async function runOrExit(plan: ChaosPlan, heard: Omit<RunOptions, 'execPath' | 'stop'> = {}): Promise<ChaosResult> {
  try {
    return await runPlan(plan, { ...heard, execPath, signal: stop })
  } finally {
    if (stop.aborted) process.exit(1)
  }
}

/** Writes the results for `npm run proof`, which combines the results of all commands. */
function writeProofFile(runs: Omit<ChaosResult, 'faults'>[]): void {
  const folder = new URL('../../data/proof/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const machine = `${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`
  writeFileSync(new URL('chaos.json', folder), JSON.stringify({ at: new Date().toISOString(), machine, runs }, null, 1))
}

async function findShortestFailure(plan: ChaosPlan, first: ChaosResult): Promise<void> {
  if (!shrinkMs) return
  console.log('\nlooking for the shortest run that fails …')
  const { steps, attempts: tried } = await shrinkPlan(plan, first, (some) => runOrExit(some), {
    maxAttempts: 60,
    deadline: Date.now() + shrinkMs,
  })
  const path = `chaos-${plan.seed}.json`
  writeFileSync(path, JSON.stringify({ ...plan, steps }, null, 1))
  console.log(`${steps.length} of ${plan.steps.length} steps are left after ${tried} tries:`)
  for (const step of steps) console.log(`  ${JSON.stringify(step)}`)
  console.log(`again: npm run chaos -- --plan=${path}   whole: npm run chaos -- --seed=${plan.seed} --steps=${length}`)
}
