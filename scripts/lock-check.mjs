// `npm run lock:check`: queries the registry for every native package in the lock file for our supported
// platforms, and lists those that are unavailable. npm silently skips such a package, and the code that needs
// it then fails on that platform only. Run it whenever the lock file changed.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fits, inWords, isNative } from './platform.mjs'

/** Debian and Ubuntu are supported; macOS is only for trying the app out. */
const machines = [
  { os: 'linux', cpu: 'x64', libc: 'glibc', promised: true },
  { os: 'linux', cpu: 'arm64', libc: 'glibc', promised: true },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
]

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 13)

const parts = new Map()
for (const [path, entry] of Object.entries(packages))
  if (path.includes('node_modules/') && isNative(entry) && machines.some((machine) => fits(entry, machine)))
    parts.set(`${nameOf(path)}@${entry.version}`, entry)

const answers = new Map()
const waiting = [...parts.keys()]
// Each query starts its own npm process.
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let part = waiting.pop(); part; part = waiting.pop()) answers.set(part, await integrityOf(part))
  }),
)

let broken = false
for (const machine of machines) {
  const wanted = [...parts].filter(([, entry]) => fits(entry, machine))
  const complaints = wanted.flatMap(([part, { integrity }]) => {
    const found = answers.get(part)
    if (!found) return `${part} cannot be had`
    return integrity && integrity !== found ? `${part} is not what the lock names` : []
  })
  complaints.push(...unlocked(machine))
  const rest = complaints.length ? `: ${complaints.join('; ')}` : ', all there'
  console.log(`${inWords(machine).padEnd(17)} ${wanted.length} native parts${rest}`)
  if (machine.promised && complaints.length) broken = true
}
process.exitCode = broken ? 1 : 0

/** The integrity hash of a package version in the registry; undefined when the version does not exist. */
function integrityOf(part) {
  const npm = process.env.npm_execpath
  const [program, ...args] = npm ? [process.execPath, npm] : ['npm']
  return new Promise((resolve, reject) => {
    execFile(program, [...args, 'view', part, 'dist.integrity', '--json'], (error, stdout) => {
      const answer = stdout.trim() ? JSON.parse(stdout) : undefined
      if (!error || answer?.error?.code === 'E404') resolve(error ? undefined : answer)
      else reject(new Error(`The registry could not be asked for ${part}: ${answer?.error?.summary ?? error.message}`))
    })
  })
}

/**
 * Packages that other packages reference but that are missing in the lock file: npm omits a package it could not
 * download.
 */
function unlocked(machine) {
  const named = Object.values(packages).flatMap((entry) => Object.entries(entry.optionalDependencies ?? {}))
  const known = new Set(Object.keys(packages).map(nameOf))
  return named
    .filter(([name]) => !known.has(name) && soundsLike(name, machine))
    .map(([name, version]) => `${name}@${version} is not in the lock`)
}

/** Guesses from a package's name whether it is for this platform, because the lock file does not say it. */
function soundsLike(name, { os, cpu }) {
  const words = name.split(/[^a-z0-9]+/)
  return words.includes(os) && words.includes(cpu) && !words.includes('musl')
}
