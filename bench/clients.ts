import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { address, token, paths, clients, ms, pauseMs } = workerData as {
  address: string
  token: string
  paths: string[]
  clients: number
  ms: number
  /** Between an answer and the next question, as a mean: people do not keep step with one another. */
  pauseMs: number
}
const { hostname, port, host } = new URL(address)
const until = performance.now() + ms
const delays: number[] = []

const question = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n\r\n`

/**
 * Asks, waits for the whole answer, asks again. It reads no more of an answer than its length: whoever measures on the
 * same two cores must leave them to what is measured.
 */
const client = (first: number) =>
  new Promise<void>((resolve, reject) => {
    // One buffer for all it reads: a new one for each piece would cost as much as the reading.
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (bytes: number, buffer: Uint8Array) => heard(Buffer.from(buffer.buffer, buffer.byteOffset, bytes)),
    }
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
    let n = first
    let asked = 0
    let missing = 0
    const ask = () => {
      if (performance.now() > until) return void socket.end(resolve)
      asked = performance.now()
      socket.write(question(paths[n++ % paths.length] as string))
    }
    // Not all at once.
    socket.once('connect', () => setTimeout(ask, (first * pauseMs) / clients))
    socket.once('error', reject)
    const heard = (piece: Buffer): boolean => {
      if (missing > 0) missing -= piece.length
      else {
        const head = piece.toString('latin1', 0, Math.min(piece.length, 4096))
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
        const end = head.indexOf('\r\n\r\n')
        if (!head.startsWith('HTTP/1.1 200') || !length || end < 0) {
          reject(new Error(head.slice(0, 200)))
          return false
        }
        missing = Number(length) - (piece.length - end - 4)
      }
      if (missing > 0) return true
      delays.push(performance.now() - asked)
      if (pauseMs) setTimeout(ask, 2 * pauseMs * Math.random())
      else ask()
      return true
    }
  })

await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))
parentPort?.postMessage(delays)
