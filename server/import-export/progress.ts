export type ProgressReporter = ReturnType<typeof makeProgress>

/** Output interval: often for a terminal, rarely for a file. */
const reportIntervalMs = { terminal: 250, file: 10_000 }

/** Prints progress: done and total, rate per second, and remaining time. */
export function makeProgress(out: { write(text: string): unknown; isTTY?: boolean } = process.stderr) {
  let step = { name: '', total: 0, done: 0, began: 0 }
  let lastPrintedAt = 0
  const print = (last: boolean) => {
    const now = performance.now()
    if (!last && now - lastPrintedAt < (out.isTTY ? reportIntervalMs.terminal : reportIntervalMs.file)) return
    lastPrintedAt = now
    const { name, total, done, began: startedAt } = step
    const rate = done / Math.max(0.001, (now - startedAt) / 1000)
    const share = total ? `${Math.floor((100 * done) / total)} %  ` : ''
    const left = total && !last ? `  ${formatDuration((total - done) / Math.max(rate, 0.001))} left` : ''
    const text = `  ${name.padEnd(22)}${share}${done.toLocaleString('en')}  ${Math.round(rate).toLocaleString('en')} a second${left}`
    out.write(out.isTTY ? `\r\u001b[K${text}${last ? '\n' : ''}` : `${text}\n`)
  }
  return {
    /** `total`: 0 if unknown. */
    begin(name: string, total: number): void {
      step = { name, total, done: 0, began: performance.now() }
      lastPrintedAt = step.began
    },
    add(count: number): void {
      step.done += count
      print(false)
    },
    end(): void {
      if (step.done) print(true)
    },
  }
}

const formatDuration = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

/** A reporter without output, for tests and for callers that need none. */
export const makeSilentProgress = (): ProgressReporter => makeProgress({ write: () => {} })
