import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** `up`: all data passes. `cut`: no connections. `slow`: each piece is delayed. `silent`: nothing passes, without an error. */
export type ProxyState = 'up' | 'cut' | 'slow' | 'silent'

/** The delay of each piece when the connection is slow. */
const slowDelayMs = 120

/** A loopback proxy between one process and the database, which can be cut, slowed and silenced. */
export async function openDatabaseProxy(socketPath: () => string) {
  let state: ProxyState = 'up'
  const open = new Set<Socket>()
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy()
    const far = connect(socketPath())
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      carry(from, to)
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** Pieces keep their order, whatever the delay. */
  function carry(from: Socket, to: Socket): void {
    let turn: Promise<void> = Promise.resolve()
    from.on('data', (piece) => {
      turn = turn.then(passing).then(() => void (to.destroyed || to.write(piece)))
    })
    from.on('end', () => {
      turn = turn.then(() => void to.end())
    })
  }
  let freed = Promise.withResolvers<void>()
  async function passing(): Promise<void> {
    if (state === 'slow') await new Promise((resolve) => setTimeout(resolve, slowDelayMs))
    while (state === 'silent') await freed.promise
  }
  const drop = () => {
    for (const socket of open) socket.destroy()
  }

  return {
    port: (server.address() as AddressInfo).port,
    setState(next: ProxyState): void {
      state = next
      freed.resolve()
      freed = Promise.withResolvers()
      if (next === 'cut') drop()
    },
    async close(): Promise<void> {
      this.setState('cut')
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type DatabaseProxy = Awaited<ReturnType<typeof openDatabaseProxy>>
