// Finds the browser that the stories run in; as root on Debian or Ubuntu it installs one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

// The first of them has no window to draw and costs the stories a fifth less.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const elsewhere = [
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of a browser, or undefined. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!runs(named)) throw new Error(`CHROMIUM_PATH names ${named}, which cannot be run.`)
    return named
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(runs)
}

/** The path of a browser, installed if need be. Throws a sentence on what to install. */
export function ensureChromium() {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
    const update = apt('update')
    process.stderr.write(update.stderr)
    for (const name of names.slice(0, 2)) {
      const { stderr } = apt('install', '-y', '--no-install-recommends', name)
      const now = findChromium()
      if (now) return now
      process.stderr.write(stderr)
    }
  }
  throw new Error(
    'The browser stories need Chromium or Chrome. Install one (on Debian: apt-get install chromium), ' +
      'or name one that you have with CHROMIUM_PATH.',
  )
}

/** Asks for its version, since Ubuntu installs a script of that name which only says that it needs snap. */
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
