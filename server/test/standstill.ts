/**
 * The longest that the loop stood still during this work, in milliseconds of its own computing: what other processes
 * and threads of a busy machine take does not count.
 */
export async function standstill<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  let longest = 0
  let last = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
  }
  const looks = setInterval(look, 5)
  try {
    const answer = await work()
    look()
    return { ms: longest, answer }
  } finally {
    clearInterval(looks)
  }
}
