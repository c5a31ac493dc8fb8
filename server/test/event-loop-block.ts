/**
 * The longest block of the event loop during this work, in milliseconds of CPU time: other processes and threads do not
 * count, and the result is corrected for a slower machine.
 */
export async function measureEventLoopBlock<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  let longest = 0
  let last = process.threadCpuUsage()
  const look = () => {
    longest = Math.max(longest, cpuMsSince(last))
    last = process.threadCpuUsage()
  }
  const looks = setInterval(look, 5)
  try {
    const answer = await work()
    look()
    return { ms: longest / machineSlowness(), answer }
  } finally {
    clearInterval(looks)
  }
}

/** The longest block in milliseconds of this thread's CPU time, not corrected for a slow machine. */
export async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  const look = () => {
    longest = Math.max(longest, cpuMsSince(last))
    last = process.threadCpuUsage()
  }
  const looks = setInterval(look, 2)
  try {
    await work()
    look()
    return longest
  } finally {
    clearInterval(looks)
  }
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/** A JSON text of 600 kB. Our reference machine parses it in `referenceMs`. */
const calibrationJson = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, word: `word ${n}` })))
const referenceMs = 10

/** How many times slower than our machine this one is now. */
export function machineSlowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.threadCpuUsage()
    JSON.parse(calibrationJson)
    return cpuMsSince(start)
  })
  return Math.max(1, (times.sort((a, b) => a - b)[2] ?? 0) / referenceMs)
}
