import { useEffect, useMemo } from 'react'
import { emitToServer } from '../../../lib/live.ts'

/** How often typing is repeated: often enough that it does not expire, but not for every key. */
const repeatMs = 3000
const idleMs = 4000

type TypingEvent = 'agentTyping' | 'chatTyping'

/** Publishes the start and end of typing to the other users in this ticket or chat. */
export function useAgentTyping(id: number, where: TypingEvent = 'agentTyping'): (on: boolean) => void {
  const { typing, stop } = useMemo(() => createTypingNotifier((on) => emitToServer(where, id, on)), [id, where])
  useEffect(() => stop, [stop])
  return typing
}

function createTypingNotifier(sendTyping: (on: boolean) => void) {
  let lastSentAt = 0
  let resting: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(resting)
    if (lastSentAt > 0) sendTyping(false)
    lastSentAt = 0
  }
  const typing = (on: boolean) => {
    if (!on) return stop()
    clearTimeout(resting)
    resting = setTimeout(stop, idleMs)
    if (Date.now() - lastSentAt < repeatMs) return
    lastSentAt = Date.now()
    sendTyping(true)
  }
  return { typing, stop }
}
