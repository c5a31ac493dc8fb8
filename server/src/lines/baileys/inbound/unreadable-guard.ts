import { type Clock, minutes } from '../../../kernel/clock.ts'

/** Unreadable messages are counted in windows of this length. */
const windowMs = minutes(10)
/** From this many in a window on, the line is flooded. */
const floodThreshold = 50
/** The library pauses for 250 ms after each request, and handles nothing else of the line meanwhile. */
const maxRequestsPerLine = 60
const maxRequestsPerSender = 10
const maxPlaceholdersPerLine = 200
/** Placeholders in a chat: each waits for its own message, unless the line is flooded. */
const maxPlaceholdersPerChat = 5
const maxPlaceholdersPerFloodedChat = 1
/** A flood of many chats must not fill the memory. */
const maxRememberedChats = 5000
/** While the line is flooded, it is checked this often whether the flood has ended. */
const checkMs = 5000

/** `requestsAgain`: the sender is asked to send it again. `showsPlaceholder`: the conversation shows that it waits. */
export type UnreadableVerdict = { requestsAgain: boolean; showsPlaceholder: boolean }
type UnreadableGuardDeps = {
  clock: Clock
  /** Called when a flood begins, and with null when it has ended. */
  onFloodChange(since: Date | null): void
}

/**
 * Bounds what unreadable messages cost a line. Without it a flood of them makes as many requests, journal entries and
 * placeholders. What exceeds the limits is refused to WhatsApp, which does not deliver it again.
 */
export function makeUnreadableGuard({ clock, onFloodChange }: UnreadableGuardDeps) {
  let windowStart = 0
  let count = 0
  let requests = 0
  let placeholders = 0
  const requestsBySender = new Map<string, number>()
  const placeholdersByChat = new Map<string, number>()
  let isFlooded = false
  let timer: NodeJS.Timeout | undefined

  function setFlooded(flooded: boolean): void {
    if (isFlooded === flooded) return
    isFlooded = flooded
    clearInterval(timer)
    if (flooded) timer = setInterval(startWindowIfDue, checkMs).unref()
    onFloodChange(flooded ? clock.now() : null)
  }

  /** The flood ends after a whole window with few unreadable messages. */
  function startWindowIfDue(): void {
    const now = clock.now().getTime()
    if (now - windowStart < windowMs) return
    const wasQuiet = count < floodThreshold || now - windowStart >= 2 * windowMs
    windowStart = now
    count = 0
    requests = 0
    placeholders = 0
    requestsBySender.clear()
    if (wasQuiet) setFlooded(false)
    if (!isFlooded || placeholdersByChat.size > maxRememberedChats) placeholdersByChat.clear()
  }

  return {
    judge(chat: string, sender: string): UnreadableVerdict {
      startWindowIfDue()
      if (++count >= floodThreshold) setFlooded(true)
      const [bySender, inChat] = [requestsBySender.get(sender) ?? 0, placeholdersByChat.get(chat) ?? 0]
      const requestsAgain = requests < maxRequestsPerLine && bySender < maxRequestsPerSender
      const maxInChat = isFlooded ? maxPlaceholdersPerFloodedChat : maxPlaceholdersPerChat
      const showsPlaceholder = placeholders < maxPlaceholdersPerLine && inChat < maxInChat
      if (requestsAgain) {
        requests++
        requestsBySender.set(sender, bySender + 1)
      }
      if (showsPlaceholder) {
        placeholders++
        placeholdersByChat.set(chat, inChat + 1)
      }
      return { requestsAgain, showsPlaceholder }
    },
    isFlooded: () => isFlooded,
    stop: () => clearInterval(timer),
  }
}
export type UnreadableGuard = ReturnType<typeof makeUnreadableGuard>
