import type { Server, Socket } from 'socket.io'
import { type Actor, accessTokenTtlMs } from '../actor.ts'

/** Somebody in a room: one of perhaps several sockets of that person, and until when it is busy in which room. */
export type RoomSeat = { person: { id: number; name: string }; busy: Record<string, number> }

/** An ended browser may still read why. */
const farewellMs = 2000
/** Time for the reply with the new cookie to arrive: the browser needs it to connect again. */
const renewedMs = 1000
/**
 * One that logged out may log in again. Older clients keep their socket over that, and its first token: until this has
 * run out they would knock with it in vain and be deaf from then on; after it they load their page anew.
 */
const awayMs = accessTokenTtlMs + 2000
/**
 * What becomes of the sockets of a session that no longer hears: they are closed for good (`over`), its person may log in
 * again and wake them (`away`), or it goes on and its browsers connect again (`renewed`).
 */
export type SocketEndReason = 'over' | 'away' | 'renewed'
const closeAfterMs: Record<SocketEndReason, number> = { over: farewellMs, away: awayMs, renewed: renewedMs }
const leftRoom = (userId: number) => `left-${userId}`

/** The cookie by which a browser is known again, whoever is logged in there. */
export const browserCookieName = 'jrb'
export const readBrowserCookie = (cookies: string | undefined): string =>
  new RegExp(`(?:^|; *)${browserCookieName}=([\\w-]{32})(?:;|$)`).exec(cookies ?? '')?.[1] ?? ''

/** The sockets of this process. */
export function makeLocalSockets(io: Server) {
  const inRoom = (room: string): Socket[] =>
    [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? [])

  return {
    actors: (): Actor[] =>
      [...io.sockets.sockets.values()].filter((socket) => !socket.data.ended).map((socket) => socket.data.actor),
    seats: (room: string): RoomSeat[] =>
      inRoom(room).map(({ data }) => ({ person: { id: data.actor.id, name: data.actor.name }, busy: data.busy ?? {} })),
    /** Deaf from here on. */
    end(sessionId: string, how: SocketEndReason): Socket[] {
      const ended = inRoom(`session-${sessionId}`)
      for (const socket of ended) {
        socket.data.ended = true
        for (const room of socket.rooms) if (room !== socket.id) socket.leave(room)
        if (how === 'away') socket.join(leftRoom(socket.data.actor.id))
        // A client that is told goodbye stays away; one whose connection breaks comes back by itself.
        const close = () => (how === 'renewed' ? socket.conn.close() : socket.disconnect(true))
        socket.data.farewell = setTimeout(close, closeAfterMs[how]).unref()
      }
      return ended
    },
    /** Those of a session that this person left in this browser, now of the new one. */
    back(browser: string, actor: Actor): Socket[] {
      const theirs = inRoom(leftRoom(actor.id)).filter((socket) => browser && socket.data.browser === browser)
      for (const socket of theirs) {
        clearTimeout(socket.data.farewell)
        socket.leave(leftRoom(actor.id))
        Object.assign(socket.data, { ended: false, actor })
      }
      return theirs
    },
    evict(userId: number, room: string): void {
      for (const socket of inRoom(`user-${userId}`)) socket.leave(room)
    },
    reseat(userId: number, leave: (room: string) => boolean, enter: string[]): void {
      for (const socket of inRoom(`user-${userId}`)) {
        for (const room of socket.rooms) if (leave(room)) socket.leave(room)
        socket.join(enter)
      }
    },
  }
}
