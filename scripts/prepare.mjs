// Makes a clone ready to run: the packages that the lock names, and the web app built from its sources.
// It runs before anything is installed, on Node 20 or newer, so it uses nothing but Node itself.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fits, here, inWords, isNative } from './platform.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...path) => join(root, ...path)
/** Our Node 24, where there is a package of it. Elsewhere the user's own must do. */
const packaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const node = packaged ? at('node_modules/.bin/node') : process.execPath

if (!packaged && Number.parseInt(process.versions.node, 10) < 24)
  give(`Recado needs Node 24 or newer here (${process.platform} ${process.arch}); this is ${process.version}.`)
if (lacks()) exclusively(() => lacks() && install())
if (!process.argv.includes('--no-build') && !built()) exclusively(() => built() || build())

/** What node_modules has not, of all that the lock names for this machine. npm keeps a list of what it put there. */
function lacks() {
  const wanted = read('package-lock.json')?.packages
  const found = read('node_modules/.package-lock.json')?.packages
  if (!wanted) give('package-lock.json is missing.')
  if (!found) return 'a finished installation'
  for (const [path, entry] of Object.entries(wanted)) {
    // The workspaces themselves, packages for other machines, and what only those need.
    if (entry.link || !path.includes('node_modules/')) continue
    if (entry.optional && !(isNative(entry) ? fits(entry, here) : found[path])) continue
    const there = found[path]
    const same = there?.version === entry.version && (!entry.integrity || there.integrity === entry.integrity)
    if (!same || (entry.optional && !existsSync(at(path, 'package.json')))) return nameOf(path, entry)
  }
  if (!existsSync(node)) return 'Node 24'
}

/** In words: npm leaves out an optional package that it cannot get, and says nothing. */
function nameOf(path, entry) {
  const name = `${path.slice(path.lastIndexOf('node_modules/') + 13)} ${entry.version}`
  return isNative(entry) ? `${name} (the part for ${inWords(here)})` : name
}

function install() {
  console.log('Installing packages…')
  // npm writes its list last. Where it is missing, an installation was interrupted and packages may be half there.
  const list = at('node_modules/.package-lock.json')
  const places = ['', ...read('package.json').workspaces]
  if (!existsSync(list)) for (const place of places) rmSync(at(place, 'node_modules'), { recursive: true, force: true })
  rmSync(list, { force: true })
  // Not `npm ci`: that empties node_modules under whatever still runs from it, to fetch all of it again for one
  // changed package. Nothing is lost: lacks() holds the result against the lock.
  // And no package of ours needs its install script, so none is run.
  const flags = ['--no-save', '--ignore-scripts', '--include=dev', '--include=optional', '--no-engine-strict']
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--no-update-notifier']
  // By the Node that runs npm: ours may be about to be replaced.
  const npm = process.env.npm_execpath
  const command = npm ? [process.env.npm_node_execpath ?? process.execPath, npm] : ['npm']
  const failure = 'The packages could not be installed.'
  run([...command, 'install', ...flags, ...quiet], root, failure)
  // npm 10 takes the link away again when it drops the Node for the other processor.
  const program = `node-linux-${process.arch}/bin/node`
  if (packaged && !existsSync(node) && existsSync(at('node_modules', program))) {
    rmSync(node, { force: true })
    symlinkSync(`../${program}`, node)
  }
  if (existsSync(node)) run([node, '--version'], root, 'Node 24 does not run on this machine.')
  // npm also leaves out native parts that want a newer Node than the one it runs on. Ours is here now.
  if (lacks() && packaged && npm && existsSync(node)) run([node, npm, 'install', ...flags, ...quiet], root, failure)
  const missing = lacks()
  if (missing) give(`npm did not install what package-lock.json names: ${missing} is missing.`)
}

function built() {
  try {
    return readFileSync(at('web/dist/.sources'), 'utf8') === sources()
  } catch {
    return false
  }
}

function build() {
  console.log('Building the web app…')
  const sum = sources()
  const vite = join(dirname(createRequire(at('web/package.json')).resolve('vite/package.json')), 'bin/vite.js')
  run([node, vite, 'build', '--logLevel=warn', '--emptyOutDir'], at('web'), 'The web app could not be built.')
  writeFileSync(at('web/dist/.sources'), sum)
}

/** A fingerprint of everything the build reads. */
function sources() {
  const sum = createHash('sha256')
  const add = (path) => sum.update(`${path}\0`).update(readFileSync(at(path)))
  const walk = (folder) => {
    for (const entry of readdirSync(at(folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`
      if (['node_modules', 'dist'].includes(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue
      if (entry.isDirectory()) walk(path)
      else add(path)
    }
  }
  walk('web')
  walk('contract/src')
  for (const path of ['tsconfig.base.json', 'package-lock.json']) add(path)
  return sum.digest('hex')
}

/** Lets one process at a time work on the tree, when `npm start` and `npm test` are called together. */
function exclusively(work) {
  const lock = at('.cache/prepare.lock')
  mkdirSync(at('.cache'), { recursive: true })
  while (!take(lock)) {
    if (abandoned(lock)) rmSync(lock, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  const free = () => rmSync(lock, { force: true })
  process.once('exit', free)
  work()
  process.off('exit', free)
  free()
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Whether the process that took it is gone, as after Ctrl-C. */
function abandoned(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    return pid > 0 && !process.kill(pid, 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function run([program, ...args], cwd, failure) {
  // A NODE_ENV from outside would leave out packages, or build the slow React.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, error } = spawnSync(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) give(error ? `${failure} ${error.message}` : failure)
}

function read(path) {
  try {
    return JSON.parse(readFileSync(at(path), 'utf8'))
  } catch {
    return undefined
  }
}

function give(reason) {
  console.error(reason)
  process.exit(1)
}
