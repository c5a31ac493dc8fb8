import type { Clock } from '../clock.ts'

/** The target was not called: the circuit breaker is open after repeated failures. A later call may succeed. */
export class CircuitOpenError extends Error {}

/** After this many failures in a row calls pause for this long; the pause doubles each time. */
const failuresToOpen = 5
const firstPauseMs = 60_000
const maxPauseMs = 15 * 60_000
/** More targets than any server calls; the oldest failures are evicted first. */
const maxTrackedKeys = 10_000

type CircuitState = { failures: number; pauseMs: number; openUntil: number }
export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>

/** A circuit breaker: avoids waiting again and again for a target that does not answer. */
export function makeCircuitBreaker(clock: Clock) {
  const circuits = new Map<string, CircuitState>()
  const now = () => clock.now().getTime()

  function check(key: string): void {
    const circuit = circuits.get(key)
    if (!circuit || circuit.failures < failuresToOpen) return
    if (circuit.openUntil > now()) throw new CircuitOpenError(`${key} does not answer`)
    // One call tries the target, and the others wait for its result.
    circuit.openUntil = now() + circuit.pauseMs
  }
  function recordFailure(key: string): void {
    const circuit = circuits.get(key) ?? { failures: 0, pauseMs: firstPauseMs / 2, openUntil: 0 }
    circuit.failures++
    if (circuit.failures >= failuresToOpen) {
      circuit.pauseMs = Math.min(circuit.pauseMs * 2, maxPauseMs)
      circuit.openUntil = now() + circuit.pauseMs
    }
    circuits.delete(key)
    circuits.set(key, circuit)
    for (const oldest of circuits.keys()) {
      if (circuits.size <= maxTrackedKeys) break
      circuits.delete(oldest)
    }
  }

  return {
    /** Whether the last call to this target failed. */
    isFailing: (key: string): boolean => circuits.has(key),
    /** Runs a call, unless a target is paused and the caller does not insist. Errors count for the targets in `counts`. */
    async run<T>(
      keys: string[],
      work: () => Promise<T>,
      countsAsFailure: (key: string, error: unknown) => boolean = () => true,
      bypass = false,
    ): Promise<T> {
      if (!bypass) for (const key of keys) check(key)
      try {
        const answer = await work()
        for (const key of keys) circuits.delete(key)
        return answer
      } catch (error) {
        for (const key of keys) if (countsAsFailure(key, error)) recordFailure(key)
        throw error
      }
    },
  }
}
