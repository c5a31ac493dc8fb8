import { createServer, type Server as HttpServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { payloadSchemaOf } from '@recado/contract/live-payload-schemas'
import type { Topic } from '@recado/contract/topic'
import type pg from 'pg'
import { Server } from 'socket.io'
import type { Actor } from '../actor.ts'
import { isTransientError } from '../errors.ts'
import type { OriginCheck } from '../http/origins.ts'
import type { Log } from '../log.ts'
import { currentTraceId } from '../trace.ts'
import { makePeers, type Peers } from './peers.ts'
import { makeRoomActivity } from './room-activity.ts'
import { lockedCompanyRoom, makeSocketAdmission } from './socket-admission.ts'
import { makeLocalSockets, type RoomSeat, readBrowserCookie, type SocketEndReason } from './sockets.ts'

/** The recipients of a topic. */
export type Audience =
  | { company: number }
  | { admins: number }
  | { users: number[] }
  | { super: true }
  | { everyone: true }
  | { session: string }
  /** `except`: sockets that are also in one of these rooms are skipped. */
  | { rooms: string[]; except?: string[] }
  /** Only sockets of this process in this room, for events that each process publishes itself. */
  | { here: string }

export type LiveUpdates = ReturnType<typeof makeLiveUpdates>
/** A place in the publishing order: `previousDone` resolves when all earlier turns have published. */
export type PublishTurn = { previousDone: Promise<void>; done: () => void }
/** Commands to other processes about their sockets. */
type PeerMessage =
  | { rooms: string[]; except?: string[] | undefined; name: string; payload: unknown; because?: string | undefined }
  /** `how` is more specific than `away`, which the previous release reads. */
  | { ended: string; away: boolean; how?: SocketEndReason }
  | { back: string; actor: Actor }
  | { evicted: number; room: string }
  | { stirred: string }

const roomsOfAudience = (to: Audience): string[] => {
  if ('company' in to) return [`company-${to.company}`]
  if ('rooms' in to) return to.rooms
  if ('here' in to) return [to.here]
  if ('admins' in to) return [`company-${to.admins}-admin`]
  if ('users' in to) return to.users.map((id) => `user-${id}`)
  if ('session' in to) return [`session-${to.session}`]
  return ['super' in to ? 'super' : 'everyone']
}

/** How often the outcome of a lost commit is checked; after a minute without an answer the check ends. */
const pollMs = 250
const maxPolls = 240

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Publishes to open browsers, in this and other processes. `socketsEach`: the maximum sockets per user. */
export function makeLiveUpdates(log: Log, socketsEach?: number) {
  const io = new Server({
    transports: ['websocket'],
    perMessageDeflate: false,
    pingInterval: 18_000,
    serveClient: false,
    // A small limit, because browsers send only short messages.
    maxHttpBufferSize: 20 * 1024,
  })
  const roomActivity = makeRoomActivity()
  const admission = makeSocketAdmission(log, roomActivity.quietMs, socketsEach)
  const localSockets = makeLocalSockets(io)
  const membershipListeners: ((room: string) => void)[] = []
  const roomChangeListeners: ((room: string) => void)[] = []
  const answerers = new Map<string, (about: unknown) => unknown>([
    ['seats', (room) => localSockets.seats(String(room))],
  ])
  let http: HttpServer | undefined
  let peers: Peers<PeerMessage> | undefined
  const lastTurnByCompany = new Map<number, Promise<void>>()
  const changeCounts = new Map<number, number>()

  /** Users of an unpaid company do not count as present. */
  const activeActors = (): Actor[] => localSockets.actors().filter((actor) => !actor.locked)
  /** Ends the sockets of a session. A user who is `away` does not count as present, although the connection is open. */
  function endSockets(sessionId: string, how: SocketEndReason): void {
    for (const socket of localSockets.endSession(sessionId, how)) if (how === 'away') admission.handleDisconnect(socket)
  }
  function resumeSockets(browser: string, actor: Actor): void {
    for (const socket of localSockets.resumeSession(browser, actor)) void admission.admit(socket)
  }
  /** Handles a command of another process. */
  function handlePeerMessage(message: PeerMessage): void {
    if ('ended' in message) endSockets(message.ended, message.how ?? (message.away ? 'away' : 'over'))
    else if ('back' in message) resumeSockets(message.back, message.actor)
    else if ('evicted' in message) localSockets.evict(message.evicted, message.room)
    else if ('stirred' in message) for (const listen of roomChangeListeners) listen(message.stirred)
    else emitHere(message)
  }
  /** Events were lost: browsers that were connected at that time reconnect and reload everything. */
  function handleMissedMessages(agoMs: number): void {
    const sockets = [...io.sockets.sockets.values()]
    if (!sockets.some(({ handshake }) => Date.now() - handshake.issued > agoMs)) return
    log.warn('words of another process got lost: browsers read again')
    hangUp()
  }
  /** Closes the transport without a disconnect packet: after such a packet a client would not reconnect by itself. */
  function hangUp(isMeant: (actor: Actor | undefined) => boolean = () => true): void {
    for (const socket of io.sockets.sockets.values()) if (isMeant(socket.data.actor)) socket.conn.close()
  }
  /** Companies with a write that may be committed but unpublished, and the check of its outcome. */
  const unpublished: { companyId: number; isOver: () => Promise<boolean> }[] = []
  let isResolving = false
  let closed = false
  /** Handles several lost writes together: after an outage there may be many. */
  async function reconnectAffected(): Promise<void> {
    isResolving = true
    for (let looks = 1; !closed; looks++) {
      const over = await Promise.all(unpublished.map(({ isOver }) => isOver().catch(() => false)))
      if ((over.length === unpublished.length && over.every(Boolean)) || looks === maxPolls) break
      await pause(pollMs, undefined, { ref: false })
    }
    isResolving = false
    const companies = new Set(unpublished.splice(0).map(({ companyId }) => companyId))
    if (closed || !companies.size) return
    log.warn({ companies: [...companies] }, 'perhaps something was written and not told: browsers read again')
    // An operation of the platform may have written to any company.
    hangUp((actor) => companies.has(0) || companies.has(actor?.companyId ?? 0))
    peers?.markMissed()
  }
  /** Emits to sockets of this process. The trace is a separate argument after the payload; older clients ignore it. */
  function emitHere({ rooms, except = [], name, payload, because }: PublishedMessage): void {
    roomActivity.recordActivity(rooms)
    const sockets = io.local.to(rooms).except(except)
    if (because) sockets.emit(name, payload, { trace: because })
    else sockets.emit(name, payload)
  }
  type PublishedMessage = Extract<PeerMessage, { name: string }>
  function emit(said: PublishedMessage, isLocalOnly: boolean): void {
    emitHere(said)
    if (!isLocalOnly) peers?.broadcast(said)
  }

  return {
    /**
     * `identify` turns handshake data into a user, or null. Other processes are reached through `pool`. Without an HTTP server
     * no socket connects to this process, but its events still reach the other processes.
     */
    attach(
      server: HttpServer | null,
      identify: (brought: { ticket: string; token: string }) => Promise<Actor | null>,
      origins: { cors: string[]; isOwn: OriginCheck },
      pool: pg.Pool,
    ): void {
      // The library needs an HTTP server, even one that never listens.
      http = server ?? createServer()
      peers = makePeers<PeerMessage>(io, pool, log, handlePeerMessage, handleMissedMessages)
      for (const [name, answer] of answerers) peers.onQuery(name, answer)
      for (const listen of membershipListeners) {
        io.sockets.adapter.on('join-room', listen)
        io.sockets.adapter.on('leave-room', listen)
      }
      io.attach(http, {
        cors: { origin: origins.cors, credentials: true },
        // Browsers open sockets to any site without a preflight: pages of other origins are refused here.
        allowRequest: ({ headers }, reconnectAffected) =>
          reconnectAffected(null, origins.isOwn(headers.origin, headers.host)),
      })
      io.use((socket, next) => {
        const { query, auth } = socket.handshake
        // Older clients send their token in the URL, where proxies log it; ours sends a socket token (`ticket`) in the
        // handshake data.
        identify({ ticket: textOrEmpty(auth.ticket), token: textOrEmpty(query.token ?? auth.token) })
          .then((actor) => {
            // Closed like a broken connection, so that the client retries: the user may have closed another tab by then.
            if (actor && !admission.hasCapacity(socket, actor)) return void socket.conn.close()
            socket.data.actor = actor
            socket.data.browser = readBrowserCookie(socket.handshake.headers.cookie)
            next(actor ? undefined : new Error('ERR_SESSION_EXPIRED'))
          })
          // After a transient failure only close the connection: a refused client would not retry by itself.
          .catch((error) => (isTransientError(error) ? socket.conn.close() : next(error)))
      })
      io.on('connection', admission.handleConnection)
    },
    ...admission.listeners,
    /** Calls the listener when a socket has entered or left a room, for whatever reason. */
    onMembershipChange: (listen: (room: string) => void) => void membershipListeners.push(listen),
    /** Signals a change of a room to every process, this one at once. Listeners read the current state. */
    notifyRoomChanged(room: string): void {
      for (const listen of roomChangeListeners) listen(room)
      peers?.broadcast({ stirred: room })
    },
    onRoomChanged: (listen: (room: string) => void) => void roomChangeListeners.push(listen),
    hasLocalSeats: (room: string): boolean => localSockets.seats(room).length > 0,
    /** The sockets in a room, in all processes. `whole`: whether all processes have answered. */
    async seats(room: string): Promise<{ seats: RoomSeat[]; whole: boolean }> {
      const others = (await peers?.queryAll<RoomSeat[]>('seats', room)) ?? { answers: [], whole: true }
      return { seats: [...localSockets.seats(room), ...others.answers.flat()], whole: others.whole }
    },
    /** Whether this user is present with a live socket in any process. */
    async isPresent(userId: number): Promise<boolean> {
      if (activeActors().some((actor) => actor.id === userId)) return true
      return ((await peers?.query<RoomSeat[]>('seats', `user-${userId}`)) ?? []).flat().length > 0
    },
    /** Removes the user from the room, because the permission has ended. */
    evict(userId: number, room: string): void {
      localSockets.evict(userId, room)
      peers?.broadcast({ evicted: userId, room })
    },
    /** Answers a query that only one process can answer: all other processes return nothing. */
    onPeerQuery: (name: string, answer: (about: unknown) => unknown) => void answerers.set(name, answer),
    queryPeers: async <A>(name: string, about: unknown, timeoutMs?: number): Promise<A[]> =>
      (await peers?.query<A>(name, about, timeoutMs)) ?? [],

    /** Publishes a payload. It passes through its shape, which drops fields that are not meant for browsers. */
    publish(topic: Topic, companyId: number, payload: unknown, to: Audience, because = currentTraceId()): void {
      const shaped = payloadSchemaOf(topic).parse(payload) as Record<string, unknown>
      const rooms = roomsOfAudience(to)
      if (topic.whenExpired && 'company' in to) rooms.push(lockedCompanyRoom(to.company))
      // For socket.io an empty room list means everybody, of every company.
      if (!rooms.length) return
      const isLocalOnly = 'here' in to
      const except = 'rooms' in to ? to.except : undefined
      emit({ rooms: rooms, except, name: topic.name(companyId, shaped), payload: shaped, because }, isLocalOnly)
      for (const also of [topic.alias?.(companyId, shaped) ?? []].flat())
        emit({ rooms: rooms, except, ...also, because }, isLocalOnly)
    },
    /**
     * Takes a turn when a transaction goes to commit. The database releases a row before we get the response, so a
     * transaction that waited for the row can finish first: without an order, the older event would be published last.
     * `known`: the holder only publishes incoming data, and invalidates nothing that others have cached.
     */
    takePublishTurn(companyId: number, known = false): PublishTurn {
      const before = lastTurnByCompany.get(companyId) ?? Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const last = before.then(() => promise)
      lastTurnByCompany.set(companyId, last)
      if (!known) this.markChanged(companyId)
      const done = () => {
        if (!known) this.markChanged(companyId)
        if (lastTurnByCompany.get(companyId) === last) lastTurnByCompany.delete(companyId)
        resolve()
      }
      return { previousDone: before, done }
    },
    /** Counts the changes of a company in this process: results cached at another count may be stale. */
    changeCount: (companyId: number): number => changeCounts.get(companyId) ?? 0,
    markChanged(companyId: number): void {
      changeCounts.set(companyId, (changeCounts.get(companyId) ?? 0) + 1)
    },
    /**
     * Marks that a write of this company may be committed without its events. Once its outcome is known (`isOver`),
     * affected clients reconnect and read again.
     */
    markUnpublished(companyId: number, isOver: () => Promise<boolean>): void {
      unpublished.push({ companyId, isOver })
      if (!isResolving) void reconnectAffected()
    },
    /** Ends a session: it gets no more events. The connection stays open briefly, so that the browser can read the reason. */
    endSession(sessionId: string, how: SocketEndReason = 'over'): void {
      endSockets(sessionId, how)
      peers?.broadcast({ ended: sessionId, away: how === 'away', how })
    },
    /** Moves the open sockets of a user who has logged in again in the same browser to the new session. */
    resumeSockets(browser: string, actor: Actor): void {
      resumeSockets(browser, actor)
      peers?.broadcast({ back: browser, actor })
    },
    /** Resolves when older clients of this session have received all events sent to them by this process. */
    whenReceived: localSockets.whenReceived,
    /** A user's permissions changed: the user's open sockets change rooms at once. */
    changeRooms: localSockets.changeRooms,
    /** The ids of all users present with a live socket in this process. */
    presentUserIds: (): number[] => [...new Set(activeActors().map((actor) => actor.id))],
    /** All users with a live socket in this process, once per session and lock state. */
    sessions: (): Actor[] => [
      ...new Map(localSockets.actors().map((actor) => [`${actor.sessionId} ${actor.locked}`, actor])).values(),
    ],
    connections: (): number => io.engine?.clientsCount ?? 0,
    /**
     * Closes sockets, answers calls in progress, accepts no new ones. Keep-alive connections would delay the shutdown by a
     * minute: each is closed when idle, and the remaining ones after five seconds.
     */
    async close(): Promise<void> {
      closed = true
      // Sockets are closed while other processes can still be queried for presence.
      hangUp()
      await admission.whenIdle()
      await peers?.announceLeaving()
      const idleCloseTimer = setInterval(() => http?.closeIdleConnections(), 50)
      const forceCloseTimer = setTimeout(() => http?.closeAllConnections(), 5000)
      await io.close()
      clearInterval(idleCloseTimer)
      clearTimeout(forceCloseTimer)
      await admission.whenIdle()
      peers?.close()
    },
  }
}
