import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Somebody's program, in a process of its own: it takes what it is told and counts. */
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
