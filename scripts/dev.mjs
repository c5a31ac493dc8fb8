// `npm run dev`: restarts the server when one of its files changes; Vite reloads the page.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')
const vite = dirname(createRequire(join(root, 'web/package.json')).resolve('vite/package.json'))

const children = [
  start(['--watch', '--watch-preserve-output', 'server/src/main.ts'], root),
  start([join(vite, 'bin/vite.js'), '--port', '5173', '--strictPort'], join(root, 'web')),
]

let ending = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
for (const child of children) child.once('exit', end)

/** When the server or Vite exits, both are stopped. A separate process group keeps Ctrl-C from reaching them twice. */
function end() {
  if (ending) return
  ending = true
  for (const child of children) child.kill('SIGTERM')
}

function start(args, cwd) {
  return spawn(process.execPath, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
}
