// Finds the browser for the end-to-end stories; as root on Debian or Ubuntu it installs one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** A browser without windows makes the stories a fifth faster; it does not support system notifications. */
const shell = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const elsewhere = [
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Path of a browser, or undefined. `whole`: a full browser instead of the fastest one. */
export function findChromium({ whole = false } = {}) {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!runs(named)) throw new Error(`CHROMIUM_PATH names ${named}, which cannot be run.`)
    return named
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  const wanted = whole ? names : [shell, ...names]
  return [...wanted.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(runs)
}

/** Path of a browser, installed if necessary. Throws a message that says what to install. */
export function ensureChromium() {
  if (!findChromium({ whole: true }) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
    const update = apt('update')
    const install = apt('install', '-y', '--no-install-recommends', 'chromium')
    // Not every distribution has this package, and it is optional.
    apt('install', '-y', '--no-install-recommends', shell)
    if (!findChromium({ whole: true })) process.stderr.write(`${update.stderr}${install.stderr}`)
  }
  if (findChromium({ whole: true })) return findChromium()
  throw new Error(
    'The browser stories need Chromium or Chrome. Install one (on Debian: apt-get install chromium), ' +
      'or name one that you have with CHROMIUM_PATH.',
  )
}

/** Runs `--version`, because Ubuntu installs a script of that name that only says it needs snap. */
function runs(path) {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}

if (import.meta.filename === process.argv[1]) {
  try {
    console.log(ensureChromium())
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
