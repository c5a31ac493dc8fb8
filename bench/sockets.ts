import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Measurement } from './bench-report.ts'
import { percentile } from './bench-server.ts'
import { openMeasuringWindows } from './measuring-windows.ts'
import { askChild, openSeparateServer } from './separate-server.ts'

const part = 'sockets'
const now = () => performance.timeOrigin + performance.now()

async function startSocketClients(kind: 'news' | 'raw', given: (string | number)[]): Promise<ChildProcess> {
  const batch = fork(new URL('./socket-clients.ts', import.meta.url), [kind, ...given.map(String)])
  await once(batch, 'message')
  return batch
}

/** Measures, this many times, from the action until the last browser has received its event. */
async function measureFanOut(batch: ChildProcess, times: number, action: () => unknown): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    await askChild(batch, 'arm')
    const last = once(batch, 'message')
    const startedAt = now()
    await action()
    took.push(((await last)[0] as { last: number }).last - startedAt)
  }
  return took
}

/** Sends the same bytes to as many plain connections: the minimum time on this machine. */
async function measureRawFanOut(many: number, bytes: number, times: number): Promise<number[]> {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.setNoDelay())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const batch = await startSocketClients('raw', [address, '', '', many, bytes])
  const piece = Buffer.alloc(bytes)
  while (sockets.length < many) await pause(10)
  const took = await measureFanOut(batch, times, () => {
    for (const socket of sockets) socket.write(piece)
  })
  batch.send('stop')
  server.close()
  return took
}

/** Measures the memory of open browsers' sockets, and how long an event takes to reach them all. */
export async function benchSockets(o: { many: number; times: number }): Promise<Measurement[]> {
  const apart = await openSeparateServer()
  const windows = await openMeasuringWindows(apart.pids)
  try {
    const { admin, companyId, address } = apart
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
    const write = (method: string, path: string, n: number) =>
      fetch(address + path, { method, headers, body: JSON.stringify({ name: `Tag ${n}`, color: '#2f9e44' }) })
    const { id } = (await (await write('POST', '/tags', 0)).json()) as { id: number }
    const before = await apart.readMemoryUsage()
    const batch = await startSocketClients('news', [address, admin.token, companyId, o.many])
    const after = await apart.readMemoryUsage()
    let n = 0
    const change = () => write('PUT', `/tags/${id}`, ++n)
    await measureFanOut(batch, 3, change)
    const fanOut = await windows.measure(() => measureFanOut(batch, o.times, change))
    batch.send('stop')
    const raw = await windows.measure(() => measureRawFanOut(o.many, 200, o.times))
    const mb = (bytes: number) => bytes / 1024 / 1024
    const about = { part, unit: ' ms', better: 'less' as const, taken: fanOut.stolenShare }
    const limit = { name: 'plain connections', value: percentile(raw.result, 0.5) }
    return [
      { part, name: 'an idle house', value: mb(before.rss), unit: ' MB', better: 'less', aim: 150 },
      { part, name: `with ${o.many} sockets`, value: mb(after.rss), unit: ' MB', better: 'less' },
      { part, name: 'each socket', value: mb(after.rss - before.rss) * (1024 / o.many), unit: ' kB', better: 'less' },
      { ...about, name: `a change until ${o.many} have heard, p50`, value: percentile(fanOut.result, 0.5), limit },
      { ...about, name: `a change until ${o.many} have heard, p99`, value: percentile(fanOut.result, 0.99) },
    ]
  } finally {
    await windows.close()
    await apart.close()
  }
}
