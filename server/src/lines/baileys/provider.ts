import { lineTraits } from '@recado/contract/line-traits'
import type { Signals } from '../../kernel/live/signals.ts'
import type { Line, MakeLine } from '../line.ts'
import type { LinkedLine, LinkedLineDeps } from './linked-line.ts'

/**
 * The provider of linked phones. The library is larger than the rest of the server, so it is loaded only when the first
 * linked line starts. A line is not used before it has started.
 */
export function makeLinkedProvider({ signals, ...deps }: LinkedLineDeps & { signals: Signals }): MakeLine {
  const runningLines = new Map<number, LinkedLine>()
  signals.on('passkey', (payload) => runningLines.get(Number(payload))?.checkPasskey())
  return (row, listener) => {
    let line: LinkedLine | undefined
    const requireLine = (): Line => {
      if (!line) throw new Error('the line has not started')
      return line
    }
    return {
      unsupported: lineTraits.beta.cannot,
      async start() {
        const { makeLinkedLine } = await import('./linked-line.ts')
        line = makeLinkedLine(deps, row, listener)
        runningLines.set(row.id, line)
        await line.start()
      },
      async stop() {
        if (runningLines.get(row.id) === line) runningLines.delete(row.id)
        await line?.stop()
      },
      send: async (message) => requireLine().send(message),
      edit: async (...to) => requireLine().edit(...to),
      revoke: async (...to) => requireLine().revoke(...to),
      markRead: async (...to) => requireLine().markRead(...to),
      setTyping: async (...to) => requireLine().setTyping(...to),
      checkNumber: async (number) => requireLine().checkNumber(number),
      profilePicture: async (chat) => requireLine().profilePicture(chat),
      members: async (group) => requireLine().members(group),
      rejectCall: async (...to) => requireLine().rejectCall(...to),
      fetchMedia: async (key) => requireLine().fetchMedia(key),
      contacts: async () => requireLine().contacts(),
      pastChats: async () => requireLine().pastChats(),
      fetchPast: async (...to) => requireLine().fetchPast(...to),
    }
  }
}
