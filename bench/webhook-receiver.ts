import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A webhook receiver in a separate process: it counts its requests. */
let count = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    count++
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (word) => {
  if (word === 'stop') process.exit(0)
  process.send?.({ count })
})
