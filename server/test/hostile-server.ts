import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { answerShapes } from './hostile-shapes.ts'

/** Runs in a thread: an external system that gives a configured answer to any request. */
export type HostileAnswer = {
  status: number
  /** How the answer is sent: as one text; as one or many stream events; or byte by byte. */
  way: 'whole' | 'one event' | 'small events' | 'small pieces'
  shape: string
  bytes: number
  keys: string[]
}

let next: HostileAnswer = { status: 200, way: 'whole', shape: 'spaces', bytes: 10, keys: [] }

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => void writeHostileAnswer(response).catch(() => response.destroy()))
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
parentPort?.on('message', (given: HostileAnswer) => {
  next = given
  parentPort?.postMessage('ready')
})

async function writeHostileAnswer(response: ServerResponse): Promise<void> {
  const { status, way, shape, bytes, keys } = next
  const text = answerShapes[shape]?.(way === 'small events' ? 200 : bytes, keys) ?? ''
  response.writeHead(status, { 'content-type': way === 'whole' ? 'application/json' : 'text/event-stream' })
  const write = (piece: string) =>
    new Promise<void>((done) => (response.destroyed ? done() : response.write(piece, () => done())))
  response.on('error', () => undefined)
  if (way === 'whole') response.write(text)
  else if (way === 'one event') response.write(`data: ${text}\n\n`)
  else if (way === 'small pieces')
    for (let at = 0; at < Math.min(text.length, 400_000) && !response.destroyed; at += 100)
      await write(text.slice(at, at + 100))
  else
    for (let sent = 0; sent < bytes && !response.destroyed; sent += 20_000) await write(`data: ${text}\n\n`.repeat(100))
  response.end()
}
