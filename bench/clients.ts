import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { address, token, paths, clients, ms } = workerData as {
  address: string
  token: string
  paths: string[]
  clients: number
  ms: number
}
const agent = new Agent({ keepAlive: true, maxSockets: clients })

const ask = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const started = performance.now()
    const call = request(
      address + path,
      { agent, headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
      (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`${path} answered ${reply.statusCode}`))
        reply.resume()
        reply.once('end', () => resolve(performance.now() - started))
      },
    )
    call.once('error', reject)
    call.end()
  })

const until = performance.now() + ms
const delays: number[] = []
await Promise.all(
  Array.from({ length: clients }, async (_, client) => {
    for (let n = client; performance.now() < until; n++) delays.push(await ask(paths[n % paths.length] as string))
  }),
)
agent.destroy()
parentPort?.postMessage(delays)
