import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { address, token, paths, clients, ms, pauseMs, encodings } = workerData as {
  address: string
  token: string
  paths: string[]
  clients: number
  ms: number
  /** Mean pause between an answer and the next request; it varies, so that users are not in step. */
  pauseMs: number
  /** The Accept-Encoding of browsers. */
  encodings: string
}
const { hostname, port, host } = new URL(address)
const until = performance.now() + ms
const delays: number[] = []
let bytes = 0

const question = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\nAccept-Encoding: ${encodings}\r\n\r\n`

/**
 * Sends a request, waits for the whole answer, and repeats. The client reads only the length of an answer: on the
 * same two cores, it must leave the CPU to the server.
 */
const client = (first: number) =>
  new Promise<void>((resolve, reject) => {
    // One buffer serves all reads: allocating a buffer for each chunk would cost as much as reading it.
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (bytes: number, buffer: Uint8Array) => heard(Buffer.from(buffer.buffer, buffer.byteOffset, bytes)),
    }
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
    let n = first
    let asked = 0
    let missing = 0
    /** True for chunked encoding: the answer ends with an empty chunk. */
    let endless = false
    const ask = () => {
      if (performance.now() > until) return void socket.end(resolve)
      asked = performance.now()
      socket.write(question(paths[n++ % paths.length] as string))
    }
    // The clients start one after another, so that their requests do not coincide.
    socket.once('connect', () => setTimeout(ask, (first * pauseMs) / clients))
    socket.once('error', reject)
    const begins = (piece: Buffer): boolean => {
      const head = piece.toString('latin1', 0, Math.min(piece.length, 4096))
      const end = head.indexOf('\r\n\r\n')
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      endless = /\r\ntransfer-encoding: chunked/i.test(head)
      if (!head.startsWith('HTTP/1.1 200') || end < 0 || !(length || endless)) {
        reject(new Error(head.slice(0, 200)))
        return false
      }
      missing = endless ? 1 : Number(length) - (piece.length - end - 4)
      return true
    }
    const heard = (piece: Buffer): boolean => {
      bytes += piece.length
      if (missing > 0) missing -= endless ? 0 : piece.length
      else if (!begins(piece)) return false
      if (endless && piece.subarray(-5).toString('latin1') === '0\r\n\r\n') missing = 0
      if (missing > 0) return true
      delays.push(performance.now() - asked)
      if (pauseMs) setTimeout(ask, 2 * pauseMs * Math.random())
      else ask()
      return true
    }
  })

await Promise.all(Array.from({ length: clients }, (_, n) => client(n)))
parentPort?.postMessage({ delays, bytes })
