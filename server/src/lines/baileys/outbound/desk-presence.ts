import type { WASocket } from 'baileys'

/** After this long without agent activity the phone shows us as offline. */
const idleMs = 60_000
const maxSubscribedChats = 500

/** Whether customers' phones show us as online. We receive customers' typing only while online. */
export function makeDeskPresence() {
  let activeSocket: WASocket | undefined
  let timer: NodeJS.Timeout | undefined
  let subscribedChats = new Set<string>()

  return {
    /** Called when an agent is active in this chat. */
    async markActive(sock: WASocket, address: string): Promise<void> {
      clearTimeout(timer)
      timer = setTimeout(() => {
        activeSocket = undefined
        sock.sendPresenceUpdate('unavailable').catch(() => {})
      }, idleMs).unref()
      if (activeSocket !== sock) {
        activeSocket = sock
        subscribedChats = new Set()
        await sock.sendPresenceUpdate('available')
      }
      if (subscribedChats.has(address) || address.endsWith('@g.us')) return
      if (subscribedChats.size >= maxSubscribedChats) subscribedChats.clear()
      subscribedChats.add(address)
      await sock.presenceSubscribe(address)
    },
    reset(): void {
      clearTimeout(timer)
      activeSocket = undefined
    },
  }
}
export type DeskPresence = ReturnType<typeof makeDeskPresence>
