import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'

/**
 * A loop that only reads the clock, during a tenth of the time: where the clock jumps, something else used the core.
 * Time spent waiting for other processes of this machine, as reported by the kernel, is left out, because those
 * processes are measured by their own CPU time.
 */
const spinMs = 5
const restMs = 45
/** The minimum jump that counts, in ms: longer than reading the clock takes. */
const jump = 0.1

const readWaitedNs = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6
let measuredMs = 0
let stolenMs = 0
parentPort?.on('message', (word) => {
  if (word === 'reset') [measuredMs, stolenMs] = [0, 0]
  else parentPort?.postMessage({ spun: measuredMs, jumped: stolenMs })
})
for (;;) {
  const before = readWaitedNs()
  const startedAt = performance.now()
  let last = startedAt
  let gaps = 0
  while (last - startedAt < spinMs) {
    const now = performance.now()
    if (now - last > jump) gaps += now - last
    last = now
  }
  measuredMs += last - startedAt
  stolenMs += Math.max(0, gaps - (readWaitedNs() - before))
  await pause(restMs)
}
