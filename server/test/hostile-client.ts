import { Agent, request } from 'node:http'
import { parentPort } from 'node:worker_threads'
import { bodyShapes } from './hostile-shapes.ts'

/**
 * Runs in a worker thread, so that its CPU time is not counted as the server's. Sends calls one after another, or repeats
 * one at a steady pace and records how long each answer takes.
 */
export type HostileCall = {
  method: string
  url: string
  headers: Record<string, string>
  /** The body: generated here from the name of a shape, or sent as it is. */
  shape?: { name: string; bytes: number; keys: string[] }
  body?: Uint8Array
}
export type ClientTask =
  | { id: number; calls: HostileCall[]; atOnce?: number }
  /** `computed`: CPU microseconds of the server's thread so far, recorded by that thread. */
  | { id: number; witness: HostileCall; everyMs: number; computed?: Int32Array }
  | { id: number; stop: true }

const agent = new Agent({ keepAlive: true, maxSockets: 300 })

function sendHostileCall({ method, url, headers, shape, body }: HostileCall): Promise<number> {
  const bytes = shape ? Buffer.from(bodyShapes[shape.name]?.(shape.bytes, shape.keys) ?? '') : body && Buffer.from(body)
  return new Promise((done) => {
    const clientRequest = request(url, {
      method,
      headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) },
      agent,
    })
    clientRequest.on('response', (answer) => {
      answer.resume()
      answer.on('end', () => done(answer.statusCode ?? 0))
      answer.on('error', () => done(answer.statusCode ?? 0))
    })
    // The server refused the body before its end, so it may cut the connection.
    clientRequest.on('error', () => done(0))
    clientRequest.end(bytes)
  })
}

/** How long an answer took, and the server's CPU time during it, which is independent of other load. */
export type MeasuredWait = { ms: number; computedMs: number }
let measuredWaits: MeasuredWait[] = []
let timer: NodeJS.Timeout | undefined
let open: Promise<void>[] = []

/**
 * Requests of the witness that may be open at once. On a machine that other work uses, an answer takes longer than the
 * pace, and more open requests would mostly measure their own queue: 16 of 18 ms each waited 288 ms.
 */
const maxUnanswered = 4

/** Waits until the server has recorded its CPU time again. */
async function waitForRecord(computed: Int32Array): Promise<void> {
  const now = Atomics.load(computed, 0)
  for (let tries = 0; tries < 50 && Atomics.load(computed, 0) === now; tries++)
    await new Promise((done) => setTimeout(done, 1))
}

parentPort?.on('message', async (task: ClientTask) => {
  if ('witness' in task) {
    measuredWaits = []
    open = []
    const { computed } = task
    let unanswered = 0
    timer = setInterval(() => {
      if (unanswered >= maxUnanswered) return
      unanswered++
      const began = performance.now()
      const before = computed ? Atomics.load(computed, 0) : 0
      const noted = async () => {
        await sendHostileCall(task.witness)
        unanswered--
        const ms = performance.now() - began
        if (!computed) return void measuredWaits.push({ ms, computedMs: 0 })
        await waitForRecord(computed)
        measuredWaits.push({ ms, computedMs: (Atomics.load(computed, 0) - before) / 1000 })
      }
      open.push(noted())
    }, task.everyMs)
    parentPort?.postMessage({ id: task.id, answer: true })
  } else if ('stop' in task) {
    clearInterval(timer)
    await Promise.all(open)
    parentPort?.postMessage({ id: task.id, answer: measuredWaits })
  } else {
    const statuses: number[] = []
    const { calls, atOnce = 1 } = task
    let next = 0
    const work = async () => {
      while (next < calls.length) {
        const at = next++
        statuses[at] = await sendHostileCall(calls[at] as HostileCall)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    parentPort?.postMessage({ id: task.id, answer: statuses })
  }
})
