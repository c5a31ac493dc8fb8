import { clientEvents } from '@recado/contract/live'
import type { Socket } from 'socket.io'
import type { Actor } from '../actor.ts'
import { eventLoopShare } from '../event-loop-share.ts'
import type { Log } from '../log.ts'

type JoinName = (typeof clientEvents)[number]
type SocketListener = (actor: Actor, socket: Socket) => void | Promise<void>
/** Lets a feature decide which rooms a join or leave request affects. It gets the text that the browser sent. */
type JoinHandler = (actor: Actor, argument: string, leaving: boolean) => Promise<string[]>
/** Handles states that a browser reports besides its rooms. */
type ClientStateHandler = (
  actor: Actor,
  socket: Socket,
  about: string,
  listenersByEvent: boolean,
) => void | Promise<void>

/**
 * Limits of a burst and per second, more than any screen needs. Requests beyond them are acknowledged but not executed.
 */
const maxRequestBurst = 500
const requestsPerSecond = 50
/**
 * Byte limits for a burst and per second. A client above them is disconnected, because even reading its data takes
 * time.
 */
const maxByteBurst = 1024 * 1024
const bytesPerSecond = 64 * 1024
function makeAllowance(burst: number, perSecond: number): (cost?: number) => boolean {
  let left = burst
  let since = performance.now()
  return (cost = 1) => {
    const now = performance.now()
    left = Math.min(burst, left + ((now - since) * perSecond) / 1000)
    since = now
    if (left < cost) return false
    left -= cost
    return true
  }
}

/** Maximum sockets per user: more than the tabs, windows and recently broken connections that a user has. */
const maxSocketsPerUser = 50

/** The room in which users of an unpaid company get the payment event. */
export const lockedCompanyRoom = (companyId: number) => `company-${companyId}-locked`

/** The rooms that a socket enters at the start. A user of an unpaid company does not enter the company room. */
const roomsOf = (actor: Actor): string[] =>
  actor.locked
    ? [lockedCompanyRoom(actor.companyId), `session-${actor.sessionId}`]
    : [
        'everyone',
        `company-${actor.companyId}`,
        `company-${actor.companyId}-${actor.profile}`,
        `user-${actor.id}`,
        `session-${actor.sessionId}`,
        ...(actor.super ? ['super'] : []),
      ]

/**
 * Accepts sockets. A socket enters the rooms of its user, company and session at once; further rooms only through
 * a join that a feature allows. An invalid join is ignored, never answered with a disconnect: clients would loop.
 * `quietMs`: how long nothing was published in some rooms.
 */
export function makeSocketAdmission(
  log: Log,
  quietMs: (rooms: Iterable<string>) => number,
  maxSockets: number = maxSocketsPerUser,
) {
  const listenersByEvent = {
    connect: [] as SocketListener[],
    disconnect: [] as SocketListener[],
    status: [] as SocketListener[],
  }
  const joinHandlers = new Map<JoinName, JoinHandler>()
  const pendingWork = new Set<Promise<void>>()
  const stateHandlers = new Map<JoinName, ClientStateHandler>()
  /** The number of sockets per user in this process, and the request budget that they share. */
  const usageByUser = new Map<number, { sockets: number; mayAsk: () => boolean; maySend: (bytes: number) => boolean }>()

  /** Each socket costs memory and gets every event: limits the sockets of one user. */
  function hasCapacity({ conn, data }: Socket, { id }: Actor): boolean {
    const own = usageByUser.get(id) ?? {
      sockets: 0,
      mayAsk: makeAllowance(maxRequestBurst, requestsPerSecond),
      maySend: makeAllowance(maxByteBurst, bytesPerSecond),
    }
    if (own.sockets >= maxSockets || conn.readyState === 'closed') return false
    own.sockets++
    usageByUser.set(id, own)
    data.mayAsk = own.mayAsk
    conn.on('packet', (packet: { data?: { length: number } }) => {
      if (!own.maySend(packet.data?.length ?? 0)) conn.close(true)
    })
    conn.once('close', () => {
      if (--own.sockets === 0) usageByUser.delete(id)
    })
    return true
  }

  /** Tracks work until it is done: shutdown waits for it. */
  function trackWork(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => pendingWork.delete(tracked))
    pendingWork.add(tracked)
    return tracked
  }
  async function announce(listeners: SocketListener[], socket: Socket): Promise<void> {
    for (const listener of listeners) {
      try {
        await listener(socket.data.actor, socket)
      } catch (err) {
        log.error({ err }, 'socket listener failed')
      }
    }
  }

  /**
   * Counts joins, because screens join the same room more than once: the socket leaves the room only with the last
   * leave.
   */
  function countJoin(socket: Socket, entered: Map<string, number>, room: string, by: 1 | -1): void {
    const count = Math.max(0, (entered.get(room) ?? 0) + by)
    entered.set(room, count)
    if (count && !socket.data.ended) socket.join(room)
    else socket.leave(room)
  }

  /** Lets a socket enter the rooms of its user, company and session. A locked user does not count as present. */
  function admit(socket: Socket): Promise<void> {
    const actor: Actor = socket.data.actor
    // The joins of an earlier session ended with that session.
    socket.data.entered = new Map<string, number>()
    socket.join(roomsOf(actor))
    if (actor.locked) return Promise.resolve()
    return trackWork(announce(listenersByEvent.connect, socket))
  }

  function handleConnection(socket: Socket): void {
    const { mayAsk } = socket.data as { mayAsk: () => boolean }
    let lastTask: Promise<void> = Promise.resolve()
    for (const join of clientEvents) {
      // Older clients request no acknowledgement; ours does, to know when a room is entered.
      socket.on(join, (...args: unknown[]) => {
        const answer = args.at(-1)
        const done = () => void (typeof answer === 'function' && answer())
        if (!mayAsk()) return done()
        // Requests run one after another, so that a browser occupies at most one database connection.
        lastTask = lastTask
          .then(() => inShare(() => handleEvent(join, args[0], args[1])))
          .catch((err) => log.error({ err }, 'join failed'))
          .then(done)
        void trackWork(lastTask)
      })
    }

    async function inShare(work: () => Promise<void>): Promise<void> {
      const { companyId } = socket.data.actor as Actor
      const place = await eventLoopShare.acquire(companyId)
      await work().finally(() => eventLoopShare.release(place))
    }

    async function handleEvent(join: JoinName, argument: unknown, yes: unknown): Promise<void> {
      if (socket.data.ended) return
      const { actor, entered } = socket.data as { actor: Actor; entered: Map<string, number> }
      if (actor.locked) return
      const about = typeof argument === 'string' || typeof argument === 'number' ? String(argument) : ''
      const handleState = stateHandlers.get(join)
      if (handleState) return void (await handleState(actor, socket, about, yes === true))
      if (join === 'userStatus') return announce(listenersByEvent.status, socket)
      const handler = joinHandlers.get(join.replace('leave', 'join') as JoinName)
      if (!handler) return
      const leaving = join.startsWith('leave')
      for (const room of await handler(actor, about, leaving)) countJoin(socket, entered, room, leaving ? -1 : 1)
    }

    socket.on('disconnect', () => handleDisconnect(socket))
    // From here on the socket receives events, beginning with its own user's presence.
    const own = roomsOf(socket.data.actor)
    const quiet = quietMs(own)
    const later = () => quietMs([...socket.rooms].filter((room) => !own.includes(room)))
    void admit(socket).then(() => socket.emit('ready', { quietMs: Math.min(quiet, later()) }))
  }

  const handleDisconnect = (socket: Socket) => {
    if (!socket.data.actor.locked) void trackWork(announce(listenersByEvent.disconnect, socket))
  }

  return {
    hasCapacity: hasCapacity,
    handleConnection: handleConnection,
    admit,
    handleDisconnect: handleDisconnect,
    /** Resolves when no work of a socket is in progress. */
    async whenIdle(): Promise<void> {
      while (pendingWork.size) await Promise.allSettled(pendingWork)
    },
    listeners: {
      onConnect: (listener: SocketListener) => void listenersByEvent.connect.push(listener),
      onDisconnect: (listener: SocketListener) => void listenersByEvent.disconnect.push(listener),
      onStatus: (listener: SocketListener) => void listenersByEvent.status.push(listener),
      onJoin: (join: JoinName, handler: JoinHandler) => void joinHandlers.set(join, handler),
      onClientState: (word: JoinName, handler: ClientStateHandler) => void stateHandlers.set(word, handler),
    },
  }
}
