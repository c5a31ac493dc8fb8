import type { Server as HttpServer } from 'node:http'
import { joins, type Topic } from '@recado/contract/live'
import { shapeOf } from '@recado/contract/live-shapes'
import { Server, type Socket } from 'socket.io'
import type { Log } from './log.ts'
import type { Actor } from './scope.ts'

/** Who hears a topic. */
export type Audience =
  | { company: number }
  | { admins: number }
  | { users: number[] }
  | { super: true }
  | { everyone: true }
  | { session: string }
  | { rooms: string[] }

export type Live = ReturnType<typeof makeLive>
/** A place in the line of those who have news: `before` is over when all in front have told theirs, if there are any. */
export type Turn = { alone: boolean; before: Promise<void>; done: () => void }
type Join = (typeof joins)[number]
type Listener = (actor: Actor, socket: Socket) => void | Promise<void>
/** Lets a feature decide which rooms a join may enter, or a leave leaves; it gets whatever text the browser sent. */
type JoinHandler = (actor: Actor, argument: string, leaving: boolean) => Promise<string[]>
/** What a browser says of itself besides where it is. */
type SaidHandler = (actor: Actor, socket: Socket, about: string, on: boolean) => void | Promise<void>
/** Somebody in a room: one of perhaps several sockets of that person, and until when it is busy in which room. */
export type Seat = { person: { id: number; name: string }; busy: Record<string, number> }

const rooms = (to: Audience): string[] => {
  if ('company' in to) return [`company-${to.company}`]
  if ('rooms' in to) return to.rooms
  if ('admins' in to) return [`company-${to.admins}-admin`]
  if ('users' in to) return to.users.map((id) => `user-${id}`)
  if ('session' in to) return [`session-${to.session}`]
  return ['super' in to ? 'super' : 'everyone']
}

/**
 * The socket. A browser enters the rooms of its person, company and session at once; further rooms only through a
 * join that a feature allows. A bad join is ignored, never answered with a disconnect: clients would loop.
 */
export function makeLive(log: Log) {
  const io = new Server({
    transports: ['websocket'],
    perMessageDeflate: false,
    pingInterval: 18_000,
    serveClient: false,
  })
  const on = { connect: [] as Listener[], disconnect: [] as Listener[], status: [] as Listener[] }
  const joinHandlers = new Map<Join, JoinHandler>()
  let onTyping: SaidHandler | undefined
  let http: HttpServer | undefined
  const lines = new Map<number, Promise<void>>()

  const actors = () =>
    [...io.sockets.sockets.values()].filter((socket) => !socket.data.ended).map((socket) => socket.data.actor as Actor)

  function welcome(socket: Socket): void {
    const actor: Actor = socket.data.actor
    const entered = new Map<string, number>()
    for (const join of joins) {
      // Older clients ask for no answer; ours does, to know when a room is entered.
      socket.on(join, (...said: unknown[]) => {
        const answer = said.at(-1)
        hear(join, said[0], said[1])
          .catch((err) => log.error({ err }, 'join failed'))
          .finally(() => typeof answer === 'function' && answer())
      })
    }

    async function hear(join: Join, argument: unknown, yes: unknown): Promise<void> {
      if (socket.data.ended) return
      const about = typeof argument === 'string' || typeof argument === 'number' ? String(argument) : ''
      if (join === 'agentTyping') return void (await onTyping?.(actor, socket, about, yes === true))
      if (join === 'userStatus') return void (await announce(on.status, socket))
      const handler = joinHandlers.get(join.replace('leave', 'join') as Join)
      if (!handler) return
      const leaving = join.startsWith('leave')
      for (const room of await handler(actor, about, leaving)) step(room, leaving ? -1 : 1)
    }
    /** Screens join the same room more than once: only the last one to leave closes the door. */
    function step(room: string, by: 1 | -1): void {
      const count = Math.max(0, (entered.get(room) ?? 0) + by)
      entered.set(room, count)
      if (count && !socket.data.ended) socket.join(room)
      else socket.leave(room)
    }

    socket.join([
      'everyone',
      `company-${actor.companyId}`,
      `company-${actor.companyId}-${actor.profile}`,
      `user-${actor.id}`,
      `session-${actor.sessionId}`,
      ...(actor.super ? ['super'] : []),
    ])
    socket.on('disconnect', () => void announce(on.disconnect, socket))
    void announce(on.connect, socket).then(() => socket.emit('ready'))
  }

  async function announce(listeners: Listener[], socket: Socket): Promise<void> {
    for (const listener of listeners) {
      try {
        await listener(socket.data.actor, socket)
      } catch (err) {
        log.error({ err }, 'socket listener failed')
      }
    }
  }

  return {
    /** `identify` turns a handshake's token into a person, or null. */
    attach(server: HttpServer, identify: (token: string) => Promise<Actor | null>, origins: string[]): void {
      http = server
      io.attach(server, { cors: { origin: origins, credentials: true } })
      io.use((socket, next) => {
        const token = socket.handshake.query.token ?? socket.handshake.auth.token
        identify(typeof token === 'string' ? token : '')
          .then((actor) => {
            socket.data.actor = actor
            next(actor ? undefined : new Error('ERR_SESSION_EXPIRED'))
          })
          .catch(next)
      })
      io.on('connection', welcome)
    },
    onConnect: (listener: Listener) => void on.connect.push(listener),
    onDisconnect: (listener: Listener) => void on.disconnect.push(listener),
    onStatus: (listener: Listener) => void on.status.push(listener),
    onJoin: (join: Join, handler: JoinHandler) => void joinHandlers.set(join, handler),
    onTyping: (handler: SaidHandler) => {
      onTyping = handler
    },
    /** Somebody came into a room or went out of it, by whichever way. */
    onRoom(listen: (room: string) => void): void {
      io.sockets.adapter.on('join-room', listen)
      io.sockets.adapter.on('leave-room', listen)
    },
    /** Who is in a room. */
    async seats(room: string): Promise<Seat[]> {
      return [...(io.sockets.adapter.rooms.get(room) ?? [])].flatMap((id) => {
        const socket = io.sockets.sockets.get(id)
        if (!socket) return []
        const { id: userId, name } = socket.data.actor as Actor
        return [{ person: { id: userId, name }, busy: socket.data.busy ?? {} }]
      })
    },
    /** Out of the room: what let this person in no longer holds. */
    evict(userId: number, room: string): void {
      for (const id of io.sockets.adapter.rooms.get(`user-${userId}`) ?? []) io.sockets.sockets.get(id)?.leave(room)
    },

    /** The payload passes through its shape, which drops whatever is not meant for browsers. */
    say(topic: Topic, companyId: number, payload: unknown, to: Audience): void {
      const shaped = shapeOf(topic).parse(payload) as Record<string, unknown>
      const heardIn = rooms(to)
      // To socket.io no room at all means everybody, of every company.
      if (!heardIn.length) return
      io.to(heardIn).emit(topic.name(companyId), shaped)
      const also = topic.alias?.(companyId, shaped)
      if (also) io.to(heardIn).emit(also.name, also.payload)
    },
    /**
     * Taken when a transaction goes to commit. The database lets go of a row before it tells us so, and who waited for
     * that row can be done first: without turns the older news of it would be heard last.
     */
    takeTurn(companyId: number): Turn {
      const alone = !lines.has(companyId)
      const before = lines.get(companyId) ?? Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const line = before.then(() => promise)
      lines.set(companyId, line)
      const done = () => {
        if (lines.get(companyId) === line) lines.delete(companyId)
        resolve()
      }
      return { alone, before, done }
    },
    /** An ended session hears nothing more. The line itself stays up for a moment, for the browser to read why. */
    endSession(sessionId: string): void {
      for (const id of io.sockets.adapter.rooms.get(`session-${sessionId}`) ?? []) {
        const socket = io.sockets.sockets.get(id)
        if (!socket) continue
        socket.data.ended = true
        for (const room of socket.rooms) if (room !== id) socket.leave(room)
        setTimeout(() => socket.disconnect(true), 2000).unref()
      }
    },
    /** What a person may hear has changed: their open sockets change rooms at once. `kept` are those that stay. */
    reseat(userId: number, leave: (room: string) => boolean, enter: string[]): void {
      for (const id of io.sockets.adapter.rooms.get(`user-${userId}`) ?? []) {
        const socket = io.sockets.sockets.get(id)
        for (const room of socket?.rooms ?? []) if (leave(room)) socket?.leave(room)
        socket?.join(enter)
      }
    },
    /** The ids of everyone with a living socket here, and of their sessions. */
    present: (): number[] => [...new Set(actors().map((actor) => actor.id))],
    sessions: (): string[] => [...new Set(actors().map((actor) => actor.sessionId))],
    connections: (): number => io.engine?.clientsCount ?? 0,
    /**
     * Sockets end, calls under way are answered, nothing new is taken. A connection kept alive would hold the door open
     * for a minute more: each goes when it falls idle, and those that are never done go after five seconds.
     */
    async close(): Promise<void> {
      const idle = setInterval(() => http?.closeIdleConnections(), 50)
      const patience = setTimeout(() => http?.closeAllConnections(), 5000)
      await io.close()
      clearInterval(idle)
      clearTimeout(patience)
    },
  }
}
