import type { WASocket } from 'baileys'

/** After this long without agent activity the phone shows us as offline. */
const idleMs = 60_000
const maxSubscribedChats = 500

/** Our presence as customers' phones show it: only while online we receive customers' typing. */
export function makeDeskPresence() {
  let here: WASocket | undefined
  let timer: NodeJS.Timeout | undefined
  let asked = new Set<string>()

  return {
    /** An agent is active in this chat. */
    async markActive(sock: WASocket, address: string): Promise<void> {
      clearTimeout(timer)
      timer = setTimeout(() => {
        here = undefined
        sock.sendPresenceUpdate('unavailable').catch(() => {})
      }, idleMs).unref()
      if (here !== sock) {
        here = sock
        asked = new Set()
        await sock.sendPresenceUpdate('available')
      }
      if (asked.has(address) || address.endsWith('@g.us')) return
      if (asked.size >= maxSubscribedChats) asked.clear()
      asked.add(address)
      await sock.presenceSubscribe(address)
    },
    reset(): void {
      clearTimeout(timer)
      here = undefined
    },
  }
}
export type DeskPresence = ReturnType<typeof makeDeskPresence>
