import { io } from 'socket.io-client'

/** An agent's browser in a separate process: receives messages, and reports the latency of each. */
const [address = '', token = '', companyId = ''] = process.argv.slice(2)
const socket = io(address, { transports: ['websocket'], query: { token } })
let receivedCount = 0
let first = 0
let last = 0
let delays: number[] = []
socket.on(`company-${companyId}-appMessage`, (news: { action: string; message: { body: string } }) => {
  if (news.action !== 'create') return
  receivedCount++
  last = performance.timeOrigin + performance.now()
  first ||= last
  delays.push(performance.timeOrigin + performance.now() - Number(news.message.body.split(' ')[0]))
})
socket.on('ready', () => process.send?.({ ready: true }))
process.on('message', (ask) => {
  if (ask === 'report') process.send?.({ heard: receivedCount, delays, first, last })
  if (ask === 'reset') {
    receivedCount = 0
    first = 0
    delays = []
    process.send?.({ reset: true })
  }
  if (ask === 'stop') process.exit(0)
})
