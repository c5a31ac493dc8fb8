// `npm run test:long`: tests too long for every change, to run once before a release with fresh seeds.
// `npm test` runs a short version of each. The seeds are printed, so that failures can be reproduced.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000))
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'server']
const steps = [
  ['chaos', [join(root, 'server/chaos/chaos.ts'), '--minutes=20', `--seed=${seed}`], {}],
  ['requests', [...vitest, 'server/test/fuzz.test.ts'], { FUZZ_SEED: seed, FUZZ_RUNS: 200 }],
  ['live', [...vitest, 'server/test/live-updates.test.ts'], { LIVE_SEED: seed, LIVE_RUNS: 60 }],
  [
    'imports',
    [...vitest, 'server/import-export/company/fuzz.test.ts'],
    { IMPORT_FUZZ_SEED: seed, IMPORT_FUZZ_RUNS: 300 },
  ],
]
console.log(`SEED=${seed}`)
const failed = steps.filter(([name, args, env]) => {
  const began = Date.now()
  const settings = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]))
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} ${Math.round((Date.now() - began) / 1000)} s`)
  return status !== 0
})
process.exitCode = failed.length ? 1 : 0
