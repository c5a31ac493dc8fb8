// `npm test`: types, lint, and all tests including the browser stories. Arguments after `--` go to vitest.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'recado-test-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.exit(1)
  })

// Many tests start the server as a child process, most of them to kill it, and a killed process saves no
// compile cache. With a prepared cache each start takes half the time.
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/recado-test')
const compile = `await import(${JSON.stringify(pathToFileURL(join(root, 'server/src/server.ts')).href)}); process.exit()`

const began = Date.now()
const results = await Promise.all([
  // Types and lint run in sequence on one core: the other core builds the web app and may be unpacking a
  // browser.
  step('types', 'npm', ['run', '--silent', 'types']).then(async (types) => [
    types,
    await step('lint', 'npm', ['run', '--silent', 'lint']),
  ]),
  step('build', process.execPath, [join(root, 'scripts/prepare.mjs')]),
  step('browser', process.execPath, [join(root, 'scripts/chromium.mjs')]),
  step('compile', process.execPath, ['--input-type=module', '--eval', compile]),
])
const ready = results.flat()

const report = join(scratch, 'report.json')
const unhandledErrors = join(scratch, 'unhandled-errors.json')
process.env.UNHANDLED_ERRORS_FILE = unhandledErrors
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const tests = await step(
  'tests',
  process.execPath,
  [
    ...[vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    `--reporter=${join(root, 'scripts/unhandled-errors.mjs')}`,
    ...process.argv.slice(2),
  ],
  { show: true },
)

const all = [...ready, tests]
const { passed, failed, broken } = totals()
const sick = all.filter((one) => !one.ok).map((one) => one.name)
console.log()
// The failures are printed again at the end, so that a truncated log still has them.
for (const { name, why } of broken) console.log(`FAILED ${name}\n${why}\n`)
for (const { name, ok, seconds } of all) console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${seconds} s`)
console.log(sick.length ? `Failed: ${sick.join(', ')}` : `All is well, in ${since(began)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = sick.length ? 1 : 0

/** Runs a program; its output is shown at once, or only on failure. */
function step(name, program, args, { show = false } = {}) {
  const start = Date.now()
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    })
    running.add(child)
    let words = ''
    child.stdout?.on('data', (data) => (words += data))
    child.stderr?.on('data', (data) => (words += data))
    child.once('error', (error) => (words += error.message))
    child.once('close', (code) => {
      running.delete(child)
      if (code !== 0 && words) console.log(`\n${name}:\n${words.trimEnd()}`)
      resolve({ name, ok: code === 0, seconds: since(start) })
    })
  })
}

/**
 * The test counts of vitest. A file that failed to load, or failed in a hook, counts as one failed test, because vitest
 * reports its tests only as skipped.
 */
function totals() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    keepForProof(testResults)
    const failedFiles = testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
    )
    const broken = [
      ...failedFiles.map(({ name, message }) => ({ name, why: message })),
      ...testResults.flatMap(({ assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => ({ name: fullName, why: failureMessages.join('\n').slice(0, 2000) })),
      ),
      ...JSON.parse(readFileSync(unhandledErrors, 'utf8')).map(({ name, message, stack }) => ({
        name: 'outside of any test',
        why: `${name}: ${message}\n${stack}`,
      })),
    ]
    return { passed: numPassedTests, failed: numFailedTests + failedFiles.length, broken }
  } catch {
    return { passed: 0, failed: 1, broken: [] }
  }
}

/** Passed tests per file, for `npm run proof`. */
function keepForProof(testResults) {
  const count = (results, wanted) => results.filter(({ status }) => status === wanted).length
  const files = testResults
    .map(({ name, assertionResults: all }) => [
      relative(root, name),
      { passed: count(all, 'passed'), failed: count(all, 'failed') },
    ])
    .filter(([, { passed, failed }]) => passed + failed > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  mkdirSync(join(root, 'data/proof'), { recursive: true })
  const kept = { at: new Date().toISOString(), files: Object.fromEntries(files) }
  writeFileSync(join(root, 'data/proof/tests.json'), JSON.stringify(kept, null, 1))
}

function since(start) {
  return ((Date.now() - start) / 1000).toFixed(1)
}
