import { emitToServer } from '../../lib/live.ts'

/** The server counts minutes, so this is often enough. */
const reportIntervalMs = 30_000
let reportedAt = 0

/** Tells the server that the user does something. Without any activity the company may set the user to away. */
function reportActivity(): void {
  if (Date.now() - reportedAt < reportIntervalMs) return
  reportedAt = Date.now()
  emitToServer('userActive')
}
for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  addEventListener(name, reportActivity, { passive: true, capture: true })
