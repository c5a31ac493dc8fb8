import type { Server, Socket } from 'socket.io'
import type { Actor } from './scope.ts'

/** Somebody in a room: one of perhaps several sockets of that person, and until when it is busy in which room. */
export type Seat = { person: { id: number; name: string }; busy: Record<string, number> }

/** An ended browser may still read why. */
const farewellMs = 2000

/** The sockets of this process. */
export function socketsOf(io: Server) {
  const inRoom = (room: string): Socket[] =>
    [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => io.sockets.sockets.get(id) ?? [])

  return {
    actors: (): Actor[] =>
      [...io.sockets.sockets.values()].filter((socket) => !socket.data.ended).map((socket) => socket.data.actor),
    seats: (room: string): Seat[] =>
      inRoom(room).map(({ data }) => ({ person: { id: data.actor.id, name: data.actor.name }, busy: data.busy ?? {} })),
    end(sessionId: string): void {
      for (const socket of inRoom(`session-${sessionId}`)) {
        socket.data.ended = true
        for (const room of socket.rooms) if (room !== socket.id) socket.leave(room)
        setTimeout(() => socket.disconnect(true), farewellMs).unref()
      }
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
