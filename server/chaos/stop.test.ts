import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { waitTimeoutMs } from '../test/wait-timeout.ts'

/** A long timeout, because each run starts a PostgreSQL and two whole servers. */
const longTimeout = { timeout: 4 * waitTimeoutMs, interval: 20 }
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts `npm run chaos` in a separate folder, and finds its PostgreSQL. */
async function startRun() {
  const folder = await mkdtemp(join(tmpdir(), 'recado-stop-'))
  // When started as root, PostgreSQL runs under another account, which needs access to the folder.
  await chmod(folder, 0o755)
  const child: ChildProcess = fork(new URL('./chaos.ts', import.meta.url), ['--seed=22', '--steps=40', '--shrink=0'], {
    ...{ env: { ...process.env, TMPDIR: folder }, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  })
  let said = ''
  const hear = (piece: Buffer) => {
    said += piece
  }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', hear)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const postgres = await vi.waitFor(() => {
    expect(child.exitCode, said).toBe(null)
    const [environment] = readdirSync(folder).filter((name) => name.startsWith('recado-chaos-'))
    const pid = Number(
      readFileSync(join(folder, environment as string, 'cluster/postmaster.pid'), 'utf8').split('\n')[0],
    )
    expect(isThere(pid)).toBe(true)
    return pid
  }, longTimeout)
  return { folder, child, postgres, said: () => said }
}

it.each([
  ['while its stage is being set', () => {}],
  ['while it is played', (said: string) => expect(said).toContain('open after')],
])('leaves no process and no file behind when stopped %s', longTimeout, async (_, isThen) => {
  const { folder, child, postgres, said } = await startRun()
  await vi.waitFor(() => isThen(said()), longTimeout)
  const ended = once(child, 'exit')
  // Send the signal twice, as npm does: it forwards a signal that the terminal has already sent to both.
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  expect(await ended, said()).toEqual([1, null])
  expect(isThere(postgres)).toBe(false)
  expect(readdirSync(folder).filter((name) => name.startsWith('recado-chaos-'))).toEqual([])
})
