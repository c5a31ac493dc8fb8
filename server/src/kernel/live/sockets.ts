import type { Server, Socket } from 'socket.io'
import { type Actor, accessTokenTtlMs } from '../actor.ts'

/** One socket of a user in a room, and until when it is busy in which room. */
export type RoomSeat = { person: { id: number; name: string }; busy: Record<string, number> }

/** A browser whose session ended gets this long to read the reason. */
const farewellMs = 2000
/** Time for the response with the new cookie to reach the browser, which needs the cookie to reconnect. */
const renewedMs = 1000
/**
 * How long sockets wait for another login after a logout. Older clients keep their socket and its first token: until
 * that token expires they would reconnect with it in vain and get no events; after that they reload their page.
 */
const awayMs = accessTokenTtlMs + 2000
/**
 * What happens to the sockets of an ended session: they are closed for good (`over`), the user may log in again
 * and reuse them (`away`), or the session continues and its browsers reconnect (`renewed`).
 */
export type SocketEndReason = 'over' | 'away' | 'renewed'
const closeAfterMs: Record<SocketEndReason, number> = { over: farewellMs, away: awayMs, renewed: renewedMs }
const leftRoom = (userId: number) => `left-${userId}`

/** The cookie that identifies a browser, whoever is logged in. */
export const browserCookieName = 'jrb'
export const readBrowserCookie = (cookies: string | undefined): string =>
  new RegExp(`(?:^|; *)${browserCookieName}=([\\w-]{32})(?:;|$)`).exec(cookies ?? '')?.[1] ?? ''

/** A browser that does not answer a ping for this long gets the response without it. */
const pongTimeoutMs = 250
type WebSocketLike = Pick<NodeJS.EventEmitter, 'once' | 'off'> & { ping(): void; readyState: number; OPEN: number }

function pingBrowser({ conn }: Socket): Promise<void> {
  const { socket: webSocket } = conn.transport as unknown as { socket?: WebSocketLike }
  if (webSocket?.readyState !== webSocket?.OPEN || !webSocket) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      webSocket.off('pong', end)
      webSocket.off('close', end)
      resolve()
    }
    const timer = setTimeout(end, pongTimeoutMs)
    webSocket.once('pong', end)
    webSocket.once('close', end)
    webSocket.ping()
  })
}

/** The sockets of this process. */
export function makeLocalSockets(io: Server) {
  const inRoom = (room: string): Socket[] =>
    [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? [])

  return {
    actors: (): Actor[] =>
      [...io.sockets.sockets.values()].filter((socket) => !socket.data.ended).map((socket) => socket.data.actor),
    seats: (room: string): RoomSeat[] =>
      inRoom(room).map(({ data }) => ({ person: { id: data.actor.id, name: data.actor.name }, busy: data.busy ?? {} })),
    /** Ends a session: its sockets get no more events from here on. */
    endSession(sessionId: string, how: SocketEndReason): Socket[] {
      const ended = inRoom(`session-${sessionId}`)
      for (const socket of ended) {
        socket.data.ended = true
        for (const room of socket.rooms) if (room !== socket.id) socket.leave(room)
        if (how === 'away') socket.join(leftRoom(socket.data.actor.id))
        // A client that gets a disconnect packet stays away; one whose connection breaks reconnects by itself.
        const close = () => (how === 'renewed' ? socket.conn.close() : socket.disconnect(true))
        socket.data.farewell = setTimeout(close, closeAfterMs[how]).unref()
      }
      return ended
    },
    /** Moves sockets that this user left open in this browser to the new session. */
    resumeSession(browser: string, actor: Actor): Socket[] {
      const theirs = inRoom(leftRoom(actor.id)).filter((socket) => browser && socket.data.browser === browser)
      for (const socket of theirs) {
        clearTimeout(socket.data.farewell)
        socket.leave(leftRoom(actor.id))
        Object.assign(socket.data, { ended: false, actor })
      }
      return theirs
    },
    /**
     * Resolves when the older clients of a session have received everything that was sent to them before. Such a client
     * expects the event of what it creates before the response to its call, and both travel on different connections. The
     * browser itself answers a WebSocket ping, after all frames before it.
     */
    async whenReceived(sessionId: string): Promise<void> {
      const theirs = inRoom(`session-${sessionId}`).filter(({ handshake }) => handshake.query.token)
      await Promise.all(theirs.map(pingBrowser))
    },
    evict(userId: number, room: string): void {
      for (const socket of inRoom(`user-${userId}`)) socket.leave(room)
    },
    changeRooms(userId: number, leave: (room: string) => boolean, enter: string[]): void {
      for (const socket of inRoom(`user-${userId}`)) {
        for (const room of socket.rooms) if (leave(room)) socket.leave(room)
        socket.join(enter)
      }
    },
  }
}
