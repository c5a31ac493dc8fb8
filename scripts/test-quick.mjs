// `npm run test:quick`: types, lint, and the tests near the files changed since main, without a browser. It
// takes seconds instead of minutes; only the whole suite (`npm test`) is authoritative.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

const changed = changedFiles()
const tests = testsNear(changed)
const steps = [
  ['types', 'npm', ['run', '--silent', 'types']],
  [
    'lint',
    join(root, 'node_modules/.bin/biome'),
    ['check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed],
  ],
  ...(tests.length
    ? [['tests', process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...projects(tests), ...tests]]]
    : []),
]
console.log(`${changed.length} changed files, ${tests.length} test files near them`)
const failed = changed.length ? steps.filter(([name, program, args]) => !isGreen(name, program, args)) : []
process.exitCode = failed.length ? 1 : 0

/** Files changed by this branch and the work tree. On a clean main: files of the last commit. */
function changedFiles() {
  const since = (commit) => git('diff', '--name-only', '--diff-filter=d', commit)
  const base = git('merge-base', 'HEAD', 'main')[0]
  const all = [...since(base), ...git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(all.length ? all : since('HEAD~1'))]
}

/** Changed tests, and all tests in the folders of changed files. */
function testsNear(files) {
  const isTest = (name) => /\.test\.(ts|mjs)$/.test(name)
  const folders = new Set(files.map((file) => dirname(file)))
  // Tests of the contract are in a separate folder beside its sources.
  if (files.some((file) => file.startsWith('contract/src/'))) folders.add('contract/test')
  const near = [...folders]
    .filter((folder) => existsSync(join(root, folder)) && !['server/test', '.'].includes(folder))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  return [...new Set([...files, ...near])].filter(isTest)
}

/** Only the projects with tests to run: the other projects would fail with "no tests found". */
function projects(files) {
  const projectOf = (file) => (file.startsWith('server/test/event-loop-') ? 'event-loop' : file.split('/')[0])
  const names = ['scripts', 'contract', 'whatsapp', 'web', 'server', 'event-loop']
  return names.filter((name) => files.some((file) => projectOf(file) === name)).flatMap((name) => ['--project', name])
}

function isGreen(name, program, args) {
  const began = Date.now()
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return status === 0
}
