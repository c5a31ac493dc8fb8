// Prepares a clone: installs the packages in the lock file and builds the web app.
// It runs before anything is installed, on Node 20 or newer, so it uses only Node's built-ins.
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
/** Our packaged Node 24, where available. On other platforms the user's Node is used. */
const packaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const node = packaged ? at('node_modules/.bin/node') : process.execPath

if (!packaged && Number.parseInt(process.versions.node, 10) < 24)
  give(`Recado needs Node 24 or newer here (${process.platform} ${process.arch}); this is ${process.version}.`)
if (lacks()) exclusively(() => lacks() && install())
if (!process.argv.includes('--no-build') && !built()) exclusively(() => built() || build())

/**
 * Packages of the lock file for this platform that node_modules lacks, according to npm's own list of installed
 * packages.
 */
function lacks() {
  const wanted = read('package-lock.json')?.packages
  const found = read('node_modules/.package-lock.json')?.packages
  if (!wanted) give('package-lock.json is missing.')
  if (!found) return 'a finished installation'
  for (const [path, entry] of Object.entries(wanted)) {
    // Skips workspaces, packages for other platforms, and their dependencies.
    if (entry.link || !path.includes('node_modules/')) continue
    if (entry.optional && !(isNative(entry) ? fits(entry, here) : found[path])) continue
    const there = found[path]
    const same = there?.version === entry.version && (!entry.integrity || there.integrity === entry.integrity)
    if (!same || (entry.optional && !existsSync(at(path, 'package.json')))) return nameOf(path, entry)
  }
  if (!existsSync(node)) return 'Node 24'
}

/** For the error message: npm silently skips an optional package it cannot download. */
function nameOf(path, entry) {
  const name = `${path.slice(path.lastIndexOf('node_modules/') + 13)} ${entry.version}`
  return isNative(entry) ? `${name} (the part for ${inWords(here)})` : name
}

function install() {
  console.log('Installing packages…')
  // npm writes this list last. If the list is missing, an installation was interrupted and packages may be incomplete.
  const list = at('node_modules/.package-lock.json')
  const places = ['', ...read('package.json').workspaces]
  if (!existsSync(list)) for (const place of places) rmSync(at(place, 'node_modules'), { recursive: true, force: true })
  rmSync(list, { force: true })
  // `npm ci` is not used: it empties node_modules while processes may still run from it, and downloads
  // everything again for one changed package. The result is still correct, because lacks() compares it with the
  // lock. None of our packages needs its install script, so scripts are disabled.
  const flags = ['--no-save', '--ignore-scripts', '--include=dev', '--include=optional', '--no-engine-strict']
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--no-update-notifier']
  // Uses the Node that runs npm, because our packaged Node may be about to be replaced.
  const npm = process.env.npm_execpath
  const command = npm ? [process.env.npm_node_execpath ?? process.execPath, npm] : ['npm']
  const failure = 'The packages could not be installed.'
  run([...command, 'install', ...flags, ...quiet], root, failure)
  // npm 10 removes the link again when it drops the Node package for the other architecture.
  const program = `node-linux-${process.arch}/bin/node`
  if (packaged && !existsSync(node) && existsSync(at('node_modules', program))) {
    rmSync(node, { force: true })
    symlinkSync(`../${program}`, node)
  }
  if (existsSync(node)) run([node, '--version'], root, 'Node 24 does not run on this machine.')
  // npm also skips native packages that need a newer Node than the one it runs on. Our Node is installed now.
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

/** A hash of all inputs of the build. */
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

/** Locks the tree to one process at a time, for when `npm start` and `npm test` run together. */
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

/** Whether the process that took the lock is gone, as after Ctrl-C. */
function abandoned(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    return pid > 0 && !process.kill(pid, 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function run([program, ...args], cwd, failure) {
  // An inherited NODE_ENV would skip packages or build React's development version.
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
