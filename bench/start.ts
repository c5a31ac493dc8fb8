import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { roundTo } from './bench-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** Runs `npm start` in a folder, until the server listens. */
async function startServer(
  folder: string,
  dataDir: string,
): Promise<{ child: ChildProcess; seconds: number; port: number }> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => text.toString().includes('is running at') && resolve())
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)))
  })
  return { child, seconds: (performance.now() - started) / 1000, port }
}

async function stopServer(child: ChildProcess): Promise<{ code: number | null; seconds: number }> {
  const started = performance.now()
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.kill(-(child.pid as number), 'SIGTERM')
  return { code: await ended, seconds: (performance.now() - started) / 1000 }
}

/** Resident memory of the server itself: the node process below npm, without the database. */
function serverMemory(parent: number): number {
  const children = (pid: number): number[] =>
    existsSync(`/proc/${pid}/task/${pid}/children`)
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
      : []
  const all = (pid: number): number[] => [pid, ...children(pid).flatMap(all)]
  const serverProcess = all(parent).find(
    (pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/src/main.ts') &&
      !readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sh'),
  )
  const status = serverProcess ? readFileSync(`/proc/${serverProcess}/status`, 'utf8') : ''
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

export async function benchStart(o: { fresh: boolean }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-start-'))
  const first = await startServer(root, dataDir)
  await stopServer(first.child)
  const warm = await startServer(root, dataDir)
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const memory = serverMemory(warm.child.pid as number)
  const stopped = await stopServer(warm.child)
  await rm(dataDir, { recursive: true, force: true })
  return {
    ...(o.fresh && { 'fresh clone to listening, s': `${roundTo(await measureFreshClone())}  (aim 120)` }),
    'warm start, s': `${roundTo(warm.seconds)}  (aim 4)`,
    'idle server RSS after 10 s, MB': `${Math.round(memory)}  (aim 150)`,
    'SIGTERM to exit, s': `${roundTo(stopped.seconds)} with code ${stopped.code}  (aim 10 with 0)`,
  }
}

/** Starts a copy without anything installed or built, like a fresh clone. */
async function measureFreshClone(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'recado-clone-'))
  try {
    await cp(root, folder, { recursive: true, filter: (path) => !/(^|\/)(node_modules|data|dist|\.git)$/.test(path) })
    const { child, seconds } = await startServer(folder, join(folder, 'data'))
    await stopServer(child)
    return seconds
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
