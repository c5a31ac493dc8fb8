import type { WASocket } from 'baileys'

/** Nobody of the desk typed or answered for so long: the phone shows us as gone again. */
const idleMs = 60_000
const maxSubscribedChats = 500

/** Whether somebody is at the desk, as customers' phones show it: only who is there is told that a customer types. */
export function makeDeskPresence() {
  let here: WASocket | undefined
  let timer: NodeJS.Timeout | undefined
  let asked = new Set<string>()

  return {
    /** Somebody of the desk does something in this chat. */
    async attend(sock: WASocket, address: string): Promise<void> {
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
    leave(): void {
      clearTimeout(timer)
      here = undefined
    },
  }
}
export type DeskPresence = ReturnType<typeof makeDeskPresence>
