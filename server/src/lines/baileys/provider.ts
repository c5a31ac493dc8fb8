import { lineTraits } from '@recado/contract/line-traits'
import type { Line, MakeLine } from '../line.ts'
import type { LinkedLineDeps } from './linked-line.ts'

/**
 * Linked phones, without loading the library until the first of them starts: it is larger than the rest of the
 * server. A line is not used before it has started.
 */
export function makeLinkedProvider(given: LinkedLineDeps): MakeLine {
  return (row, ears) => {
    let line: Line | undefined
    const started = (): Line => {
      if (!line) throw new Error('the line has not started')
      return line
    }
    return {
      unsupported: lineTraits.beta.cannot,
      async start() {
        const { makeLinkedLine } = await import('./linked-line.ts')
        line = makeLinkedLine(given, row, ears)
        await line.start()
      },
      stop: async () => line?.stop(),
      send: async (message) => started().send(message),
      edit: async (...to) => started().edit(...to),
      revoke: async (...to) => started().revoke(...to),
      markRead: async (...to) => started().markRead(...to),
      setTyping: async (...to) => started().setTyping(...to),
      checkNumber: async (number) => started().checkNumber(number),
      profilePicture: async (chat) => started().profilePicture(chat),
      members: async (group) => started().members(group),
      rejectCall: async (...to) => started().rejectCall(...to),
      fetchMedia: async (key) => started().fetchMedia(key),
      contacts: async () => started().contacts(),
      pastChats: async () => started().pastChats(),
      fetchPast: async (...to) => started().fetchPast(...to),
    }
  }
}
