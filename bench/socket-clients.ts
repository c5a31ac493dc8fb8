import { once } from 'node:events'
import { connect } from 'node:net'
import { io } from 'socket.io-client'

/**
 * Many browsers in a separate process. `news`: each receives every change of a tag; `raw`: each reads this many bytes
 * from a plain connection. After `arm`, the process reports when the last browser has received the data.
 */
const [kind = '', address = '', token = '', companyId = '', count = '0', bytes = '0'] = process.argv.slice(2)
const clientCount = Number(count)
const now = () => performance.timeOrigin + performance.now()
let missing = 0
const countReceived = () => {
  if (--missing === 0) process.send?.({ last: now() })
}

if (kind === 'news')
  for (let n = 0; n < clientCount; n++) {
    const socket = io(address, { transports: ['websocket'], query: { token }, forceNew: true })
    socket.on(`company-${companyId}-tag`, countReceived)
    await once(socket as never, 'ready')
  }
else {
  const { hostname, port } = new URL(address)
  for (let n = 0; n < clientCount; n++) {
    const socket = connect(Number(port), hostname)
    let read = 0
    socket.on('data', (piece) => {
      read += piece.length
      if (read < Number(bytes)) return
      read = 0
      countReceived()
    })
    await once(socket, 'connect')
  }
}
process.on('message', (word) => {
  if (word === 'stop') process.exit(0)
  missing = clientCount
  process.send?.({ armed: true })
})
process.send?.({ ready: true })
